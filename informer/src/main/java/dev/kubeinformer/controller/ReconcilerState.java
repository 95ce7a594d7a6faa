package dev.kubeinformer.controller;

/**
 * State of a reconciler.
 */
public enum ReconcilerState {

	/** It was not started yet. */
	NEW,

	/** It waits to become leader; the caches of its sources are kept meanwhile. */
	STANDBY,

	/** It waits until the caches of all its sources are filled and up to date. */
	SYNCING,

	/** It runs. */
	ACTIVE,

	/** It was paused: keys are queued, and none is taken. */
	PAUSED,

	/** It was stopped. */
	STOPPED

}
