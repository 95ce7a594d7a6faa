package dev.kubeinformer.controller;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Listener for the events of a reconciler, for example for metrics and error handlers.
 * The reconciler's workers call it outside of locks, possibly several at once. The
 * methods must be quick. An exception is logged and otherwise ignored.
 *
 * @see ReconcilerSpec#withListener(ReconcilerListener)
 */
public interface ReconcilerListener {

	/**
	 * Called when a run is triggered, by the triggering thread. The returned object is
	 * passed to {@link #running} with the next run of the key. If a key is triggered
	 * several times before it runs, the first object counts, because one run handles all
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
	 * when the run has ended, for whatever reason, and its failure has been logged. Not
	 * called for a key if its object is gone or nothing has to be done.
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
	 * Called when a key is ready again after it was parked: it had to wait until the
	 * caches showed its own writes. A key is only parked if its next run cannot receive
	 * these writes in another way.
	 * @param reconciler the reconciler
	 * @param key the key
	 * @param waited the time for which it was parked
	 * @param seen whether the writes were seen; {@code false} at the timeout
	 */
	default void ownWritesAwaited(ReconcilerContainer reconciler, ObjectKey key, Duration waited, boolean seen) {
	}

	/**
	 * Called once for a key whose runs are all caused by its own writes.
	 * @param reconciler the reconciler
	 * @param key the key
	 * @param resource the resource whose changes cause the runs, as {@code
	 * plural[.group]}
	 * @param path the path of the changing field; never a value
	 */
	default void loopDetected(ReconcilerContainer reconciler, ObjectKey key, String resource, String path) {
	}

	/**
	 * Called for each warning in the API server's responses to a run's requests, for
	 * example about a deprecated version or an unknown field. The thread of the run calls
	 * it.
	 * @param reconciler the reconciler
	 * @param resource the resource of the request, as {@code plural[.group]}
	 * @param warning the warning, escaped and of at most 256 characters. Admission
	 * webhooks choose the text. For a Secret, a fixed sentence replaces all warnings
	 * except the API server's own
	 */
	default void warningReceived(ReconcilerContainer reconciler, String resource, String warning) {
	}

	/**
	 * Called when the state changed.
	 * @param reconciler the reconciler
	 * @param state the new state
	 */
	default void stateChanged(ReconcilerContainer reconciler, ReconcilerState state) {
	}

}
