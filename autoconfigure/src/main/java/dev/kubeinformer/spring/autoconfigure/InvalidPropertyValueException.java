package dev.kubeinformer.spring.autoconfigure;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a property has a value that its type allows and that makes no sense.
 */
public class InvalidPropertyValueException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	InvalidPropertyValueException(String key, String value, String rule) {
		this(key, "'%s' is '%s'; it %s".formatted(key, value, rule));
	}

	private InvalidPropertyValueException(String key, String message) {
		super(message, ("Correct the property '%s', or remove it for its default. It may come from a file, "
				+ "an environment variable, a system property or an argument.")
			.formatted(key));
	}

	/**
	 * For a value that must not be shown.
	 * @param key the key of the property
	 * @param problem what is wrong with the value, without it
	 * @return the exception
	 */
	static InvalidPropertyValueException secret(String key, String problem) {
		return new InvalidPropertyValueException(key, "'%s' %s".formatted(key, problem));
	}

}
