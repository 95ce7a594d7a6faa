package dev.kubeinformer.internal.failure;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.util.Locale;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.types.Problem;

/**
 * Classifier of failures, for reads and writes. Pure functions; outside of this package
 * nobody reads a code of HTTP.
 */
public final class ProblemClassifier {

	private static final String UNFIT_PATCH = "the server rejected our request due to an error in our request";

	private ProblemClassifier() {
	}

	/**
	 * Classifies what came instead of a complete answer.
	 * @param failure what was thrown
	 * @return the problem
	 */
	public static Problem of(IOException failure) {
		if (failure instanceof ApiStatusException statusException) {
			return of(statusException.getStatus());
		}
		if (failure instanceof MalformedProtobufException) {
			return Problem.MALFORMED_PROTOBUF;
		}
		if (failure instanceof MalformedResponseException) {
			return Problem.MALFORMED;
		}
		if (failure instanceof FloodedWatchException) {
			return Problem.FLOODED;
		}
		if (failure instanceof ConnectException) {
			return Problem.REFUSED_CONNECTION;
		}
		return (failure instanceof InterruptedIOException) ? Problem.SILENT : Problem.IO;
	}

	/**
	 * Classifies an error that the server answered with, or ended a watch with.
	 * @param status what the server said
	 * @return the problem
	 */
	public static Problem of(ApiStatus status) {
		if (isExpired(status)) {
			return Problem.EXPIRED;
		}
		if (isTooLargeVersion(status)) {
			// A server that calls it a bad request will not wait until it has that
			// version.
			return isBadRequest(status) ? Problem.INVALID_VERSION : Problem.TOO_LARGE;
		}
		return isInvalidVersion(status) ? Problem.INVALID_VERSION : byCode(status);
	}

	private static Problem byCode(ApiStatus status) {
		return switch (status.code()) {
			case 400 -> Problem.BAD_REQUEST;
			case 401 -> Problem.UNAUTHORIZED;
			case 403 -> Problem.FORBIDDEN;
			case 404 -> Problem.NOT_FOUND;
			case 405, 406, 415 -> Problem.UNSUPPORTED;
			case 409 -> status.reason().equals("AlreadyExists") ? Problem.ALREADY_EXISTS : Problem.CONFLICT;
			case 422 -> Problem.INVALID;
			case 429 -> Problem.THROTTLED;
			case 500 -> Problem.SERVER_ERROR;
			case 501 -> Problem.NOT_IMPLEMENTED;
			case 504 -> Problem.TIMEOUT;
			default -> (status.code() >= 500) ? Problem.UNAVAILABLE : Problem.REJECTED;
		};
	}

	private static boolean isExpired(ApiStatus status) {
		return status.code() == 410 || status.reason().equals("Expired") || status.reason().equals("Gone");
	}

	/**
	 * Returns whether the version is ahead of the server, in the three dialects of
	 * Kubernetes: by cause, by a cause of which only the message is known, and by the
	 * message alone.
	 * @param status what the server said
	 * @return whether it is
	 */
	private static boolean isTooLargeVersion(ApiStatus status) {
		return status.causes().contains("ResourceVersionTooLarge")
				|| status.causes().contains("Too large resource version")
				|| status.message().contains("Too large resource version");
	}

	private static boolean isBadRequest(ApiStatus status) {
		return status.code() == 400 || status.code() == 422;
	}

	private static boolean isInvalidVersion(ApiStatus status) {
		if (!isBadRequest(status) && status.code() != 500) {
			return false;
		}
		String text = status.message().toLowerCase(Locale.ROOT).replace(" ", "");
		return text.contains("invalid") && text.contains("resourceversion");
	}

	/**
	 * Returns whether a JSON patch does not fit what is stored. kube-apiserver gives no
	 * object, cause or message of its own then ({@code applyJSPatch} in
	 * apiserver/pkg/endpoints/handlers/patch.go, with {@code NewGenericServerResponse}),
	 * while validation, policies and webhooks name what they refuse.
	 * @param status what the server said
	 * @return {@code true} if it does not fit
	 */
	static boolean isPatchThatDoesNotFit(ApiStatus status) {
		return status.code() == 422 && status.causes().isEmpty() && status.message().equals(UNFIT_PATCH);
	}

	/**
	 * Returns whether the message of an answer may quote an object, as that of a
	 * conversion webhook does.
	 * @param status what the server said
	 * @return whether it may
	 */
	static boolean mayQuoteObjects(ApiStatus status) {
		return status.code() == 500;
	}

}
