package dev.kubeinformer.codec;

import java.util.Collection;
import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Says which field of an object could not be read, without quoting its value.
 */
final class DecodeProblem {

	private DecodeProblem() {
	}

	static String describe(JacksonException cause) {
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference reference : cause.getPath()) {
			if (reference.getPropertyName() != null) {
				path.append((path.length() > 0) ? "." : "").append(reference.getPropertyName());
			}
			else if (reference.getIndex() >= 0) {
				path.append('[').append(reference.getIndex()).append(']');
			}
		}
		String target = (cause instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null)
				? " as " + name(mismatch.getTargetType()) : "";
		return "the field '%s' cannot be read%s".formatted(path, target);
	}

	private static String name(Class<?> type) {
		if (Collection.class.isAssignableFrom(type)) {
			return "a list";
		}
		return Map.class.isAssignableFrom(type) ? "a map" : type.getSimpleName();
	}

}
