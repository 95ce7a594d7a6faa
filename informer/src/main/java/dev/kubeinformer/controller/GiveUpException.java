package dev.kubeinformer.controller;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a reconciler for an object that no retry can help: there is no further run
 * before something about the object changes.
 */
public class GiveUpException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message why no retry can help
	 */
	public GiveUpException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message why no retry can help
	 * @param cause the cause; {@code null} if there is none
	 */
	public GiveUpException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
