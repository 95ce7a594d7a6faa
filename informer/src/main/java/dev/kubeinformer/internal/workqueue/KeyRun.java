package dev.kubeinformer.internal.workqueue;

import java.time.Duration;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.types.ObjectKey;

/** One run of a key, as its runner sees it. */
public interface KeyRun {

	/**
	 * Sets the minimum time from the start of this run to that of the next one for a
	 * change.
	 * @param interval the time in nanoseconds; zero for no minimum
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
	 * @return 1 plus the number of failed runs before
	 */
	int attempt();

	/**
	 * Returns the lane that the key was taken from.
	 * @return the lane
	 */
	QueueLane lane();

	/**
	 * Returns the time for which the key was ready in that lane before it was taken.
	 * @return the time
	 */
	Duration queueTime();

	/**
	 * Returns whether the key was parked and its own writes were not seen in time.
	 * @return {@code true} if the wait timed out
	 */
	boolean ownWritesTimedOut();

	/**
	 * Returns the fence, which limits the time in which the run may send requests.
	 * @return the fence
	 */
	Fence fence();

	/**
	 * Returns whether this run has entered a slot.
	 * @param slot the index of the slot
	 * @return {@code true} if the slot was the last one that it entered
	 */
	default boolean isIn(int slot) {
		return true;
	}

	/**
	 * Enters the slot of the object of the key. While the run is in the slot, the slot is
	 * not handed over. Called by the thread of the run.
	 * @param slot the index of the slot
	 * @return {@code true} if runs of the slot may begin
	 */
	default boolean enter(int slot) {
		return true;
	}

	/**
	 * Returns the observation of the run and its writes.
	 * @return the observation
	 */
	default RunObservation observation() {
		return RunObservation.NONE;
	}

	/**
	 * Registers an action for the case that this run times out or the loop is stopped. It
	 * runs before the thread is interrupted: immediately if that has happened already,
	 * and never after the run has ended.
	 * @param cancel ends waits that an interrupt does not end, such as a request; it must
	 * not block
	 */
	void onCancel(Runnable cancel);

	/**
	 * Notes that a step of the run begins.
	 * @param step the step
	 */
	void begins(RunStep step);

	/**
	 * Returns the current step of the run.
	 * @return the step
	 */
	RunStep step();

	/**
	 * Returns whether this run was cancelled because it timed out.
	 * @return {@code true} if the run timed out
	 */
	boolean timedOut();

}
