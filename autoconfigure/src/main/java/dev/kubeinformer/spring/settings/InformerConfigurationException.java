package dev.kubeinformer.spring.settings;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when informers or handlers are declared or configured incorrectly. The message
 * contains the problem and where it is. The action contains the remedy.
 */
public class InformerConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Creates an exception.
	 * @param message the problem and where it is
	 * @param action the remedy, one or more sentences
	 */
	public InformerConfigurationException(String message, String action) {
		this(message, action, null);
	}

	/**
	 * Creates an exception.
	 * @param message the problem and where it is
	 * @param action the remedy, one or more sentences
	 * @param cause the cause
	 */
	public InformerConfigurationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * Creates an exception for an invalid value of a property or an attribute.
	 * @param message the problem and where it is
	 * @return the exception
	 */
	public static InformerConfigurationException ofValue(String message) {
		return ofValue(message, null);
	}

	/**
	 * Creates an exception for an invalid value of a property or an attribute.
	 * @param message the problem and where it is
	 * @param cause the exception that rejected the value
	 * @return the exception
	 */
	public static InformerConfigurationException ofValue(String message, @Nullable Throwable cause) {
		return new InformerConfigurationException(message,
				"Correct the value, or the properties that its placeholders name.", cause);
	}

	/**
	 * Returns the remedy for the developer.
	 * @return one or more sentences
	 */
	public String getAction() {
		return this.action;
	}

}
