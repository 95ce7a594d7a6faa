package dev.kubeinformer.spi;

import java.util.Objects;

/**
 * Thrown by a transform that an integration composes of the application's transforms, to
 * name the one that failed. The status of the informer contains that name.
 */
public class TransformException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String transform;

	/**
	 * Creates an exception.
	 * @param transform the name of the failed transform in the application
	 * @param cause the exception that the transform threw, or a description of an invalid
	 * result. Its message is not shown because it may quote the object
	 */
	public TransformException(String transform, Throwable cause) {
		super("Transform '%s' failed".formatted(transform), Objects.requireNonNull(cause, "There is no cause"));
		this.transform = transform;
	}

	/**
	 * Returns the name of the failed transform.
	 * @return its name
	 */
	public String transform() {
		return this.transform;
	}

}
