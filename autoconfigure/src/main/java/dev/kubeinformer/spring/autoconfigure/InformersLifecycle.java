package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spi.ClientMisfit;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.autoconfigure.versions.HttpLibraries;
import dev.kubeinformer.spring.bean.StartWait;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.DefaultClusterRuntimes;
import dev.kubeinformer.spring.inject.EarlyReads;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Starts the informers before the web server and stops them after it, so that listers
 * serve every request.
 */
final class InformersLifecycle implements SmartLifecycle {

	static final int PHASE = DEFAULT_PHASE - 4096;

	private final Informers informers;

	private final DefaultClusterRuntimes clusters;

	private final InformersProperties properties;

	private final EarlyReads reads;

	/**
	 * Thread that is starting the informers. A start may call listeners, and a listener
	 * may close the context.
	 */
	private volatile @Nullable Thread starting;

	/**
	 * Whether a listener stopped the informers during their start, on the same thread.
	 */
	private volatile boolean stoppedByStart;

	InformersLifecycle(Informers informers, DefaultClusterRuntimes clusters, InformersProperties properties,
			EarlyReads reads) {
		this.informers = informers;
		this.clusters = clusters;
		this.properties = properties;
		this.reads = reads;
	}

	@Override
	public void start() {
		checkClient();
		this.reads.informersStart();
		this.stoppedByStart = false;
		this.starting = Thread.currentThread();
		try {
			this.clusters.start();
			if (!this.stoppedByStart) {
				this.informers.start();
			}
		}
		finally {
			this.starting = null;
		}
		if (this.properties.startup().waitForSync() && !this.stoppedByStart) {
			awaitSync(awaited().flatMap((cluster) -> cluster.informers().all().stream()).toList());
		}
	}

	private void checkClient() {
		boolean used = this.clusters.all().stream().anyMatch((cluster) -> !cluster.informers().all().isEmpty());
		ClientMisfit misfit = used ? this.informers.hooks().clientMisfit() : null;
		if (misfit != null) {
			throw new InformerConfigurationException("Informers cannot connect: " + misfit.message(),
					misfit.advice() + ".\n\n" + HttpLibraries.advice(), null);
		}
	}

	private Stream<ClusterRuntime> awaited() {
		return this.clusters.all().stream().filter(ClusterRuntime::readiness);
	}

	private boolean isInCallback() {
		return this.clusters.all().stream().anyMatch((cluster) -> cluster.informers().hooks().isInCallback());
	}

	private void awaitSync(Collection<Informer<?>> awaited) {
		if (!awaited.isEmpty()) {
			StartWait.run("the informers %s to sync".formatted(awaited.stream().map(Informer::id).toList()),
					() -> awaitAll(awaited));
		}
	}

	private void awaitAll(Collection<Informer<?>> awaited) {
		Duration timeout = this.properties.startup().timeout();
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
		List<Informer<?>> missing = new ArrayList<>();
		try {
			for (Informer<?> informer : awaited) {
				Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
				if (!informer.awaitSync(left)) {
					missing.add(informer);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for informers to sync", ex);
		}
		if (!missing.isEmpty()) {
			throw new InformerSyncTimeoutException(timeout, missing);
		}
	}

	@Override
	public void stop() {
		// If a callback closes the context, stop everything on its thread: a stop on
		// another thread would wait for the callback to return.
		boolean starts = this.starting == Thread.currentThread();
		boolean own = isInCallback() || starts;
		if (starts) {
			this.stoppedByStart = true;
		}
		Executor executor = (own || !this.clusters.isRunning()) ? Runnable::run
				: new SimpleAsyncTaskExecutor("informers-stop-");
		CompletableFuture<Void> others = CompletableFuture.runAsync(this.clusters::stop, executor);
		this.informers.stop();
		others.join();
	}

	@Override
	public boolean isRunning() {
		// Some informers may have been stopped individually; the others must still be
		// stopped.
		return this.informers.isRunning() || this.clusters.isRunning();
	}

	@Override
	public boolean isAutoStartup() {
		return this.properties.autoStartup();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
