package dev.kubeinformer.controller;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a reconciler if no retry can succeed for an object. The next run comes after
 * a change that concerns the object.
 */
public class GiveUpException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the reason why no retry can succeed
	 */
	public GiveUpException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message the reason why no retry can succeed
	 * @param cause the cause; {@code null} if there is none
	 */
	public GiveUpException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
