package dev.kubeinformer.internal.workqueue;

import dev.kubeinformer.types.ObjectKey;

/** Runs the reconciler for a key that a worker has taken from the queue. */
@FunctionalInterface
public interface KeyRunner {

	/**
	 * Runs the reconciler for a key. For each key, only one thread at a time calls this
	 * method.
	 * @param run the run
	 * @return the end of the run
	 * @throws Throwable if the run failed; the exception has the same effect as a
	 * returned {@link RunEnd#failed}
	 */
	RunEnd run(KeyRun run) throws Throwable;

	/**
	 * Returns whether the last run of the same key has made a change itself. Any thread
	 * may call it, under locks of stores.
	 * @param key the key
	 * @param cause the change
	 * @return {@code true} if the key should not be queued
	 */
	default boolean isEcho(ObjectKey key, KeyCause cause) {
		return false;
	}

	/**
	 * Notes a change that queues a key. Any thread may call it, under locks of stores.
	 * @param key the key
	 * @param cause the change
	 * @return {@code true} if the key must run at once although it is slowed down
	 */
	default boolean queued(ObjectKey key, KeyCause cause) {
		return false;
	}

}
