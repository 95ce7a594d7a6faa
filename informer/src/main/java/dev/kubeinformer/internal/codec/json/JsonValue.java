package dev.kubeinformer.internal.codec.json;

import org.jspecify.annotations.Nullable;

/** Reads the values of one type. */
abstract class JsonValue {

	/**
	 * Reads a value other than null. Afterwards the parser is positioned at the last
	 * token of the value.
	 * @param reader the reader, at the first token of the value
	 * @return the value
	 * @throws FieldMismatchException if the value is of another type
	 * @throws tools.jackson.core.JacksonException if the bytes are not JSON, or were cut
	 * off
	 */
	abstract @Nullable Object read(JsonReader reader);

	/**
	 * Returns the Java value for a null in the JSON.
	 * @param reader the reader, at the null
	 * @return the value
	 * @throws FieldMismatchException if null is not allowed
	 */
	@Nullable Object readNull(JsonReader reader) {
		return null;
	}

}
