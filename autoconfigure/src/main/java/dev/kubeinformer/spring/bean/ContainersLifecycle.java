package dev.kubeinformer.spring.bean;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Starts and stops containers with the application context. They start last and stop
 * first, so that the beans that they use are running. Containers that ran when the
 * context was stopped start again with it. Internal to the starter.
 */
public abstract class ContainersLifecycle implements SmartLifecycle {

	/** Lifecycle phase of handlers and reconcilers. */
	public static final int PHASE = DEFAULT_PHASE - 100;

	private volatile boolean running;

	/**
	 * Containers that ran when the context was stopped; {@code null} before the first
	 * stop.
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
		Set<String> ids = new LinkedHashSet<>();
		List<Runnable> stops = new ArrayList<>();
		for (Member member : members()) {
			if (member.isRunning()) {
				ids.add(member.id());
				stops.add(member::stop);
			}
		}
		this.stopped = ids;
		this.running = false;
		return stopAll(stops);
	}

	/**
	 * Stops containers concurrently, because each may need its drain timeout.
	 * @param stops the stop of each container
	 * @return the future, completed when all are stopped
	 */
	public static CompletableFuture<Void> stopAll(List<? extends Runnable> stops) {
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("informer-stop-");
		return CompletableFuture.allOf(stops.stream()
			.map((stop) -> CompletableFuture.runAsync(stop, executor))
			.toArray(CompletableFuture<?>[]::new));
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
