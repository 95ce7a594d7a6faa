package dev.kubeinformer.spring.autoconfigure.model;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a transform or an index is a bean and its type does not say of which
 * resource.
 */
public class UnresolvableModelBeanException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnresolvableModelBeanException(String bean, String type, String written) {
		super("Bean '%s' has the type '%s', which does not say of which resource it is".formatted(bean, written),
				("Declare the full generic type with a model class, such as '%s<V1Pod>', as the return type of its "
						+ "bean method, or make it a class that implements that.")
					.formatted(type));
	}

}
