package dev.kubeinformer.spring.handler.container;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when the configuration names a resource that does not exist and is written much
 * like one that does.
 */
public class UnknownResourceKeyException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnknownResourceKeyException(String prefix, String key, ResourceType<?> meant) {
		super("The configuration has '%s.resources.%s', but there is no such resource".formatted(prefix, key),
				"Did you mean '%s'? Resources are named by plural and group%s.".formatted(
						meant.group().isEmpty() ? meant.name() : "[" + meant.name() + "]",
						meant.group().isEmpty() ? "; those of the core group by the plural alone"
								: ", in brackets because of the dots"));
	}

}
