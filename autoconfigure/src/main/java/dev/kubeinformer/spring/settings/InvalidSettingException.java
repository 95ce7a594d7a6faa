package dev.kubeinformer.spring.settings;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the value of a property or of an annotation's attribute makes no sense.
 */
public class InvalidSettingException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private static final String ACTION = "Correct the value, or the properties that its placeholders name.";

	public InvalidSettingException(String message) {
		this(message, null);
	}

	public InvalidSettingException(String message, @Nullable Throwable cause) {
		this(message, ACTION, cause);
	}

	public InvalidSettingException(String message, String action, @Nullable Throwable cause) {
		super(message, action, cause);
	}

}
