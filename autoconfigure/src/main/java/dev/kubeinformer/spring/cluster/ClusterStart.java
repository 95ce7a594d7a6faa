package dev.kubeinformer.spring.cluster;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Starts the informers of one named cluster. Slow steps, such as a credential plugin, run
 * on a separate thread, so that neither other clusters nor the start of the application
 * wait for them. A failed start is retried. Thread-safe.
 */
final class ClusterStart {

	private static final Logger logger = LoggerFactory.getLogger(ClusterStart.class);

	private static final Duration FIRST_DELAY = Duration.ofSeconds(1);

	private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

	private final NamedCluster cluster;

	/** Thread that starts the informers; {@code null} if no thread is needed. */
	private @Nullable Thread thread;

	private boolean started;

	ClusterStart(NamedCluster cluster) {
		this.cluster = cluster;
	}

	NamedCluster cluster() {
		return this.cluster;
	}

	/**
	 * Starts the informers. Does not obtain a client if no informer needs one.
	 * @throws InformerConfigurationException if the configuration of the client is wrong
	 */
	void start() {
		boolean empty = this.cluster.runtime().informers().all().isEmpty();
		boolean aside = !empty && this.cluster.slow().getAsBoolean();
		synchronized (this) {
			if (this.started) {
				return;
			}
			this.started = true;
			if (aside) {
				Thread starting = new Thread(this::startAside, "informers-start-" + this.cluster.runtime().name());
				starting.setDaemon(true);
				this.thread = starting;
				starting.start();
				return;
			}
		}
		if (empty) {
			reportNowhere();
		}
		this.cluster.runtime().informers().start();
	}

	/**
	 * Logs a warning if the configuration of the cluster is invalid. Does not throw an
	 * exception, because no informer uses the cluster yet.
	 */
	private void reportNowhere() {
		try {
			this.cluster.slow().getAsBoolean();
		}
		catch (RuntimeException ex) {
			logger.warn(
					"Cluster '{}' has an invalid configuration, which is ignored while no informer uses the cluster: {}",
					this.cluster.runtime().name(), text(ex));
		}
	}

	private void startAside() {
		Duration delay = FIRST_DELAY;
		while (isCurrent()) {
			try {
				this.cluster.client().run();
				if (isCurrent()) {
					this.cluster.runtime().informers().start();
				}
				break;
			}
			catch (RuntimeException ex) {
				if (!isCurrent()) {
					break;
				}
				logger.error("Cannot start the informers of cluster '{}'; retrying in {} s: {}",
						this.cluster.runtime().name(), delay.toSeconds(), text(ex));
			}
			if (!sleep(delay)) {
				break;
			}
			delay = delay.multipliedBy(2);
			delay = (delay.compareTo(LONGEST_DELAY) > 0) ? LONGEST_DELAY : delay;
		}
		end();
	}

	private static String text(RuntimeException ex) {
		// Messages of other exceptions may quote credentials.
		return (ex instanceof InformerConfigurationException known) ? known.getMessage() + ". " + known.getAction()
				: ex.getClass().getName();
	}

	private synchronized boolean sleep(Duration delay) {
		long until = System.nanoTime() + delay.toNanos();
		try {
			for (long left = delay.toNanos(); left > 0 && isCurrent(); left = until - System.nanoTime()) {
				wait(Math.max(1, left / 1_000_000));
			}
			return true;
		}
		catch (InterruptedException ex) {
			return false;
		}
	}

	private synchronized boolean isCurrent() {
		return this.thread == Thread.currentThread();
	}

	private void end() {
		boolean stopped;
		synchronized (this) {
			stopped = !isCurrent();
			if (!stopped) {
				this.thread = null;
			}
		}
		if (stopped && !isStarted()) {
			// A stop was requested while this thread started the informers.
			this.cluster.runtime().informers().stop();
		}
	}

	synchronized boolean isStarted() {
		return this.started;
	}

	/**
	 * Stops the informers. Does not wait for the end of a thread that is obtaining a
	 * client.
	 */
	void stop() {
		synchronized (this) {
			this.started = false;
			this.thread = null;
			notifyAll();
		}
		this.cluster.runtime().informers().stop();
	}

}
