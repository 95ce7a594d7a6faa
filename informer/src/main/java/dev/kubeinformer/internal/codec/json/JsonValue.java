package dev.kubeinformer.internal.codec.json;

import org.jspecify.annotations.Nullable;

/**
 * Reader of the values of one type.
 */
abstract class JsonValue {

	/**
	 * Reads a value that is not null. Afterwards the parser stands at its last token.
	 * @param reader at its first token
	 * @return the value
	 * @throws FieldMismatchException if it is a value of another type
	 * @throws tools.jackson.core.JacksonException if it is not JSON, or was cut off
	 */
	abstract @Nullable Object read(JsonReader reader);

	/**
	 * Returns what stands for null.
	 * @param reader at the null
	 * @return the value
	 * @throws FieldMismatchException if there is none
	 */
	@Nullable Object readNull(JsonReader reader) {
		return null;
	}

}
