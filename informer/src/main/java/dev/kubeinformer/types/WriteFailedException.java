package dev.kubeinformer.types;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a write of a reconciler fails because the API server rejects it or does not
 * respond. The message names the write and the response, without values of objects.
 * {@link #getResponseBody()} returns the whole response. For a rejected write, the stack
 * trace contains only frames of the application.
 */
public final class WriteFailedException extends ApiException {

	private static final long serialVersionUID = 1L;

	private final String text;

	private final transient FailedWrite write;

	private final boolean rejected;

	/**
	 * Creates the exception for a response of the API server.
	 * @param text the message
	 * @param write the write
	 * @param rejected {@code true} if the API server rejected the content of the object
	 * @param headers the headers of the response
	 * @param body the body of the response
	 */
	public WriteFailedException(String text, FailedWrite write, boolean rejected, Map<String, List<String>> headers,
			String body) {
		super(text, write.status(), headers, body);
		this.text = text;
		this.write = write;
		this.rejected = rejected;
		setStackTrace(OwnFrames.of(getStackTrace()));
	}

	/**
	 * Creates the exception for a request without a response.
	 * @param text the message
	 * @param write the write
	 * @param cause the cause
	 */
	public WriteFailedException(String text, FailedWrite write, @Nullable Throwable cause) {
		super(text, cause, 0, null, null);
		this.text = text;
		this.write = write;
		this.rejected = false;
	}

	/**
	 * Returns the write that failed.
	 * @return the write
	 */
	public FailedWrite getWrite() {
		return this.write;
	}

	/**
	 * Returns whether a webhook, a policy, the schema or the validation of the resource
	 * rejects the content of the object. If so, the same write fails until one of these
	 * changes.
	 * @return {@code true} if the content of the object was rejected
	 */
	public boolean isRejected() {
		return this.rejected;
	}

	@Override
	public String getMessage() {
		return this.text;
	}

	/**
	 * Returns the first exception of this class among a failure and its causes.
	 * @param failure the failure
	 * @return the exception; {@code null} if there is none
	 */
	public static @Nullable WriteFailedException in(@Nullable Throwable failure) {
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < 10; depth++) {
			if (cause instanceof WriteFailedException found) {
				return found;
			}
			cause = cause.getCause();
		}
		return null;
	}

}
