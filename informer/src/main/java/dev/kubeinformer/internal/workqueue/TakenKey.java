package dev.kubeinformer.internal.workqueue;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.types.ObjectKey;

/**
 * Key that was taken from the queue to be run.
 *
 * @param entry the entry of the key
 * @param lane the lane of the queue that it was taken from
 * @param readySince the time at which it became ready
 * @param takenAt the time at which it was taken
 * @param previousStart the start of the previous run
 * @param attempt the number of the attempt, from 1
 * @param parked the wait for own writes that has ended; {@code null} if the key did not
 * wait for them
 */
public record TakenKey(KeyEntry entry, QueueLane lane, long readySince, long takenAt, long previousStart, int attempt,
		@Nullable ParkedKey parked) {

	/**
	 * Returns the key.
	 * @return the key
	 */
	public ObjectKey key() {
		return this.entry.key;
	}

}
