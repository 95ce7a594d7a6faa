package dev.kubeinformer.internal.election;

/**
 * Reasons for the end of a term.
 */
public enum EndReason {

	/** This process was asked to let another process lead. */
	YIELDED,

	/** The Lease names another process as its preferred holder. */
	PREFERRED,

	/** The election of this process is stopped. */
	STOPPED,

	/** The term was not renewed in time. */
	EXPIRED,

	/** The Lease names another holder or was deleted. */
	TAKEN

}
