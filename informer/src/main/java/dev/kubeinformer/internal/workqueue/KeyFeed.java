package dev.kubeinformer.internal.workqueue;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.types.ObjectKey;

/**
 * Receives the keys whose objects may need a run. Any thread may call the methods, also
 * under the lock of a store. They are short, do not call user code, and acquire no lock
 * except the queue's.
 */
public interface KeyFeed {

	/**
	 * Called when an object has changed that the runs of a key depend on. If the key is
	 * queued already, its priority may rise to the given lane, but never falls.
	 * @param key the key
	 * @param lane the priority of the key in the queue
	 */
	void changed(ObjectKey key, QueueLane lane);

	/**
	 * Called when an object has changed that the runs of a key depend on, and the caller
	 * knows what changed.
	 * @param key the key
	 * @param lane the priority of the key in the queue
	 * @param cause the change
	 * @see #changed(ObjectKey, QueueLane)
	 */
	default void changed(ObjectKey key, QueueLane lane, KeyCause cause) {
		changed(key, lane);
	}

	/**
	 * Called when the object of a key was deleted or is being deleted. The minimum
	 * interval between two runs of a key does not delay this run.
	 * @param key the key
	 */
	void deleted(ObjectKey key);

	/**
	 * Called when a key should run again although nothing has changed. It has an effect
	 * only if the queue does not know the key.
	 * @param key the key
	 */
	void resync(ObjectKey key);

}
