package dev.kubeinformer.internal.codec;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a response of the API server is malformed: it is not JSON, is cut off, or
 * contains an object of another kind. The message does not quote the content.
 */
public class MalformedResponseException extends IOException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the problem
	 */
	public MalformedResponseException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message the problem
	 * @param cause the cause
	 */
	public MalformedResponseException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
