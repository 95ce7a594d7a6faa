package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.List;

import dev.kubeinformer.types.ObjectKey;

/**
 * Listener that is notified of what a loop does, by its workers and outside of locks. An
 * exception is logged, and does no other harm.
 */
public interface LoopListener {

	/**
	 * Called when a worker has taken a key, before anything else is done for it.
	 * @param run the run
	 * @return the observation of the run, which the worker closes at the end
	 */
	default RunObservation taken(KeyRun run) {
		return RunObservation.NONE;
	}

	/**
	 * Called when a run has ended, before the next run of its key. Not called where a key
	 * was parked.
	 * @param run the run
	 * @param end how it ended: the tenth conflict since the last success, and each after
	 * it, is a failure here
	 * @param duration how long it took
	 */
	void ended(KeyRun run, RunEnd end, Duration duration);

	/**
	 * Called when a key that was parked is taken again.
	 * @param key the key
	 * @param waited how long it was parked
	 * @param seen whether its own writes were seen; {@code false} at the timeout
	 */
	void unparked(ObjectKey key, Duration waited, boolean seen);

	/**
	 * Called by who stops or drains the loop, before it waits for runs to end.
	 * @param runs how many
	 */
	default void awaited(int runs) {
	}

	/**
	 * Called by who stops or drains the loop, when runs were interrupted because the time
	 * for them to end was over.
	 * @param keys their keys
	 */
	default void interrupted(List<ObjectKey> keys) {
	}

}
