package dev.kubeinformer.spring.inject;

import java.lang.reflect.Field;

import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when {@link InformerSource} is on a field which is not injected itself, but
 * through a parameter without the annotation: what narrows the source would be lost.
 */
public class UnreadInformerSourceException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnreadInformerSourceException(Field field, String parameter) {
		super("@InformerSource on field '%s' of '%s' is not read, because Spring does not inject the field. It injects %s, which has no @InformerSource, so that more would be watched than was asked for, or nothing"
			.formatted(field.getName(), field.getDeclaringClass().getName(), parameter),
				"Put @InformerSource on the parameter. Where Lombok writes the constructor, add to lombok.config: "
						+ "'lombok.copyableAnnotations += %s'. In Kotlin write '@param:InformerSource'."
							.formatted(InformerSource.class.getName()));
	}

}
