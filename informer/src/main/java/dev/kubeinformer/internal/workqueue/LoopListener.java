package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.List;

import dev.kubeinformer.types.ObjectKey;

/**
 * Listener for the events of a loop. Its workers call it outside of locks. An exception
 * of a listener is logged and otherwise ignored.
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
	 * Called when a run has ended, before the next run of its key. Not called if the key
	 * was parked instead.
	 * @param run the run
	 * @param end the end of the run. The tenth conflict since the last success, and each
	 * later one, is reported as a failure
	 * @param duration the duration of the run
	 */
	void ended(KeyRun run, RunEnd end, Duration duration);

	/**
	 * Called when a worker takes a key that was parked.
	 * @param key the key
	 * @param waited the time for which it was parked
	 * @param seen {@code true} if the caches show its own writes; {@code false} if the
	 * wait timed out
	 */
	void unparked(ObjectKey key, Duration waited, boolean seen);

	/**
	 * Called by the thread that stops or drains the loop, before it waits for runs to
	 * end.
	 * @param runs the number of runs
	 */
	default void awaited(int runs) {
	}

	/**
	 * Called by the thread that stops or drains the loop, after it has interrupted runs
	 * because the drain timeout was over.
	 * @param keys the keys of these runs
	 */
	default void interrupted(List<ObjectKey> keys) {
	}

}
