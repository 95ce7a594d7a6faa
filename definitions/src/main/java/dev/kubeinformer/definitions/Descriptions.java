package dev.kubeinformer.definitions;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.Description;

/**
 * Finds the descriptions of classes and fields.
 */
final class Descriptions {

	private Descriptions() {
	}

	static @Nullable String of(Class<?> type) {
		Description description = type.getAnnotation(Description.class);
		return (description != null) ? description.value() : null;
	}

	static @Nullable String of(ModelField field) {
		Description description = field.annotation(Description.class);
		return (description != null) ? description.value() : null;
	}

}
