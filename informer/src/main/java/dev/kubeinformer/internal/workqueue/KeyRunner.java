package dev.kubeinformer.internal.workqueue;

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

}
