package dev.kubeinformer.internal.workqueue;

import java.time.Duration;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.types.ObjectKey;

/**
 * One run for a key, as its runner sees it.
 */
public interface KeyRun {

	/**
	 * Sets the least time from the start of this run to that of the next one that a
	 * change leads to.
	 * @param interval the time in nanoseconds; zero for none
	 */
	default void slowDown(long interval) {
	}

	/**
	 * Returns the key.
	 * @return the key
	 */
	ObjectKey key();

	/**
	 * Returns the number of the attempt.
	 * @return 1, and one more for each failed run before
	 */
	int attempt();

	/**
	 * Returns the lane that the key was taken from.
	 * @return the lane
	 */
	QueueLane lane();

	/**
	 * Returns how long the key was ready in that lane before it was taken.
	 * @return the time
	 */
	Duration queueTime();

	/**
	 * Returns whether the key was parked before and its own writes were not seen in time.
	 * @return whether they were not
	 */
	boolean ownWritesTimedOut();

	/**
	 * Returns what limits the time in which the run may send requests.
	 * @return the fence
	 */
	Fence fence();

	/**
	 * Returns the observation of the run and its writes.
	 * @return the observation
	 */
	default RunObservation observation() {
		return RunObservation.NONE;
	}

	/**
	 * Registers what is to be done when this run takes too long or the loop is stopped,
	 * before its thread is interrupted. It is done at once if that has happened already,
	 * and never after the run has ended.
	 * @param cancel ends what an interrupt does not, such as a request; it must not wait
	 */
	void onCancel(Runnable cancel);

	/**
	 * Notes which step of the run begins.
	 * @param step the step
	 */
	void begins(RunStep step);

	/**
	 * Returns the step that the run has come to.
	 * @return the step
	 */
	RunStep step();

	/**
	 * Returns whether this run was cancelled because it took too long.
	 * @return whether it was
	 */
	boolean timedOut();

}
