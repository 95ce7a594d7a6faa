package dev.kubeinformer.internal.codec.json;

import java.io.Serial;

/**
 * Thrown when a field has a value that is well-formed but not one of its type. It knows
 * where the field is, and nothing of the value.
 */
final class FieldMismatchException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String path;

	private final Class<?> target;

	private final String reason;

	/**
	 * Creates the exception.
	 * @param path where the field is; empty if it is the object itself
	 * @param target what the value should have been
	 * @param reason why it is not, without the value; empty if there is nothing to say
	 */
	FieldMismatchException(String path, Class<?> target, String reason) {
		super("a field cannot be read", null, false, false);
		this.path = path;
		this.target = target;
		this.reason = reason;
	}

	/**
	 * Returns where the field is.
	 * @return its path in the object; empty if it is the object itself
	 */
	String path() {
		return this.path;
	}

	/**
	 * Returns what the value should have been.
	 * @return the type of the field
	 */
	Class<?> target() {
		return this.target;
	}

	/**
	 * Returns why the value is none of its type.
	 * @return the reason; empty if there is nothing to say
	 */
	String reason() {
		return this.reason;
	}

}
