package dev.kubeinformer.internal.workqueue;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.types.ObjectKey;

/**
 * Key that was taken from the queue to be run.
 *
 * @param entry the entry of the key
 * @param lane the lane that it was taken from
 * @param readySince when it became ready
 * @param takenAt when it was taken
 * @param previousStart when the run before started
 * @param attempt the number of the attempt, from 1
 * @param parked the parking that it comes from; {@code null} if it was not parked
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
