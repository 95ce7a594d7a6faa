package dev.kubeinformer.internal.shards;

/**
 * Reasons for the loss of slots and for the end of a term.
 */
public enum LossReason {

	/** The slots were drained, because another member should have them. */
	MOVED,

	/** The slots were drained, because this member leaves the group. */
	LEFT,

	/** The term was not renewed in time. */
	EXPIRED,

	/** The Lease was deleted, or changed by somebody else. */
	TAKEN,

	/** The time for the drain is over. */
	GIVEN_UP

}
