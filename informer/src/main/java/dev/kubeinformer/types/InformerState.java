package dev.kubeinformer.types;

/**
 * State of an informer. The status of the informer also has the start of the state and
 * its reason.
 */
public enum InformerState {

	/**
	 * Created but not started.
	 */
	NEW,

	/**
	 * Started; the first full state has not arrived.
	 */
	SYNCING,

	/**
	 * The cache holds a full state and a watch keeps it current.
	 */
	LIVE,

	/**
	 * The cache holds a full state, but no watch is open, so the cache may be outdated.
	 */
	STALE,

	/**
	 * The API server denies the request (HTTP 403): an RBAC rule is missing.
	 */
	FORBIDDEN,

	/**
	 * The API server does not serve the resource (HTTP 404), for example because the
	 * definition of a custom resource does not exist yet.
	 */
	NOT_FOUND,

	/**
	 * Stopped; the informer can be started again.
	 */
	STOPPED

}
