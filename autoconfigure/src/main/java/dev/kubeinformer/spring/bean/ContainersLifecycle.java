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
 * Starter and stopper of containers with the application context: they start last and
 * stop first, so that what they use works as long as they do. Those that ran when the
 * context was stopped start again with it. Internal to the starter.
 */
public abstract class ContainersLifecycle implements SmartLifecycle {

	/** The phase of handlers and reconcilers. */
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
	 * Starts containers that came after the start, as far as they start by themselves.
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
	 * Stops side by side: each may take as long as its drain timeout.
	 * @param stops what stops each
	 * @return done when all are stopped
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
	 * A container.
	 */
	public interface Member {

		/**
		 * Returns the id.
		 * @return the id
		 */
		String id();

		/**
		 * Returns whether the container starts with the application.
		 * @return whether it does
		 */
		boolean isAutoStartup();

		/**
		 * Returns whether the container is started.
		 * @return whether it is
		 */
		boolean isRunning();

		/**
		 * Starts the container.
		 */
		void start();

		/**
		 * Stops the container and waits for it.
		 */
		void stop();

	}

}
