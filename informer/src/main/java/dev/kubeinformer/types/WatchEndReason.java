package dev.kubeinformer.types;

/**
 * Reasons for the end of a watch, or for a watch that could not be opened. The informer
 * starts another one.
 */
public enum WatchEndReason {

	/** The API server ended the watch in an orderly way, as it does every few minutes. */
	CLOSED,

	/** The API server no longer has the cache's version (HTTP 410). */
	EXPIRED,

	/** The API server is overloaded (HTTP 429). */
	THROTTLED,

	/** The API server responded with another error. */
	REJECTED,

	/** The watch could not be opened because the API server did not respond. */
	UNREACHABLE,

	/** The connection broke. */
	BROKEN,

	/** No byte arrived for too long, or the watch did not end in time. */
	SILENT,

	/** The watch sent many bytes in a short time, but no event. */
	FLOODED,

	/** The API server sent something that is not an event. */
	MALFORMED,

	/** Unexpected internal failure. */
	INTERNAL_ERROR

}
