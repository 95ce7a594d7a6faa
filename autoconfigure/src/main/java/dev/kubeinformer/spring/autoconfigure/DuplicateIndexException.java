package dev.kubeinformer.spring.autoconfigure;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when two beans are indexes of one class and have one name.
 */
public class DuplicateIndexException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	DuplicateIndexException(String first, String second, String index, String model) {
		super("Beans '%s' and '%s' are both an index '%s' of '%s'".formatted(first, second, index, model),
				"Give one of them another name, or remove it.");
	}

}
