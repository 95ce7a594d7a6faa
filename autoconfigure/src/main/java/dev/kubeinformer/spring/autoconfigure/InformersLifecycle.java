package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spi.ClientMisfit;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.autoconfigure.versions.HttpLibraries;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.DefaultClusterRuntimes;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.types.InformerState;

/**
 * Starts the informers before the web server and stops them after it, so that listers
 * serve every request.
 */
final class InformersLifecycle implements SmartLifecycle {

	static final int PHASE = DEFAULT_PHASE - 4096;

	private final Informers informers;

	private final DefaultClusterRuntimes clusters;

	private final InformersProperties properties;

	private final InjectedInformers injected;

	/** Informers whose sync a late injection has awaited without success. */
	private final Set<Informer<?>> givenUp = ConcurrentHashMap.newKeySet();

	InformersLifecycle(Informers informers, DefaultClusterRuntimes clusters, InformersProperties properties,
			InjectedInformers injected) {
		this.informers = informers;
		this.clusters = clusters;
		this.properties = properties;
		this.injected = injected;
	}

	@Override
	public void start() {
		this.givenUp.clear();
		checkClient();
		this.clusters.start();
		this.informers.start();
		if (this.properties.startup().waitForSync()) {
			awaitSync(awaited().flatMap((cluster) -> cluster.informers().all().stream()).toList());
			this.injected.onInjection(this::awaitLate);
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

	/**
	 * Waits for an informer that is injected after the start, into a bean that is created
	 * on demand. A callback of an informer does not wait, because others wait for the
	 * callback.
	 * @param informer the injected informer
	 */
	private void awaitLate(Informer<?> informer) {
		InformerStatus status = informer.status();
		boolean awaited = awaited().anyMatch((cluster) -> cluster.name().equals(informer.cluster()));
		if (awaited && !status.sync().everSynced() && status.state() != InformerState.STOPPED
				&& this.clusters.isStarted(informer) && !isInCallback()) {
			if (this.givenUp.contains(informer)) {
				// Fail only once, so that the creation of further beans is not delayed
				// again.
				throw new InformerSyncTimeoutException(this.properties.startup().timeout(), List.of(informer));
			}
			try {
				awaitSync(List.of(informer));
			}
			catch (InformerSyncTimeoutException ex) {
				this.givenUp.add(informer);
				throw ex;
			}
		}
	}

	private boolean isInCallback() {
		return this.clusters.all().stream().anyMatch((cluster) -> cluster.informers().hooks().isInCallback());
	}

	private void awaitSync(Collection<Informer<?>> awaited) {
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
		this.injected.onInjection((informer) -> {
			// Informers no longer start.
		});
		CompletableFuture<Void> others = CompletableFuture.runAsync(this.clusters::stop,
				new SimpleAsyncTaskExecutor("informers-stop-"));
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
