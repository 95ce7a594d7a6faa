package dev.kubeinformer.shard;

/**
 * Reason why a process has lost slots.
 */
public enum ShardLossReason {

	/** The slots moved to another member, after this process had handed them over. */
	MOVED,

	/** This process stops. */
	STOPPED,

	/**
	 * The Lease of this process could not be renewed in time. Its slots may have another
	 * holder soon.
	 */
	EXPIRED

}
