package dev.kubeinformer.leader;

/**
 * Reasons for the end of a leader's term.
 */
public enum RevocationReason {

	/** The leader yielded to another replica. */
	YIELDED,

	/** The Lease names another replica as its preferred holder. */
	PREFERRED,

	/** The elector was stopped. */
	STOPPED,

	/** The Lease was not renewed in time. */
	EXPIRED,

	/** The Lease names another holder or was deleted. */
	TAKEN

}
