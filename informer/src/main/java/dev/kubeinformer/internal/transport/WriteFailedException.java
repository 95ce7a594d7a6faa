package dev.kubeinformer.internal.transport;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.transport.ApiWrites.Target;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Thrown when a request of a run fails. Its message names the request and the reason, and
 * quotes no object: that of its superclass would hold the whole answer.
 */
final class WriteFailedException extends ApiException {

	private static final long serialVersionUID = 1L;

	private final String text;

	/** What was not found; {@code null} if the object is not what is missing. */
	private final transient @Nullable Target missing;

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
		this.missing = null;
	}

	/**
	 * Creates the exception for an answer by which something is not found.
	 * @param answer the answer
	 * @param target what was asked for
	 * @param advice why it is not found, if the object is not what is missing;
	 * {@code null} if it is
	 */
	WriteFailedException(ApiException answer, Target target, @Nullable String advice) {
		super(answer.getMessage(), answer.getCode(), answer.getResponseHeaders(), answer.getResponseBody());
		this.text = answer.getMessage() + ((advice != null) ? "; " + advice : "");
		this.missing = (advice != null) ? null : target;
		setStackTrace(answer.getStackTrace());
	}

	/**
	 * Creates the exception for a request without an answer.
	 * @param text the message
	 * @param cause the cause
	 */
	WriteFailedException(String text, @Nullable Throwable cause) {
		super(text, cause, 0, null, null);
		this.text = text;
		this.missing = null;
	}

	/**
	 * Returns whether the API server said that an object is not there, while it serves
	 * the resource.
	 * @param type the resource
	 * @param key the object
	 * @return whether it did
	 */
	boolean isMissing(ResourceType<?> type, ObjectKey key) {
		return this.missing != null && this.missing.type().equals(type) && this.missing.key().equals(key);
	}

	@Override
	public String getMessage() {
		return this.text;
	}

}
