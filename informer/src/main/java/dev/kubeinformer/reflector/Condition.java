package dev.kubeinformer.reflector;

/**
 * What a reflector is doing.
 */
public enum Condition {

	/** The first list is not complete. */
	SYNCING,

	/** A watch is open. */
	LIVE,

	/** A list was stored, and there is no watch at the moment. */
	STALE,

	/** The API server denies the request. */
	FORBIDDEN,

	/** The API server does not know the resource. */
	NOT_FOUND

}
