package dev.kubeinformer.spring.settings;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the value of a property has the right type but is not valid.
 */
public class InvalidPropertyValueException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param key the key of the property
	 * @param value the value
	 * @param rule the rule for the value, such as {@code must be a number from 0 to 1}
	 */
	public InvalidPropertyValueException(String key, String value, String rule) {
		this(key, "'%s' is '%s'; it %s".formatted(key, value, rule));
	}

	private InvalidPropertyValueException(String key, String message) {
		this(key, message, (Throwable) null);
	}

	private InvalidPropertyValueException(String key, String message, @Nullable Throwable cause) {
		super(message, ("Correct the property '%s', or remove it for its default. It may come from a file, "
				+ "an environment variable, a system property or an argument.")
			.formatted(key), cause);
	}

	/**
	 * Creates an exception for a value that its parser rejected.
	 * @param key the key of the property
	 * @param cause the exception of the parser, which quotes the value
	 * @return the exception
	 */
	public static InvalidPropertyValueException wrong(String key, IllegalArgumentException cause) {
		return new InvalidPropertyValueException(key, "'%s' is wrong. %s".formatted(key, cause.getMessage()), cause);
	}

	/**
	 * Creates an exception for a value that must not be shown.
	 * @param key the key of the property
	 * @param problem the problem, without the value
	 * @return the exception
	 */
	public static InvalidPropertyValueException secret(String key, String problem) {
		return new InvalidPropertyValueException(key, "'%s' %s".formatted(key, problem));
	}

}
