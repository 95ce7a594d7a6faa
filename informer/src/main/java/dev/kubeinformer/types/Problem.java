package dev.kubeinformer.types;

/**
 * Problem with a request to the API server. An HTTP status shows it, a {@code Status}
 * object or an exception. Every failure is classified once, where it comes from the wire,
 * and all that follows depends on its problem alone.
 * <p>
 * Where an answer has both an HTTP status and a reason, cause or message about the
 * version, the version decides.
 */
public enum Problem {

	/**
	 * The version expired (HTTP 410, or the reasons {@code Expired} and {@code Gone}):
	 * only a list can go on.
	 */
	EXPIRED,

	/** The version is ahead of the server, as of a replica that lags behind. */
	TOO_LARGE,

	/**
	 * The server does not understand the version: an aggregated API may have changed its
	 * versions.
	 */
	INVALID_VERSION,

	/** The server does not understand the request (HTTP 400). */
	BAD_REQUEST,

	/** The server does not know who asks (HTTP 401). */
	UNAUTHORIZED,

	/** The server denies the request (HTTP 403): an RBAC rule is missing. */
	FORBIDDEN,

	/** The server does not know the resource or the object (HTTP 404). */
	NOT_FOUND,

	/**
	 * The server, or a proxy, does not do what is asked for in this way (HTTP 405, 406
	 * and 415).
	 */
	UNSUPPORTED,

	/** The object was changed by another client meanwhile (HTTP 409). */
	CONFLICT,

	/** There is an object of that name (HTTP 409, reason {@code AlreadyExists}). */
	ALREADY_EXISTS,

	/** The server understands the request and does not accept what it says (HTTP 422). */
	INVALID,

	/** The server has too much to do (HTTP 429). */
	THROTTLED,

	/**
	 * The server answered with any other error of the request (HTTP 4xx), or something in
	 * its place with a redirect (3xx), which is not followed.
	 */
	REJECTED,

	/**
	 * The server failed (HTTP 500), or something that it asks, such as a conversion
	 * webhook.
	 */
	SERVER_ERROR,

	/** The server has nothing that does what is asked for (HTTP 501). */
	NOT_IMPLEMENTED,

	/** The server, or a proxy, did not finish in time (HTTP 504). */
	TIMEOUT,

	/** The server, or what is behind a proxy, cannot answer now (HTTP 502, 503, 5xx). */
	UNAVAILABLE,

	/** No process listens at the address of the server. */
	REFUSED_CONNECTION,

	/** There was no answer, or the connection broke. */
	IO,

	/** No byte came for too long, or a watch did not end in time. */
	SILENT,

	/**
	 * A watch brought nothing but blank lines or bookmarks, far more of them than an API
	 * server sends.
	 */
	FLOODED,

	/** The answer, or an object of it, is not what it must be. */
	MALFORMED,

	/** The answer is no valid protobuf; the same request in JSON may work. */
	MALFORMED_PROTOBUF,

	/** Unexpected failure on this side, such as an {@code OutOfMemoryError}. */
	INTERNAL

}
