package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.Locale;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Thrown when the name of a handler or resource is written with dots and without
 * brackets, so that what is said about it would be lost.
 */
class UnbracketedKeyException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnbracketedKeyException(String where, String map, String key, String property) {
		super("%s would be lost: '%s' holds dots, which end a key".formatted(where, key),
				("Write it in brackets: '%1$s[%2$s].%3$s', in YAML '\"[%2$s]\":' below '%1$s:'. "
						+ "In the name of an environment variable leave dots, dashes and underscores of the key out: '%4$s'.")
					.formatted(map, key, property, InformerIds.canonical(key).toUpperCase(Locale.ROOT)));
	}

	private UnbracketedKeyException(String message, String action) {
		super(message, action);
	}

	/**
	 * Creates an exception for a key that begins with the name of a cluster.
	 * @param where the property and its place
	 * @param key the key
	 * @param advice what to do about it
	 * @return the exception
	 */
	static UnbracketedKeyException ofCluster(String where, String key, String advice) {
		return new UnbracketedKeyException(
				"%s would be lost: '%s' begins with the name of a cluster".formatted(where, key), advice.strip());
	}

}
