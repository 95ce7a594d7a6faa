package dev.kubeinformer.internal.client.kubeconfig;

import java.util.Collection;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Entry of a kubeconfig, or the kubeconfig itself, as messages name it.
 *
 * @param text the name, as the subject of a sentence
 */
record Place(String text) {

	/** Maximum number of names that a message lists. */
	private static final int NAMES = 20;

	/**
	 * Returns an entry of this kubeconfig.
	 * @param kind the kind of the entry, for example {@code user}
	 * @param name the name of the entry
	 * @return the entry
	 */
	Place of(String kind, String name) {
		return new Place("%s, %s %s".formatted(this.text, kind, quoted(name)));
	}

	/**
	 * Creates an exception.
	 * @param field the field; {@code null} if the problem does not concern a single field
	 * @param problem the end of a sentence that begins with the entry, or with the field
	 * @param action the remedy, as a sentence
	 * @return the exception
	 */
	ClientConfigurationException invalid(@Nullable String field, String problem, String action) {
		return new ClientConfigurationException(this.text, field, problem, action);
	}

	/**
	 * Quotes a name.
	 * @param name the name
	 * @return the printable name in quotes
	 */
	static String quoted(String name) {
		return "'" + PrintableText.of(name) + "'";
	}

	/**
	 * Lists names.
	 * @param names the names
	 * @return the printable names in quotes
	 */
	static String quoted(Collection<String> names) {
		if (names.isEmpty()) {
			return "none";
		}
		String listed = names.stream().limit(NAMES).map(Place::quoted).collect(Collectors.joining(", "));
		return (names.size() > NAMES) ? "%s and %d more".formatted(listed, names.size() - NAMES) : listed;
	}

}
