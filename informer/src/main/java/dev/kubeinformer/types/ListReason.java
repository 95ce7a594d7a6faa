package dev.kubeinformer.types;

/**
 * Reasons for a full list. Every reason except {@link #INITIAL} causes a relist.
 */
public enum ListReason {

	/** The informer was started or the namespace was added. */
	INITIAL,

	/** The API server no longer had the cache's version (HTTP 410). */
	EXPIRED,

	/** The API server did not understand the version of the cache. */
	INVALID_VERSION,

	/** The API server does not send versions from which a watch could resume. */
	UNRESUMABLE,

	/** The API server was restored from a backup and is behind the cache. */
	RESTORED,

	/** Several watches in a row sent nothing, not even a bookmark. */
	SILENCE,

	/** The API server ended watches with errors for too long. */
	ERROR_EVENTS,

	/** Several watches in a row broke at the same event. */
	BROKEN_FRAMES,

	/** The periodic comparison of the cache with the API server was due. */
	VERIFICATION,

	/**
	 * This process gained slots of objects that are divided over replicas. Only these
	 * slots are listed, unless this process held no slot before.
	 */
	SLOTS,

	/** Unexpected internal failure. */
	INTERNAL_ERROR

}
