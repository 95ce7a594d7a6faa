package dev.kubeinformer.internal.workqueue;

/** Writes that the caches do not show yet. A key waits for them without a thread. */
public interface OwnWritesWait {

	/**
	 * Returns the number of awaited writes.
	 * @return the number
	 */
	int awaited();

	/**
	 * Starts to wait. Called once, outside of the queue's lock.
	 * @param arrived runs once for each awaited write when it was seen or will never be
	 * seen: by any thread, also under the lock of a store, and possibly before this
	 * method returns
	 */
	void register(Runnable arrived);

}
