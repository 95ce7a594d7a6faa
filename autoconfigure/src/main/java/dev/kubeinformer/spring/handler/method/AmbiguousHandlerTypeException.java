package dev.kubeinformer.spring.handler.method;

import java.util.Collection;
import java.util.TreeSet;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Thrown when the methods of a handler take objects of more than one resource, or whole
 * objects and metadata.
 */
public class AmbiguousHandlerTypeException extends InvalidHandlerException {

	private static final long serialVersionUID = 1L;

	public AmbiguousHandlerTypeException(AnnotatedBean<InformerHandler> bean, Collection<Class<?>> types) {
		super(bean, "handles more than one type: " + names(types),
				"Write one @InformerHandler for each type; a handler has one informer, queue and sync.");
	}

	public AmbiguousHandlerTypeException(AnnotatedBean<InformerHandler> bean, String whole, ModelType metadata) {
		super(bean, "handles whole objects and metadata: '%s' and '%s'".formatted(whole, metadata),
				"Write one @InformerHandler for each; a handler has one informer, queue and sync.");
	}

	private static String names(Collection<Class<?>> types) {
		TreeSet<String> names = new TreeSet<>();
		types.forEach((type) -> names.add("'%s'".formatted(type.getName())));
		return String.join(" and ", names);
	}

}
