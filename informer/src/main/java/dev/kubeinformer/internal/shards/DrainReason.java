package dev.kubeinformer.internal.shards;

/**
 * Reasons for the drain of slots.
 */
public enum DrainReason {

	/** Another member should have the slots. */
	MOVED,

	/** This member leaves the group. */
	LEAVING

}
