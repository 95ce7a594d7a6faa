package dev.kubeinformer.spring.autoconfigure.model;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when two beans are indexes of one class and have one name, or a bean has that of
 * an index which all informers have.
 */
public class DuplicateIndexException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	DuplicateIndexException(String first, String second, String index, String model) {
		super("Beans '%s' and '%s' are both an index '%s' of '%s'".formatted(first, second, index, model),
				"Give one of them another name, or remove it.");
	}

	DuplicateIndexException(String bean, String index, String model) {
		super("Bean '%s' is an index '%s' of '%s', and all informers have one of that name".formatted(bean, index,
				model), "Give it another name.");
	}

}
