package dev.kubeinformer.spring.settings;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when informers or handlers are declared or configured in a way that cannot work.
 * The message says what is wrong and where, the action what to do about it.
 */
public class InformerConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Creates an exception.
	 * @param message what is wrong and where
	 * @param action what to do about it, one or more sentences
	 */
	public InformerConfigurationException(String message, String action) {
		this(message, action, null);
	}

	/**
	 * Creates an exception.
	 * @param message what is wrong and where
	 * @param action what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public InformerConfigurationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * Creates an exception for a value of a property or an attribute that makes no sense.
	 * @param message what is wrong and where
	 * @return the exception
	 */
	public static InformerConfigurationException ofValue(String message) {
		return ofValue(message, null);
	}

	/**
	 * Creates an exception for a value of a property or an attribute that makes no sense.
	 * @param message what is wrong and where
	 * @param cause the refusal of the value
	 * @return the exception
	 */
	public static InformerConfigurationException ofValue(String message, @Nullable Throwable cause) {
		return new InformerConfigurationException(message,
				"Correct the value, or the properties that its placeholders name.", cause);
	}

	/**
	 * Returns what the developer should do.
	 * @return one or more sentences
	 */
	public String getAction() {
		return this.action;
	}

}
