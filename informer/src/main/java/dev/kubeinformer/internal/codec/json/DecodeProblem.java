package dev.kubeinformer.internal.codec.json;

import java.util.Collection;
import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;

/**
 * Describes why an object could not be read. The text names the field, but does not quote
 * its value.
 */
final class DecodeProblem {

	private DecodeProblem() {
	}

	/**
	 * Returns whether a failure prevents reading the rest of the stream, and not only one
	 * object.
	 * @param cause the exception
	 * @return {@code true} if nothing after the failure can be read from the stream
	 */
	static boolean isOfTheStream(Throwable cause) {
		// A number that is too large for its field is still well-formed JSON.
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
