package dev.kubeinformer.spring.handler.container;

import java.util.Collection;

import dev.kubeinformer.spring.settings.ClusterKeyAdvice;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Thrown when the configuration names a handler that does not exist.
 */
public class UnknownHandlerKeyException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnknownHandlerKeyException(String key, Collection<String> ids, Collection<String> clusters) {
		super("The configuration has 'kubernetes.informers.handlers.%s', but no handler has the id '%s'".formatted(key,
				key), action(key, ids, clusters));
	}

	private static String action(String key, Collection<String> ids, Collection<String> clusters) {
		if (ids.isEmpty()) {
			return "Remove the entry, or make sure that the handler is a bean: the application has no @InformerHandler.";
		}
		String similar = InformerIds.similar(ClusterKeyAdvice.plain(key, clusters), ids);
		return ClusterKeyAdvice.of(key, clusters) + ((similar != null) ? "Did you mean '%s'? ".formatted(similar) : "")
				+ "Correct the key to the id of a handler, or remove it. The handlers are '%s'. "
					.formatted(String.join("', '", ids))
				+ "The id is that of the annotation, else the name of the bean after its last dot.";
	}

}
