package dev.kubeinformer.codec;

import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Says which field of an object could not be read, without quoting its value.
 */
final class DecodeProblem {

	private DecodeProblem() {
	}

	/**
	 * Whether it is not one object that is bad, but what it comes in.
	 * @param cause what was thrown
	 * @return whether nothing after it can be read either
	 */
	static boolean isOfTheStream(Throwable cause) {
		// A number that is too large for its field is well-formed JSON.
		return cause instanceof JacksonIOException
				|| (cause instanceof StreamReadException && !(cause instanceof InputCoercionException));
	}

	static String describe(Throwable cause) {
		if (cause instanceof FieldMismatchException mismatch) {
			return describe(mismatch.path(), mismatch.target());
		}
		if (!(cause instanceof JacksonException jackson)) {
			return "it is nested too deeply";
		}
		if (cause instanceof StreamConstraintsException) {
			return "it is nested too deeply, or has a number or a name that is too long";
		}
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference reference : jackson.getPath()) {
			if (reference.getPropertyName() != null) {
				path.append((path.length() > 0) ? "." : "").append(reference.getPropertyName());
			}
			else if (reference.getIndex() >= 0) {
				path.append('[').append(reference.getIndex()).append(']');
			}
		}
		return describe(path.toString(),
				(cause instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null);
	}

	private static String describe(String path, @Nullable Class<?> target) {
		if (path.isEmpty()) {
			return "a field of it cannot be read";
		}
		return "the field '%s' cannot be read%s".formatted(path, (target != null) ? " as " + name(target) : "");
	}

	private static String name(Class<?> type) {
		if (Collection.class.isAssignableFrom(type)) {
			return "a list";
		}
		return Map.class.isAssignableFrom(type) ? "a map" : type.getSimpleName();
	}

}
