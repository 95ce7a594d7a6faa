package dev.kubeinformer.types;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the configuration of a client cannot be used: a kubeconfig, a certificate,
 * a key, a token or a credential plugin. The message names the configuration, the field
 * and the reason. Neither the message nor a cause contains credentials or contents of
 * files.
 */
public class ClientConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String place;

	private final @Nullable String field;

	private final String problem;

	private final @Nullable String action;

	/**
	 * Creates an exception.
	 * @param place the name of the configuration that contains the field, as the subject
	 * of a sentence, for example {@code The kubeconfig '/home/me/.kube/config'}
	 * @param field the field; {@code null} if the problem concerns the whole
	 * configuration
	 * @param problem the end of a sentence that begins with the configuration, or with
	 * the field
	 * @param action the remedy, as a sentence; {@code null} if the problem implies it
	 */
	public ClientConfigurationException(String place, @Nullable String field, String problem, @Nullable String action) {
		super(place + ((field != null) ? ", field '" + field + "', " : " ") + problem);
		this.place = place;
		this.field = field;
		this.problem = problem;
		this.action = action;
	}

	/**
	 * Returns the name of the configuration that contains the field.
	 * @return the name, as the subject of a sentence
	 */
	public String getPlace() {
		return this.place;
	}

	/**
	 * Returns the field that cannot be used.
	 * @return the field; {@code null} if the problem concerns the whole configuration
	 */
	public @Nullable String getField() {
		return this.field;
	}

	/**
	 * Returns the reason why the configuration cannot be used.
	 * @return the reason, as the end of a sentence that begins with the configuration or
	 * the field
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Returns the remedy.
	 * @return the remedy, as a sentence; {@code null} if the problem implies it
	 */
	public @Nullable String getAction() {
		return this.action;
	}

}
