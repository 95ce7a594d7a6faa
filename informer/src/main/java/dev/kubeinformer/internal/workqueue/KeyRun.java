package dev.kubeinformer.internal.workqueue;

import java.time.Duration;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.types.ObjectKey;

/** One run of a key, as its runner sees it. */
public interface KeyRun {

	/**
	 * Slows the key down: sets the minimum time between the start of this run and a run
	 * that a change causes.
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
	 * @return 1 plus the number of failed runs since the last success
	 */
	int attempt();

	/**
	 * Returns the lane, or priority, that the key had in the queue.
	 * @return the lane
	 */
	QueueLane lane();

	/**
	 * Returns the time for which the key was ready in the queue before it was taken.
	 * @return the time
	 */
	Duration queueTime();

	/**
	 * Returns whether the key was parked and the caches did not show its own writes in
	 * time.
	 * @return {@code true} if the wait timed out
	 */
	boolean ownWritesTimedOut();

	/**
	 * Returns the fence, which limits the time in which the run may send requests.
	 * @return the fence
	 */
	Fence fence();

	/**
	 * Returns whether this run has entered a slot: one of the groups of objects that move
	 * between replicas.
	 * @param slot the index of the slot
	 * @return {@code true} if this is the slot that the run entered last
	 */
	default boolean isIn(int slot) {
		return true;
	}

	/**
	 * Enters the slot to which the object of the key belongs. While the run is in the
	 * slot, the slot is not handed over to another replica. Called by the thread of the
	 * run.
	 * @param slot the index of the slot
	 * @return {@code true} if runs of the slot may begin
	 */
	default boolean enter(int slot) {
		return true;
	}

	/**
	 * Returns what observes the run and its writes, for example a trace span.
	 * @return the observer of the run
	 */
	default RunObservation observation() {
		return RunObservation.NONE;
	}

	/**
	 * Registers an action that cancels this run when it times out or the loop is stopped.
	 * The action runs before the thread of the run is interrupted. If the run was
	 * cancelled already, the action runs immediately. It never runs after the end of the
	 * run.
	 * @param cancel the action, which ends a wait that an interrupt does not end, such as
	 * the wait for a response; the action must not block
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
