package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.transport.Failure;
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
		return switch (failure.problem()) {
			case IO, REFUSED_CONNECTION, INTERNAL -> WatchEndReason.BROKEN;
			case SILENT -> WatchEndReason.SILENT;
			case MALFORMED, MALFORMED_PROTOBUF -> WatchEndReason.MALFORMED;
			default -> rejection(failure);
		};
	}

	static WatchEndReason ofUnopened(Failure failure) {
		return switch (failure.problem()) {
			case IO, REFUSED_CONNECTION, SILENT, INTERNAL -> WatchEndReason.UNREACHABLE;
			case MALFORMED, MALFORMED_PROTOBUF -> WatchEndReason.MALFORMED;
			default -> rejection(failure);
		};
	}

	private static WatchEndReason rejection(Failure failure) {
		return switch (failure.problem()) {
			case EXPIRED -> WatchEndReason.EXPIRED;
			case THROTTLED -> WatchEndReason.THROTTLED;
			default -> WatchEndReason.REJECTED;
		};
	}

}
