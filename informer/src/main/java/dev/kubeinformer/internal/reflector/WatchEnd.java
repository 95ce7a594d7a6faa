package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.types.Problem;
import dev.kubeinformer.types.WatchEndReason;

/**
 * End of an open watch.
 *
 * @param failure the failure; {@code null} if the server closed the stream properly
 * @param lived the time for which the stream was open
 * @param events whether an event arrived on the watch
 * @param empty whether no byte arrived on the watch
 */
record WatchEnd(@Nullable Failure failure, Duration lived, boolean events, boolean empty) {

	WatchEnd(@Nullable Failure failure, Duration lived, boolean events) {
		this(failure, lived, events, !events);
	}

	/**
	 * Returns whether the watch was cut before a byte arrived. The server or a proxy may
	 * have cut it, or this client after a silence.
	 * @return {@code true} if the watch was cut and empty
	 */
	boolean isCutEmpty() {
		return this.empty && (this.failure == null || switch (this.failure.problem()) {
			case IO, REFUSED_CONNECTION, SILENT -> true;
			default -> false;
		});
	}

	WatchEndReason reason() {
		return (this.failure != null) ? reason(this.failure.problem()) : WatchEndReason.CLOSED;
	}

	/**
	 * Returns the reason to report for a watch that was not opened.
	 * @param problem the problem
	 * @return the reason
	 */
	static WatchEndReason unopened(Problem problem) {
		WatchEndReason reason = reason(problem);
		return (reason == WatchEndReason.BROKEN || reason == WatchEndReason.SILENT) ? WatchEndReason.UNREACHABLE
				: reason;
	}

	private static WatchEndReason reason(Problem problem) {
		return switch (problem) {
			case EXPIRED -> WatchEndReason.EXPIRED;
			case THROTTLED -> WatchEndReason.THROTTLED;
			case TOO_LARGE, INVALID_VERSION, BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, UNSUPPORTED, CONFLICT,
					ALREADY_EXISTS, INVALID, REJECTED, SERVER_ERROR, NOT_IMPLEMENTED, TIMEOUT, UNAVAILABLE ->
				WatchEndReason.REJECTED;
			case IO, REFUSED_CONNECTION -> WatchEndReason.BROKEN;
			case SILENT -> WatchEndReason.SILENT;
			case FLOODED -> WatchEndReason.FLOODED;
			case MALFORMED, MALFORMED_PROTOBUF -> WatchEndReason.MALFORMED;
			case INTERNAL -> WatchEndReason.INTERNAL_ERROR;
		};
	}

}
