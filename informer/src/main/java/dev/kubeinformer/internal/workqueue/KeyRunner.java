package dev.kubeinformer.internal.workqueue;

import dev.kubeinformer.types.ObjectKey;

/**
 * What is done for a key when a worker takes it.
 */
@FunctionalInterface
public interface KeyRunner {

	/**
	 * Runs. It is called by one thread at a time for each key.
	 * @param run the run
	 * @return how it ended
	 * @throws Throwable if it failed; the same as {@link RunEnd#failed}
	 */
	RunEnd run(KeyRun run) throws Throwable;

	/**
	 * Returns whether a change is none for a key, whose last run was given its outcome.
	 * It is called by any thread, under locks of stores.
	 * @param key the key
	 * @param cause the change
	 * @return whether the key is not to be queued
	 */
	default boolean isEcho(ObjectKey key, KeyCause cause) {
		return false;
	}

	/**
	 * Notes a change that queues a key. It is called by any thread, under locks of
	 * stores.
	 * @param key the key
	 * @param cause the change
	 * @return whether the key must run at once although it is slowed down
	 */
	default boolean queued(ObjectKey key, KeyCause cause) {
		return false;
	}

}
