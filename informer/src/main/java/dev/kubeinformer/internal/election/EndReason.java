package dev.kubeinformer.internal.election;

/**
 * Why a term ends.
 */
public enum EndReason {

	/** Another process is to lead. */
	YIELDED,

	/** The Lease names another process as its preferred holder. */
	PREFERRED,

	/** The election of this process is stopped. */
	STOPPED,

	/** The term was not renewed in time. */
	EXPIRED,

	/** The Lease names another holder, or is gone. */
	TAKEN

}
