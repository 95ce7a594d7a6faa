package dev.kubeinformer.reflector;

import org.jspecify.annotations.Nullable;

/**
 * Why a watch ended or could not be opened.
 */
public enum WatchEndCause {

	/** The server ended it properly. */
	CLOSED,

	/** The server forgot the version (HTTP 410). */
	EXPIRED,

	/** The server is overloaded (HTTP 429). */
	THROTTLED,

	/** The server answered with another error. */
	REJECTED,

	/** It could not be opened. */
	UNREACHABLE,

	/** The connection broke. */
	BROKEN,

	/** No byte came for too long, or it did not end in time. */
	SILENT,

	/** What came was no event. */
	MALFORMED,

	/** Something failed that nobody thought of. */
	INTERNAL_ERROR;

	static WatchEndCause ofOpen(@Nullable Failure failure) {
		if (failure == null) {
			return CLOSED;
		}
		return switch (failure.kind()) {
			case STATUS -> rejection(failure);
			case IO, REFUSED -> BROKEN;
			case SILENCE -> SILENT;
			case MALFORMED, MALFORMED_PROTOBUF -> MALFORMED;
		};
	}

	static WatchEndCause ofUnopened(Failure failure) {
		return switch (failure.kind()) {
			case STATUS -> rejection(failure);
			case IO, REFUSED, SILENCE -> UNREACHABLE;
			case MALFORMED, MALFORMED_PROTOBUF -> MALFORMED;
		};
	}

	private static WatchEndCause rejection(Failure failure) {
		if (failure.isExpired()) {
			return EXPIRED;
		}
		return (failure.code() == 429) ? THROTTLED : REJECTED;
	}

}
