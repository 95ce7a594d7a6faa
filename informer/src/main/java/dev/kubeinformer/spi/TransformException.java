package dev.kubeinformer.spi;

import java.util.Objects;

/**
 * Thrown by a transform that an integration makes of those of the application, to say
 * which of them failed. The status of the informer then names that one.
 */
public class TransformException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String transform;

	/**
	 * Creates an exception.
	 * @param transform the transform that failed, by a name that the application knows
	 * @param cause what it threw, or what is wrong with what it returned. Its message is
	 * not shown, as it may quote the object
	 */
	public TransformException(String transform, Throwable cause) {
		super("Transform '%s' failed".formatted(transform), Objects.requireNonNull(cause, "There is no cause"));
		this.transform = transform;
	}

	/**
	 * Returns the transform that failed.
	 * @return its name
	 */
	public String transform() {
		return this.transform;
	}

}
