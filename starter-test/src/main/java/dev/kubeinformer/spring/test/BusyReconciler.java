package dev.kubeinformer.spring.test;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;

/**
 * Finds out whether a reconciler still has work: a run is active, or keys of objects wait
 * for a run.
 */
final class BusyReconciler {

	private BusyReconciler() {
	}

	/**
	 * Returns the pending work of a reconciler.
	 * @param id the id of the reconciler
	 * @param status its status
	 * @return a sentence for the message of the exception; {@code null} if the reconciler
	 * is idle
	 */
	static @Nullable String describe(String id, ReconcilerStatus status) {
		int active = status.runs().active();
		int ready = (status.state() == ReconcilerState.ACTIVE)
				? status.queue().ready().values().stream().mapToInt(Integer::intValue).sum() : 0;
		return (active + ready > 0) ? "reconciler '%s' has %d runs and %d keys waiting".formatted(id, active, ready)
				: null;
	}

}
