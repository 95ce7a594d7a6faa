package dev.kubeinformer.spring.autoconfigure.model;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a transform or an index is a bean of a child context whose informers are
 * those of its parent.
 */
public class ChildModelBeanException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	ChildModelBeanException(String bean) {
		super(("Bean '%s' is a transform or an index in a child context, but the informers are those of its parent "
				+ "context, which do not use it")
			.formatted(bean), "Declare the bean in the parent context: it is for all who read the caches.");
	}

}
