package dev.kubeinformer.internal.reflector;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.transport.ApiStatusException;

/**
 * What went wrong with a request.
 *
 * @param kind the kind of failure
 * @param status what the server said; {@code null} unless the kind is {@link Kind#STATUS}
 * @param reason the server's reason or the simple name of the exception
 * @param message a sentence without contents of objects
 */
public record Failure(Kind kind, @Nullable ApiStatus status, String reason, String message) {

	/**
	 * That of a forbidden request names its user, its right and the webhooks that said
	 * so.
	 */
	private static final int LONGEST_MESSAGE = 1_000;

	static Failure of(IOException cause) {
		if (cause instanceof ApiStatusException statusException) {
			return of(statusException.getStatus());
		}
		String name = cause.getClass().getSimpleName();
		if (cause instanceof MalformedResponseException) {
			Kind kind = (cause instanceof MalformedProtobufException) ? Kind.MALFORMED_PROTOBUF : Kind.MALFORMED;
			return new Failure(kind, null, MalformedResponseException.class.getSimpleName(),
					printable(String.valueOf(cause.getMessage())));
		}
		TlsProblem tls = TlsProblem.of(cause);
		return (tls != null) ? new Failure(kind(cause), null, tls.reason(), tls.message())
				: new Failure(kind(cause), null, name, message(cause, name));
	}

	static Failure unexpected(Throwable cause) {
		return new Failure(Kind.IO, null, cause.getClass().getSimpleName(), "unexpected " + cause.getClass().getName());
	}

	private static String printable(String message) {
		return PrintableText.of(message.replaceAll("\\s+", " "), LONGEST_MESSAGE);
	}

	private static Kind kind(IOException cause) {
		if (cause instanceof ConnectException) {
			return Kind.REFUSED;
		}
		return (cause instanceof InterruptedIOException) ? Kind.SILENCE : Kind.IO;
	}

	private static String message(IOException cause, String name) {
		// The messages of these may quote what was read.
		if (cause instanceof EOFException) {
			return "the connection ended in the middle of an answer";
		}
		if (cause instanceof ProtocolException) {
			return "the answer is not proper HTTP";
		}
		if (name.equals("StreamResetException")) {
			return "the connection broke";
		}
		return (cause.getMessage() != null) ? printable(cause.getMessage()) : name;
	}

	static Failure of(ApiStatus status) {
		String message = status.message().isEmpty() ? "no further message" : printable(status.message());
		if (status.code() == 500) {
			// that of a conversion webhook, for one
			message = "an internal error, whose message may quote an object and is logged at debug level only";
		}
		String reason = status.reason().isEmpty() ? "HTTP" + status.code() : PrintableText.of(status.reason());
		return new Failure(Kind.STATUS, status, reason, message);
	}

	int code() {
		return (this.status != null) ? this.status.code() : 0;
	}

	/**
	 * Whether the server forgot the version (HTTP 410), so that only a list can go on.
	 */
	boolean isExpired() {
		return this.status != null && (this.status.code() == 410 || this.status.reason().equals("Expired")
				|| this.status.reason().equals("Gone"));
	}

	/**
	 * Whether the version is ahead of the server, in the three dialects of Kubernetes: by
	 * cause, by a cause of which only the message is known, and by the message alone.
	 */
	boolean isTooLargeVersion() {
		return this.status != null && (this.status.causes().contains("ResourceVersionTooLarge")
				|| this.status.causes().contains("Too large resource version")
				|| this.status.message().contains("Too large resource version"));
	}

	/**
	 * Whether the server does not understand the version: an aggregated API may have
	 * changed its versions.
	 */
	boolean isInvalidVersion() {
		if (this.status == null
				|| (this.status.code() != 400 && this.status.code() != 422 && this.status.code() != 500)) {
			return false;
		}
		String text = this.status.message().toLowerCase(Locale.ROOT).replace(" ", "");
		return text.contains("invalid") && text.contains("resourceversion");
	}

	@Nullable Integer retryAfterSeconds() {
		return (this.status != null) ? this.status.retryAfterSeconds() : null;
	}

	/**
	 * The kinds of failures.
	 */
	public enum Kind {

		/** The server answered with an error. */
		STATUS,

		/** There was no answer, or the connection broke. */
		IO,

		/** Nobody listens there. */
		REFUSED,

		/** No byte came for too long, or a watch did not end in time. */
		SILENCE,

		/** The answer was not what it must be. */
		MALFORMED,

		/** The answer was not what it must be; the same in JSON may be. */
		MALFORMED_PROTOBUF

	}

}
