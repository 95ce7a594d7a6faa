package dev.kubeinformer.internal.control;

/**
 * What is notified when a cache of a reconciler holds its full state. It is called under
 * the lock of a store: it must neither block nor call user code.
 */
public interface SourceSync {

	/**
	 * Notes that the cache holds its full state, and that all of it was fed to the queue.
	 */
	void synced();

	/**
	 * Notes that the cache waits for a full state again.
	 */
	void reset();

}
