package dev.kubeinformer.reflector;

/**
 * Why a full state is asked for.
 */
public enum ListCause {

	/** Nothing was listed before. */
	INITIAL,

	/** The server forgot the version (HTTP 410). */
	EXPIRED,

	/** The server did not understand the version. */
	INVALID_VERSION,

	/** There is no version that a watch could be resumed from. */
	UNRESUMABLE,

	/** The server has less than it had. */
	RESTORED,

	/** Several watches in a row were silent. */
	SILENCE,

	/** Error events came for too long. */
	ERROR_EVENTS,

	/** Several watches in a row broke at the same version. */
	BROKEN_FRAMES,

	/** It was time to compare. */
	VERIFICATION,

	/** Something failed that nobody thought of. */
	INTERNAL_ERROR

}
