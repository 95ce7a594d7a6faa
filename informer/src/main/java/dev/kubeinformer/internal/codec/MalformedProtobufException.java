package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a response in protobuf is malformed. The same server may still respond
 * properly in JSON.
 */
public class MalformedProtobufException extends MalformedResponseException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the problem
	 */
	public MalformedProtobufException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message the problem
	 * @param cause the cause
	 */
	public MalformedProtobufException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
