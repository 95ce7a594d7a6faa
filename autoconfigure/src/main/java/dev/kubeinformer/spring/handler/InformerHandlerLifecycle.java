package dev.kubeinformer.spring.handler;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Starter and stopper of all handlers with the application context: they start last and
 * stop first, so that what they use works as long as they do.
 */
final class InformerHandlerLifecycle implements SmartLifecycle {

	static final int PHASE = DEFAULT_PHASE - 100;

	private final InformerHandlerRegistry registry;

	private volatile boolean running;

	/**
	 * Handlers that ran when the context was stopped; {@code null} before the first stop.
	 */
	private volatile @Nullable Set<String> stopped;

	InformerHandlerLifecycle(InformerHandlerRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void start() {
		Set<String> before = this.stopped;
		for (InformerHandlerContainer container : this.registry.all()) {
			if ((before != null) ? before.contains(container.id()) : container.isAutoStartup()) {
				start(container);
			}
		}
		this.running = true;
	}

	private static void start(InformerHandlerContainer container) {
		if (container instanceof AttachedContainer attached) {
			// Informers may be meant to start later.
			attached.attach();
		}
		else {
			container.start();
		}
	}

	@Override
	public void stop() {
		stopAll().join();
	}

	@Override
	public void stop(Runnable callback) {
		stopAll().whenComplete((none, ex) -> callback.run());
	}

	private CompletableFuture<Void> stopAll() {
		Set<String> ids = new LinkedHashSet<>();
		// Side by side: each may take as long as its drain timeout.
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("informer-stop-");
		List<CompletableFuture<Void>> stops = new ArrayList<>();
		for (InformerHandlerContainer container : this.registry.all()) {
			if (container.isRunning()) {
				ids.add(container.id());
				stops.add(CompletableFuture.runAsync(container::stop, executor));
			}
		}
		this.stopped = ids;
		this.running = false;
		return CompletableFuture.allOf(stops.toArray(CompletableFuture<?>[]::new));
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
