package dev.kubeinformer.types;

/**
 * Problem with a request to the API server, as classified from an HTTP status, a
 * {@code Status} object or an exception. Every failure is classified once, where it is
 * received. After that, all decisions depend only on the problem.
 * <p>
 * If a {@code Status} has a reason, cause or message about the resource version, that
 * takes precedence over the HTTP status.
 */
public enum Problem {

	/**
	 * The server does not have the requested version any more (HTTP 410, or the reasons
	 * {@code Expired} and {@code Gone}), so the informer must list again.
	 */
	EXPIRED,

	/**
	 * The requested version is newer than the server's own, for example because this
	 * replica of the server lags behind.
	 */
	TOO_LARGE,

	/**
	 * The server does not understand the requested version, for example because an
	 * aggregated API has changed the format of its versions.
	 */
	INVALID_VERSION,

	/** The server does not understand the request (HTTP 400). */
	BAD_REQUEST,

	/** The server does not accept the credentials (HTTP 401). */
	UNAUTHORIZED,

	/** The server denies the request (HTTP 403): an RBAC rule is missing. */
	FORBIDDEN,

	/**
	 * The server does not serve the resource, or the object does not exist (HTTP 404).
	 */
	NOT_FOUND,

	/**
	 * The server, or a proxy, does not support this form of the request (HTTP 405, 406
	 * and 415).
	 */
	UNSUPPORTED,

	/** Another client has changed the object in the meantime (HTTP 409). */
	CONFLICT,

	/**
	 * An object with the name to create exists already (HTTP 409, reason
	 * {@code AlreadyExists}).
	 */
	ALREADY_EXISTS,

	/** The server understands the request and rejects its content (HTTP 422). */
	INVALID,

	/** The server is overloaded (HTTP 429). */
	THROTTLED,

	/**
	 * The server responded with another client error (HTTP 4xx), or a redirect (3xx),
	 * which is not followed.
	 */
	REJECTED,

	/**
	 * The server has failed, or a component that it calls has failed, such as a
	 * conversion webhook (HTTP 500).
	 */
	SERVER_ERROR,

	/** The server does not implement the request (HTTP 501). */
	NOT_IMPLEMENTED,

	/** The server, or a proxy, did not finish in time (HTTP 504). */
	TIMEOUT,

	/**
	 * The server, or the backend of a proxy, is unavailable (HTTP 502, 503 and other
	 * 5xx).
	 */
	UNAVAILABLE,

	/** No process listens at the server's address. */
	REFUSED_CONNECTION,

	/** The server did not respond, or the connection broke. */
	IO,

	/** The server sent no byte for too long, or did not end a watch in time. */
	SILENT,

	/**
	 * A watch received only blank lines or bookmarks, and far more of them than an API
	 * server sends.
	 */
	FLOODED,

	/** The response, or an object in it, is malformed. */
	MALFORMED,

	/** The response is not valid protobuf; the same request may work in JSON. */
	MALFORMED_PROTOBUF,

	/** Unexpected failure in this process, such as an {@code OutOfMemoryError}. */
	INTERNAL

}
