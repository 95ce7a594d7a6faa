package dev.kubeinformer.internal.workqueue;

/**
 * Writes that the caches do not show yet, and that a key waits for without a thread.
 */
public interface OwnWritesWait {

	/**
	 * Returns how many writes are awaited.
	 * @return the number
	 */
	int awaited();

	/**
	 * Starts to wait. Called once, outside of the queue's lock.
	 * @param arrived to be run once for each awaited write when it was seen or will never
	 * be: by any thread, also under the lock of a store, also before this method returns
	 */
	void register(Runnable arrived);

}
