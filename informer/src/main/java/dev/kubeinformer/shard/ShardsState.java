package dev.kubeinformer.shard;

/**
 * State of a membership.
 */
public enum ShardsState {

	/** The membership was not started, or has stopped. */
	STOPPED,

	/** This process waits for its caches before it joins the group. */
	SYNCING,

	/**
	 * This process has no valid Lease: it has not joined yet, or could not renew its
	 * Lease in time and joins again.
	 */
	JOINING,

	/** This process is a member of the group. */
	ACTIVE,

	/**
	 * This process takes no slots, because another member divides the objects in another
	 * way.
	 */
	REFUSED,

	/** This process hands its slots over because it stops. */
	LEAVING

}
