package dev.kubeinformer.internal.shards;

/**
 * Reasons why a member ends its work on slots and releases them.
 */
public enum DrainReason {

	/** The slots should move to another member. */
	MOVED,

	/** This member leaves the group. */
	LEAVING

}
