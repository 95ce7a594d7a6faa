package dev.kubeinformer.spring.test;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;

/**
 * Reconciler that is not through with what its informers have seen: a run of it may still
 * write.
 */
final class BusyReconciler {

	private BusyReconciler() {
	}

	/**
	 * Returns what a reconciler is busy with.
	 * @param id the id of the reconciler
	 * @param status its status
	 * @return a sentence for people; {@code null} if it is not busy
	 */
	static @Nullable String describe(String id, ReconcilerStatus status) {
		int active = status.runs().active();
		int ready = (status.state() == ReconcilerState.ACTIVE)
				? status.queue().ready().values().stream().mapToInt(Integer::intValue).sum() : 0;
		return (active + ready > 0) ? "reconciler '%s' has %d runs and %d keys waiting".formatted(id, active, ready)
				: null;
	}

}
