package dev.kubeinformer.controller;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Listener that is notified of what a reconciler does: for metrics, error handlers and
 * the like. Its methods are called by the reconciler's workers, outside of locks, and may
 * be called by several threads at once. They must be quick. An exception is logged, and
 * does no other harm.
 *
 * @see ReconcilerSpec#withListener(ReconcilerListener)
 */
public interface ReconcilerListener {

	/**
	 * Called when somebody triggers a run, by that thread. The returned object is given
	 * to {@link #running} with the next run of the key. If a key is triggered several
	 * times before it runs, the first object counts, because one run answers all
	 * triggers.
	 * @param reconciler the reconciler
	 * @param key the key
	 * @return the origin of the run, such as a trace context; {@code null} for none
	 * @see ReconcilerContainer#trigger(ObjectKey)
	 */
	default @Nullable Object triggering(ReconcilerContainer reconciler, ObjectKey key) {
		return null;
	}

	/**
	 * Called when a run begins, before its first request. The returned scope is closed
	 * when the run has ended and its failure has been logged, whatever ended it. Not
	 * called for keys whose objects are gone or need nothing.
	 * @param reconciler the reconciler
	 * @param run the run
	 * @return the scope; {@code null} for none
	 */
	default @Nullable RunScope running(ReconcilerContainer reconciler, RunScope.Start run) {
		return null;
	}

	/**
	 * Called when a run has ended.
	 * @param reconciler the reconciler
	 * @param run the run
	 */
	default void ran(ReconcilerContainer reconciler, ReconcileRun run) {
	}

	/**
	 * Called when a key was parked until the caches showed its own writes, as runs could
	 * not be given them before, and is ready again.
	 * @param reconciler the reconciler
	 * @param key the key
	 * @param waited how long it was parked
	 * @param seen whether the writes were seen; {@code false} at the timeout
	 */
	default void ownWritesAwaited(ReconcilerContainer reconciler, ObjectKey key, Duration waited, boolean seen) {
	}

	/**
	 * Called once for a key whose runs are all caused by its own writes.
	 * @param reconciler the reconciler
	 * @param key the key
	 * @param resource the resource whose changes cause the runs, as
	 * {@code plural[.group]}
	 * @param path the path of the field that changes; never a value
	 */
	default void loopDetected(ReconcilerContainer reconciler, ObjectKey key, String resource, String path) {
	}

	/**
	 * Called when the API server answered a request of a run with a warning, such as
	 * about a version that is deprecated or a field that it does not know. It is called
	 * for each of them, by the thread of the run.
	 * @param reconciler the reconciler
	 * @param resource the resource of the request, as {@code plural[.group]}
	 * @param warning the warning, escaped and of at most 256 characters. An admission
	 * webhook may write anything into it; about a Secret a fixed sentence replaces what
	 * is not the API server's own
	 */
	default void warningReceived(ReconcilerContainer reconciler, String resource, String warning) {
	}

	/**
	 * Called when the state changed.
	 * @param reconciler the reconciler
	 * @param state the state now
	 */
	default void stateChanged(ReconcilerContainer reconciler, ReconcilerState state) {
	}

}
