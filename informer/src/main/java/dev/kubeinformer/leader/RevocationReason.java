package dev.kubeinformer.leader;

/**
 * Why a term of a leader is over.
 */
public enum RevocationReason {

	/** The leader let another replica lead. */
	YIELDED,

	/** The Lease names another replica as its preferred holder. */
	PREFERRED,

	/** The elector was stopped. */
	STOPPED,

	/** The Lease was not renewed in time. */
	EXPIRED,

	/** The Lease names another holder, or is gone. */
	TAKEN

}
