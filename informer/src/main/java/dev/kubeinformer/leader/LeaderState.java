package dev.kubeinformer.leader;

/**
 * State of an elector.
 */
public enum LeaderState {

	/** It was not started, or was stopped. */
	STOPPED,

	/** It waits for caches to be filled before it stands for election. */
	SYNCING,

	/** Another replica leads, or none does; this one stands for election. */
	STANDBY,

	/** This replica leads. */
	LEADING,

	/** This replica leads, and its work ends before the Lease is released. */
	DRAINING

}
