package dev.kubeinformer.spring.bean;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import dev.kubeinformer.spi.CallbackAware;

/**
 * Starts and stops containers with the application context. A container runs one handler
 * or reconciler. Containers start last and stop first, so the beans that they use are
 * running. A container that ran when the context was stopped starts again with the
 * context. Internal to the starter.
 */
public abstract class ContainersLifecycle implements SmartLifecycle {

	/** Lifecycle phase of handlers and reconcilers. */
	public static final int PHASE = DEFAULT_PHASE - 100;

	private volatile boolean running;

	/**
	 * Ids of the containers that ran when the context was stopped; {@code null} before
	 * the first stop.
	 */
	private volatile @Nullable Set<String> stopped;

	/**
	 * Returns the containers.
	 * @return the containers in the order of their start
	 */
	protected abstract List<Member> members();

	@Override
	public void start() {
		Set<String> before = this.stopped;
		for (Member member : members()) {
			if ((before != null) ? before.contains(member.id()) : member.isAutoStartup()) {
				member.start();
			}
		}
		this.running = true;
	}

	/**
	 * Starts containers that were added after the start, if they start automatically.
	 * @param added the containers
	 */
	protected void start(List<Member> added) {
		added.stream().filter(Member::isAutoStartup).forEach(Member::start);
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
		List<Member> stopping = members().stream().filter(Member::isRunning).toList();
		this.stopped = stopping.stream().map(Member::id).collect(Collectors.toCollection(LinkedHashSet::new));
		this.running = false;
		return stopAll(stopping, Member::container, Member::stop);
	}

	/**
	 * Stops containers concurrently, because each container may need the full drain
	 * timeout. If a callback of a container requests the stop, this container is stopped
	 * on the calling thread, because another thread would wait for the end of that
	 * callback.
	 * @param <M> the type of the containers or of their wrappers
	 * @param stopping the containers or their wrappers
	 * @param container the function that returns the container of a wrapper
	 * @param stop the function that stops a container
	 * @return the future, which completes when all containers are stopped
	 */
	public static <M> CompletableFuture<Void> stopAll(Collection<? extends M> stopping, Function<M, Object> container,
			Consumer<M> stop) {
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("informer-stop-");
		List<M> own = new ArrayList<>();
		List<CompletableFuture<Void>> stops = new ArrayList<>();
		for (M member : stopping) {
			if (CallbackAware.isInCallback(container.apply(member))) {
				own.add(member);
			}
			else {
				stops.add(stop(member, stop, executor));
			}
		}
		own.forEach((member) -> stops.add(stop(member, stop, Runnable::run)));
		return CompletableFuture.allOf(stops.toArray(CompletableFuture<?>[]::new));
	}

	private static <M> CompletableFuture<Void> stop(M member, Consumer<M> stop, Executor executor) {
		return CompletableFuture.runAsync(() -> stop.accept(member), executor);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * Container with a lifecycle.
	 */
	public interface Member {

		/**
		 * Returns the id.
		 * @return the id
		 */
		String id();

		/**
		 * Returns the container.
		 * @return the container
		 */
		Object container();

		/**
		 * Returns whether the container starts with the application.
		 * @return {@code true} if the container starts automatically
		 */
		boolean isAutoStartup();

		/**
		 * Returns whether the container is started.
		 * @return {@code true} if the container is started
		 */
		boolean isRunning();

		/**
		 * Starts the container.
		 */
		void start();

		/**
		 * Stops the container and waits for its end.
		 */
		void stop();

	}

}
