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
 * Classifies failures of reads and writes. Pure functions; only this package interprets
 * HTTP status codes.
 */
public final class ProblemClassifier {

	private static final String UNFIT_PATCH = "the server rejected our request due to an error in our request";

	private ProblemClassifier() {
	}

	/**
	 * Classifies the exception of a request that did not get a complete response.
	 * @param failure the exception
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
	 * Classifies an error in the server's response or at the end of a watch.
	 * @param status the status from the server
	 * @return the problem
	 */
	public static Problem of(ApiStatus status) {
		if (isExpired(status)) {
			return Problem.EXPIRED;
		}
		if (isTooLargeVersion(status)) {
			// If the server reports a bad request, it has not waited for the version, and
			// a retry would not help.
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
	 * Returns whether the requested version is newer than the server's own. Kubernetes
	 * reports this in three forms: with a reason in a cause, with a cause that has only a
	 * message, and only with a message in the status.
	 * @param status the status from the server
	 * @return {@code true} if the requested version is newer
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
	 * Returns whether a JSON patch does not match the stored object. If so,
	 * kube-apiserver sends no details of the object, no cause and no specific message
	 * ({@code applyJSPatch} in apiserver/pkg/endpoints/handlers/patch.go, with
	 * {@code NewGenericServerResponse}). This distinguishes the failure from a rejection
	 * by validation, a policy or a webhook, whose responses name the rejected object or
	 * field.
	 * @param status the status from the server
	 * @return {@code true} if the patch does not match
	 */
	static boolean isPatchThatDoesNotFit(ApiStatus status) {
		return status.code() == 422 && status.causes().isEmpty() && status.message().equals(UNFIT_PATCH);
	}

	/**
	 * Returns whether the message of a response may quote an object, as the message of a
	 * conversion webhook does.
	 * @param status the status from the server
	 * @return {@code true} if the message may quote an object
	 */
	static boolean mayQuoteObjects(ApiStatus status) {
		return status.code() == 500;
	}

}
