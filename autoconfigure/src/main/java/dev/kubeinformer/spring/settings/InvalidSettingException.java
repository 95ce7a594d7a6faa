package dev.kubeinformer.spring.settings;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the value of a property or of an annotation's attribute makes no sense.
 */
public class InvalidSettingException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private static final String ACTION = "Correct the value. Mind that what "
			+ "'kubernetes.informers.handlers.<id>' says replaces the annotation, which replaces "
			+ "'kubernetes.informers.resources.<resource>', which replaces 'kubernetes.informers'.";

	public InvalidSettingException(String message) {
		this(message, null);
	}

	public InvalidSettingException(String message, @Nullable Throwable cause) {
		super(message, ACTION, cause);
	}

}
