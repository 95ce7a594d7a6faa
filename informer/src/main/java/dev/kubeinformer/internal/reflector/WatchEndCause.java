package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.WatchEndReason;

/**
 * Classifies why a watch ended or could not be opened.
 */
final class WatchEndCause {

	private WatchEndCause() {
	}

	static WatchEndReason ofOpen(@Nullable Failure failure) {
		if (failure == null) {
			return WatchEndReason.CLOSED;
		}
		return switch (failure.kind()) {
			case STATUS -> rejection(failure);
			case IO, REFUSED -> WatchEndReason.BROKEN;
			case SILENCE -> WatchEndReason.SILENT;
			case MALFORMED, MALFORMED_PROTOBUF -> WatchEndReason.MALFORMED;
		};
	}

	static WatchEndReason ofUnopened(Failure failure) {
		return switch (failure.kind()) {
			case STATUS -> rejection(failure);
			case IO, REFUSED, SILENCE -> WatchEndReason.UNREACHABLE;
			case MALFORMED, MALFORMED_PROTOBUF -> WatchEndReason.MALFORMED;
		};
	}

	private static WatchEndReason rejection(Failure failure) {
		if (failure.isExpired()) {
			return WatchEndReason.EXPIRED;
		}
		return (failure.code() == 429) ? WatchEndReason.THROTTLED : WatchEndReason.REJECTED;
	}

}
