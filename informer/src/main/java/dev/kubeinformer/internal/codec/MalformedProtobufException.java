package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an answer in protobuf is not what it must be. The same server may well
 * answer in JSON.
 */
public class MalformedProtobufException extends MalformedResponseException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what is wrong
	 */
	public MalformedProtobufException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message what is wrong
	 * @param cause the cause
	 */
	public MalformedProtobufException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
