package dev.kubeinformer.codec;

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

	FieldMismatchException(String path, Class<?> target) {
		super("a field cannot be read", null, false, false);
		this.path = path;
		this.target = target;
	}

	/**
	 * Where the field is.
	 * @return its path in the object; empty if it is the object itself
	 */
	String path() {
		return this.path;
	}

	/**
	 * What the value should have been.
	 * @return the type of the field
	 */
	Class<?> target() {
		return this.target;
	}

}
