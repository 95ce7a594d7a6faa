package dev.kubeinformer.internal.transport;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request of a run fails. Its message names the request and the reason, and
 * quotes no object: that of its superclass would hold the whole answer.
 */
final class WriteFailedException extends ApiException {

	private static final long serialVersionUID = 1L;

	private final String text;

	/**
	 * Creates the exception for an answer of the API server.
	 * @param text the message
	 * @param code the HTTP status
	 * @param headers the headers of the answer
	 * @param body the body of the answer
	 */
	WriteFailedException(String text, int code, Map<String, List<String>> headers, String body) {
		super(text, code, headers, body);
		this.text = text;
	}

	/**
	 * Creates the exception for a request without an answer.
	 * @param text the message
	 * @param cause the cause
	 */
	WriteFailedException(String text, @Nullable Throwable cause) {
		super(text, cause, 0, null, null);
		this.text = text;
	}

	@Override
	public String getMessage() {
		return this.text;
	}

}
