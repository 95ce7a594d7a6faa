package dev.kubeinformer.internal.failure;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.Problem;

/**
 * Classified failure of a request.
 *
 * @param problem the classification
 * @param status the status from the server; {@code null} if it did not respond with an
 * error
 * @param reason the server's reason or the simple name of the exception
 * @param message a sentence without contents of objects
 * @param advice the recommended action; {@code null} if none is known
 */
public record Failure(Problem problem, @Nullable ApiStatus status, String reason, String message,
		@Nullable String advice) {

	/**
	 * Maximum length of a message. The message of a forbidden request names the user, the
	 * permission, and the webhooks that denied the request.
	 */
	private static final int LONGEST_MESSAGE = 1_000;

	/**
	 * Creates a failure without advice.
	 * @param problem the classification
	 * @param status the status from the server; {@code null} if it did not respond with
	 * an error
	 * @param reason the server's reason or the simple name of the exception
	 * @param message a sentence without contents of objects
	 */
	public Failure(Problem problem, @Nullable ApiStatus status, String reason, String message) {
		this(problem, status, reason, message, null);
	}

	/**
	 * Returns the failure of a request that did not get a complete response.
	 * @param cause the exception
	 * @return the failure
	 */
	public static Failure of(IOException cause) {
		if (cause instanceof ApiStatusException statusException) {
			Failure failure = of(statusException.getStatus());
			String advice = statusException.getAdvice();
			return (advice != null) ? new Failure(failure.problem(), failure.status(), failure.reason(),
					failure.message(), PrintableText.of(advice, LONGEST_MESSAGE)) : failure;
		}
		if (cause instanceof UnansweredException unanswered) {
			return of(unanswered.getFailure());
		}
		Problem problem = ProblemClassifier.of(cause);
		if (cause instanceof MalformedResponseException) {
			return new Failure(problem, null, MalformedResponseException.class.getSimpleName(),
					printable(String.valueOf(cause.getMessage())));
		}
		TlsProblem tls = TlsProblem.of(cause);
		String name = cause.getClass().getSimpleName();
		return (tls != null) ? new Failure(problem, null, tls.reason(), printable(tls.message()))
				: new Failure(problem, null, name, message(cause, name));
	}

	/**
	 * Returns the failure for an error of the server.
	 * @param status the status from the server
	 * @return the failure
	 */
	public static Failure of(ApiStatus status) {
		String message = status.message().isEmpty() ? "no further message" : printable(status.message());
		if (ProblemClassifier.mayQuoteObjects(status)) {
			message = "an internal error, whose message may quote an object and is logged at debug level only";
		}
		String named = Refusal.reason(status);
		String reason = named.isEmpty() ? "HTTP" + status.code() : named;
		return new Failure(ProblemClassifier.of(status), status, reason, message);
	}

	/**
	 * Returns an unexpected failure in this process.
	 * @param cause the exception
	 * @return the failure
	 */
	public static Failure unexpected(Throwable cause) {
		LinkageProblem linkage = LinkageProblem.of(cause);
		if (linkage != null) {
			return new Failure(Problem.INTERNAL, null, cause.getClass().getSimpleName(), printable(linkage.message()),
					linkage.advice());
		}
		return new Failure(Problem.INTERNAL, null, cause.getClass().getSimpleName(),
				"unexpected " + cause.getClass().getName());
	}

	private static String printable(String message) {
		return PrintableText.of(message.replaceAll("\\s+", " "), LONGEST_MESSAGE);
	}

	private static String message(IOException cause, String name) {
		// The messages of these exceptions may quote the received data.
		if (cause instanceof EOFException) {
			return "the connection ended in the middle of a response";
		}
		if (cause instanceof ProtocolException) {
			return "the response is not valid HTTP";
		}
		if (name.equals("StreamResetException")) {
			return "the connection broke";
		}
		return (cause.getMessage() != null) ? printable(cause.getMessage()) : name;
	}

	/**
	 * Returns the code of the server's response, for information only. Decisions depend
	 * on the problem.
	 * @return the HTTP status or the code of the {@code Status} object; {@code null} if
	 * the server did not respond with an error, or the error has no code
	 */
	public @Nullable Integer httpStatus() {
		return (this.status != null && this.status.code() != 0) ? Integer.valueOf(this.status.code()) : null;
	}

	/**
	 * Returns whether a JSON patch does not match the stored object, for example because
	 * a test in the patch fails. This is equivalent to a conflict, but the response has
	 * the HTTP status 422, as for an invalid object.
	 * @return {@code true} if the stored object does not have the content that the patch
	 * expects
	 */
	public boolean isPatchThatDoesNotFit() {
		return this.status != null && ProblemClassifier.isPatchThatDoesNotFit(this.status);
	}

	/**
	 * Returns whether the request was rejected because an RBAC rule is missing, and not
	 * by an admission plugin or webhook.
	 * @return {@code true} if the user lacks a permission
	 */
	public boolean isMissingRight() {
		return Refusal.isMissingRight(this.status);
	}

	/**
	 * Returns whether nothing can be created because the namespace is being deleted.
	 * @return {@code true} if the namespace is being deleted
	 */
	public boolean isTerminatingNamespace() {
		return Refusal.isTerminating(this.status);
	}

	/**
	 * Returns whether the server did not respond, or responded with a server error.
	 * @return {@code true} if the same request may succeed when the server has recovered
	 */
	public boolean isServerAway() {
		return switch (this.problem) {
			case SERVER_ERROR, TIMEOUT, UNAVAILABLE, REFUSED_CONNECTION, IO, SILENT -> true;
			default -> false;
		};
	}

	/**
	 * Returns whether this process closed the connection, for example because its client
	 * certificate was replaced. The texts come from the JDK's {@code Socket} and
	 * {@code NioSocketImpl}; JSSE and OkHttp forward the exception.
	 * @return {@code true} if this process closed the connection
	 */
	public boolean isClosedHere() {
		return this.problem == Problem.IO && this.reason.equals(SocketException.class.getSimpleName())
				&& (this.message.equals("Socket closed") || this.message.equals("Socket is closed"));
	}

	/**
	 * Returns the time that the server asks to wait.
	 * @return the time; zero if it does not ask to wait
	 */
	public Duration retryAfter() {
		Integer seconds = (this.status != null) ? this.status.retryAfterSeconds() : null;
		return Duration.ofSeconds((seconds != null) ? seconds : 0);
	}

}
