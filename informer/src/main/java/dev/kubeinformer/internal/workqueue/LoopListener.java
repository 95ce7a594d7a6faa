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
	 * @return the observer of the run, for example a trace span; the worker closes it at
	 * the end
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
	 * @param waited the time for which the key was parked
	 * @param seen {@code true} if the caches show its own writes; {@code false} if the
	 * wait timed out
	 */
	void unparked(ObjectKey key, Duration waited, boolean seen);

	/**
	 * Called before the loop waits for runs to end, by the thread that stops or drains
	 * the loop.
	 * @param runs the number of runs
	 */
	default void awaited(int runs) {
	}

	/**
	 * Called after runs were interrupted because the drain timeout was over, by the
	 * thread that stops or drains the loop.
	 * @param keys the keys of these runs
	 */
	default void interrupted(List<ObjectKey> keys) {
	}

}
