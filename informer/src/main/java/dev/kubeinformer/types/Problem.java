package dev.kubeinformer.types;

/**
 * Problem with a request to the API server, as classified from an HTTP status, a
 * {@code Status} object or an exception. Every failure is classified once, where it is
 * received; all decisions depend on the problem alone.
 * <p>
 * A reason, cause or message about the version takes precedence over the HTTP status.
 */
public enum Problem {

	/**
	 * The version expired (HTTP 410, or the reasons {@code Expired} and {@code Gone});
	 * only a list can continue.
	 */
	EXPIRED,

	/** The version is ahead of the server, for example of a replica that lags behind. */
	TOO_LARGE,

	/**
	 * The server does not understand the version; an aggregated API may have changed its
	 * versions.
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

	/** An object of that name exists (HTTP 409, reason {@code AlreadyExists}). */
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
	 * The server failed, or a component that it calls, such as a conversion webhook (HTTP
	 * 500).
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

	/** No byte arrived for too long, or a watch did not end in time. */
	SILENT,

	/**
	 * A watch sent nothing but blank lines or bookmarks, and far more of them than an API
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
