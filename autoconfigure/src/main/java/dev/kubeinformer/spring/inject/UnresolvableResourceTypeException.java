package dev.kubeinformer.spring.inject;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a lister or informer is injected and its type does not say of which
 * resource.
 */
public class UnresolvableResourceTypeException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnresolvableResourceTypeException(String injectionPoint, String type) {
		super("%s has the type '%s', which does not say which resource is meant".formatted(injectionPoint, type),
				"Write the model class as type argument, such as 'Lister<V1Pod>' or 'Lister<Metadata<V1Pod>>'. "
						+ "Where the class is known only at run time, ask 'Informers'. "
						+ "A bean of your own is preferred only if its bean method declares the full generic type.");
	}

}
