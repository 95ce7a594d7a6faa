package dev.kubeinformer.internal.codec.json;

import java.io.Serial;

/**
 * Thrown when the value of a field is well-formed but not of the field's type. It
 * contains the path of the field and no part of the value.
 */
final class FieldMismatchException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String path;

	private final Class<?> target;

	private final String reason;

	/**
	 * Creates the exception.
	 * @param path the path of the field; empty for the object itself
	 * @param target the expected type
	 * @param reason the reason, without the value; empty if there is none
	 */
	FieldMismatchException(String path, Class<?> target, String reason) {
		super("a field cannot be read", null, false, false);
		this.path = path;
		this.target = target;
		this.reason = reason;
	}

	/**
	 * Returns the path of the field.
	 * @return the path in the object; empty for the object itself
	 */
	String path() {
		return this.path;
	}

	/**
	 * Returns the expected type.
	 * @return the type of the field
	 */
	Class<?> target() {
		return this.target;
	}

	/**
	 * Returns why the value is not of the expected type.
	 * @return the reason; empty if there is none
	 */
	String reason() {
		return this.reason;
	}

}
