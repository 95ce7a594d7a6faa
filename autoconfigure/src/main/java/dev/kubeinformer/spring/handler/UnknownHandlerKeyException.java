package dev.kubeinformer.spring.handler;

import java.util.Collection;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when the configuration speaks of a handler that does not exist.
 */
public class UnknownHandlerKeyException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnknownHandlerKeyException(String key, Collection<String> ids) {
		super("The configuration has 'kubernetes.informers.handlers.%s', but no handler has the id '%s'".formatted(key,
				key), action(ids));
	}

	private static String action(Collection<String> ids) {
		return ids.isEmpty()
				? "Remove the entry, or make sure that the handler is a bean: the application has no @InformerHandler."
				: "Correct the key to the id of a handler, or remove it. The handlers are '%s'. ".formatted(
						String.join("', '", ids)) + "The id is that of the annotation, else the name of the bean.";
	}

}
