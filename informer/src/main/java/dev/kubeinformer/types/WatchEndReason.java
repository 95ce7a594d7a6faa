package dev.kubeinformer.types;

/**
 * Reasons why a watch ended or could not be opened. In any case the informer starts
 * another watch.
 */
public enum WatchEndReason {

	/** The API server ended the watch in an orderly way, as it does every few minutes. */
	CLOSED,

	/** The API server does not have the version of the cache any more (HTTP 410). */
	EXPIRED,

	/** The API server is overloaded (HTTP 429). */
	THROTTLED,

	/** The API server responded with another error. */
	REJECTED,

	/** The watch could not be opened because the API server did not respond. */
	UNREACHABLE,

	/** The connection broke. */
	BROKEN,

	/** The API server sent no byte for too long, or did not end the watch in time. */
	SILENT,

	/** The watch sent many bytes in a short time, but no event. */
	FLOODED,

	/** The API server sent something that is not an event. */
	MALFORMED,

	/** Unexpected internal failure. */
	INTERNAL_ERROR

}
