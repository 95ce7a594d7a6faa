package dev.kubeinformer.internal.workqueue;

/** Step of a run, named in reports when the run ends. */
public enum RunStep {

	/** The finalizer is added, before the first run. */
	FINALIZER,

	/** The object is reconciled. */
	RECONCILE,

	/** The cleanup of an object that is being deleted. */
	CLEANUP,

	/** The cleanup has succeeded, and the finalizer is removed. */
	REMOVAL;

	/**
	 * Returns whether the object is being deleted.
	 * @return {@code true} for the cleanup and the removal of the finalizer
	 */
	public boolean isCleanup() {
		return this == CLEANUP || this == REMOVAL;
	}

}
