package dev.kubeinformer.types;

/**
 * Why a full list was asked for. All but the first of a start are relists.
 */
public enum ListReason {

	/** The informer was started, or the namespace added. */
	INITIAL,

	/** The version of the cache had expired at the API server (HTTP 410). */
	EXPIRED,

	/** The API server did not understand the version of the cache. */
	INVALID_VERSION,

	/** The API server gives no versions that a watch could be resumed from. */
	UNRESUMABLE,

	/** The API server was restored from a backup, and has less than it had. */
	RESTORED,

	/** Several watches in a row brought nothing, not even a bookmark. */
	SILENCE,

	/** The API server ended watches by errors for too long. */
	ERROR_EVENTS,

	/** Several watches in a row broke at the same event. */
	BROKEN_FRAMES,

	/** It was time to compare the cache with the API server. */
	VERIFICATION,

	/** Unexpected internal failure. */
	INTERNAL_ERROR

}
