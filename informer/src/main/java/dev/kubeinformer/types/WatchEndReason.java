package dev.kubeinformer.types;

/**
 * Why a watch ended or could not be opened, so that it has to be started again.
 */
public enum WatchEndReason {

	/** The API server ended it in good order, as it does every few minutes. */
	CLOSED,

	/** The version of the cache has expired at the API server (HTTP 410). */
	EXPIRED,

	/** The API server has too much to do (HTTP 429). */
	THROTTLED,

	/** The API server answered with another error. */
	REJECTED,

	/** It could not be opened: the API server did not answer. */
	UNREACHABLE,

	/** The connection broke. */
	BROKEN,

	/** No byte came for too long, or it did not end in time. */
	SILENT,

	/** It brought very much in a short time, and nothing of it was an event. */
	FLOODED,

	/** What the API server sent was not an event. */
	MALFORMED,

	/** Unexpected internal failure. */
	INTERNAL_ERROR

}
