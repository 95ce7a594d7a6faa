package dev.kubeinformer.spi;

import java.util.Objects;

/**
 * Thrown by a transform that an integration has composed of several transforms of the
 * application. It names the transform that failed, and the status of the informer
 * contains that name.
 */
public class TransformException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String transform;

	/**
	 * Creates an exception.
	 * @param transform the name of the failed transform in the application
	 * @param cause the exception that the transform threw, or an exception that describes
	 * its invalid result. Its message is not shown, because it may quote the object
	 */
	public TransformException(String transform, Throwable cause) {
		super("Transform '%s' failed".formatted(transform), Objects.requireNonNull(cause, "There is no cause"));
		this.transform = transform;
	}

	/**
	 * Returns the name of the failed transform in the application.
	 * @return the name
	 */
	public String transform() {
		return this.transform;
	}

}
