package dev.kubeinformer.internal.codec.json;

import java.util.Collection;
import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;

/**
 * Descriptions of why an object could not be read: they name the field, and do not quote
 * its value.
 */
final class DecodeProblem {

	private DecodeProblem() {
	}

	/**
	 * Returns whether it is not one object that is bad, but what it comes in.
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
			return describe(mismatch.path(), mismatch.target(), mismatch.reason());
		}
		if (cause instanceof StreamConstraintsException) {
			return "it is nested too deeply, or has a number or a name that is too long";
		}
		return (cause instanceof JacksonException) ? "a field of it cannot be read" : "it is nested too deeply";
	}

	private static String describe(String path, Class<?> target, String reason) {
		String why = reason.isEmpty() ? "" : ": " + reason;
		if (path.isEmpty()) {
			return reason.isEmpty() ? "a field of it cannot be read" : "it cannot be read as " + name(target) + why;
		}
		return "the field '%s' cannot be read as %s%s".formatted(path, name(target), why);
	}

	private static String name(Class<?> type) {
		if (Collection.class.isAssignableFrom(type)) {
			return "a list";
		}
		return Map.class.isAssignableFrom(type) ? "a map" : type.getSimpleName();
	}

}
