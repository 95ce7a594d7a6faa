package dev.kubeinformer.spring.cluster;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Start of the informers of one cluster that has a name. What may take its time, such as
 * a credential plugin, is done by a thread of its own, so that no other cluster and no
 * start of the application waits for it; where it fails, it is tried again. Safe for use
 * by several threads.
 */
final class ClusterStart {

	private static final Logger logger = LoggerFactory.getLogger(ClusterStart.class);

	private static final Duration FIRST_DELAY = Duration.ofSeconds(1);

	private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

	private final NamedCluster cluster;

	/** The thread that starts; {@code null} if none is needed any more. */
	private @Nullable Thread thread;

	private boolean started;

	ClusterStart(NamedCluster cluster) {
		this.cluster = cluster;
	}

	NamedCluster cluster() {
		return this.cluster;
	}

	/**
	 * Starts the informers. Where they need no client, none is looked for.
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
	 * Names a cluster that nothing reads, and that could not be read: as long as nothing
	 * does, that is no reason to fail.
	 */
	private void reportNowhere() {
		try {
			this.cluster.slow().getAsBoolean();
		}
		catch (RuntimeException ex) {
			logger.warn("Nothing reads the cluster '{}' yet, and nothing could: {}", this.cluster.runtime().name(),
					text(ex));
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
				logger.error("The informers of cluster '{}' cannot be started; it is tried again in {} s: {}",
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
		// Others may quote credentials.
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
			// A stop came while they were started.
			this.cluster.runtime().informers().stop();
		}
	}

	synchronized boolean isStarted() {
		return this.started;
	}

	/**
	 * Stops the informers. A thread that waits for a client is not waited for.
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
