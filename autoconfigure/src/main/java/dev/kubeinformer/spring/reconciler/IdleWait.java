package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerStatus;

/**
 * Wait until several reconcilers are idle at the same time. Each is waited for in turn,
 * until none of them ran while the others were waited for.
 */
final class IdleWait {

	private final Supplier<Collection<ReconcilerContainer>> containers;

	/**
	 * Creates the wait.
	 * @param containers gives the reconcilers
	 */
	IdleWait(Supplier<Collection<ReconcilerContainer>> containers) {
		this.containers = containers;
	}

	boolean await(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
		List<Long> before;
		List<Long> after = List.of();
		do {
			before = after;
			for (ReconcilerContainer container : started()) {
				Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
				if (!container.awaitIdle(left)) {
					return false;
				}
			}
			after = started().stream().map(IdleWait::runs).toList();
		}
		// One alone cannot be woken by another.
		while (after.size() > 1 && !after.equals(before));
		return true;
	}

	private static long runs(ReconcilerContainer container) {
		ReconcilerStatus.Runs runs = container.status().runs();
		// A run counts when it begins, so that it is not missed between two questions.
		return runs.total() + runs.active();
	}

	private List<ReconcilerContainer> started() {
		return this.containers.get().stream().filter(ReconcilerContainer::isRunning).toList();
	}

}
