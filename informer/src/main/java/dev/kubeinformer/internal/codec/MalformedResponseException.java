package dev.kubeinformer.internal.codec;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an answer of the API server is not what it must be: not JSON, cut off, or
 * of another kind. The message quotes no content.
 */
public class MalformedResponseException extends IOException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what is wrong
	 */
	public MalformedResponseException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message what is wrong
	 * @param cause the cause
	 */
	public MalformedResponseException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
