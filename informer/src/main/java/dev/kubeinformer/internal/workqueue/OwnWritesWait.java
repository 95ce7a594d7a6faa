package dev.kubeinformer.internal.workqueue;

/**
 * Wait of a key until the caches show the writes of its earlier runs. It does not block a
 * thread.
 */
public interface OwnWritesWait {

	/**
	 * Returns the number of awaited writes.
	 * @return the number
	 */
	int awaited();

	/**
	 * Starts to wait. Called once, outside of the queue's lock.
	 * @param arrived the action to run once for each awaited write, when a cache shows
	 * the write or will never show it. Any thread may run it, also under the lock of a
	 * store, and before this method returns
	 */
	void register(Runnable arrived);

}
