package dev.kubeinformer.leader;

/**
 * State of an elector.
 */
public enum LeaderState {

	/** The elector was not started, or was stopped. */
	STOPPED,

	/** The elector waits for caches to sync before it stands for election. */
	SYNCING,

	/** This replica stands for election while another replica leads, or none does. */
	STANDBY,

	/** This replica leads. */
	LEADING,

	/** This replica leads and drains its work before it releases the Lease. */
	DRAINING

}
