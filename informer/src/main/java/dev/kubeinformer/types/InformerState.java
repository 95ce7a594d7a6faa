package dev.kubeinformer.types;

/**
 * What an informer is doing, in one word. The status of the informer says since when, and
 * why.
 */
public enum InformerState {

	/**
	 * Created and not started.
	 */
	NEW,

	/**
	 * Started; the first full state is not here yet.
	 */
	SYNCING,

	/**
	 * The cache holds a full state and a watch keeps it current.
	 */
	LIVE,

	/**
	 * The cache holds a full state, but there is no watch at the moment: what it shows
	 * may be old.
	 */
	STALE,

	/**
	 * The API server denies the request (HTTP 403): an RBAC rule is missing.
	 */
	FORBIDDEN,

	/**
	 * The API server does not know the resource (HTTP 404), such as a custom resource
	 * whose definition does not exist yet.
	 */
	NOT_FOUND,

	/**
	 * Stopped; it can be started again.
	 */
	STOPPED

}
