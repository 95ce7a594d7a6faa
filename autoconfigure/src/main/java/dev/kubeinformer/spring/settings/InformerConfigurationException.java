package dev.kubeinformer.spring.settings;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when informers or handlers are declared or configured in a way that cannot work.
 * The message says what is wrong and where, the action what to do about it.
 */
public abstract class InformerConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	protected InformerConfigurationException(String message, String action) {
		this(message, action, null);
	}

	protected InformerConfigurationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * Returns what the developer should do.
	 * @return one or more sentences
	 */
	public String getAction() {
		return this.action;
	}

}
