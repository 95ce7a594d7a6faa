package dev.kubeinformer.internal.workqueue;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.types.ObjectKey;

/**
 * What takes the keys whose objects may need a run. All methods may be called by any
 * thread, also under the lock of a store: they are short, call no code of users, and take
 * no lock but that of the queue.
 */
public interface KeyFeed {

	/**
	 * Called when something changed that runs of a key depend on. If the key is queued
	 * already, it moves up to the lane, never down.
	 * @param key the key
	 * @param lane the lane
	 */
	void changed(ObjectKey key, QueueLane lane);

	/**
	 * Called when something changed that runs of a key depend on, and the change is
	 * known.
	 * @param key the key
	 * @param lane the lane
	 * @param cause the change
	 * @see #changed(ObjectKey, QueueLane)
	 */
	default void changed(ObjectKey key, QueueLane lane, KeyCause cause) {
		changed(key, lane);
	}

	/**
	 * Called when the object of a key is gone or is being deleted. The least interval
	 * between two runs of a key does not hold it.
	 * @param key the key
	 */
	void deleted(ObjectKey key);

	/**
	 * Called when it is time to look after a key again although nothing changed. Has an
	 * effect only if the queue knows nothing of the key.
	 * @param key the key
	 */
	void resync(ObjectKey key);

}
