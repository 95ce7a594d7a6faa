package dev.kubeinformer.controller;

/**
 * State of a reconciler.
 */
public enum ReconcilerState {

	/** The reconciler was not started yet. */
	NEW,

	/**
	 * The reconciler waits to become leader. The caches of its sources are kept current.
	 */
	STANDBY,

	/**
	 * The reconciler waits until the caches of all its sources are filled and current.
	 */
	SYNCING,

	/** The reconciler runs. */
	ACTIVE,

	/** The reconciler is paused: keys are queued but not taken. */
	PAUSED,

	/** The reconciler was stopped. */
	STOPPED

}
