package dev.kubeinformer.internal.codec.protobuf;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * Reads the messages of Kubernetes that have another form in JSON and in the models:
 * times, quantities, numbers or strings, JSON values and JSON schemas.
 */
final class SpecialMessages {

	private static final int FIRST_VARINT = 1 << 3 | MessageCursor.VARINT;

	private static final int SECOND_VARINT = 2 << 3 | MessageCursor.VARINT;

	private static final int FIRST_BYTES = 1 << 3 | MessageCursor.BYTES;

	private static final int SECOND_BYTES = 2 << 3 | MessageCursor.BYTES;

	private static final int THIRD_BYTES = 3 << 3 | MessageCursor.BYTES;

	/**
	 * Form of a field of a type JSONSchemaPropsOr…: a list instead of a schema. The next
	 * two constants are the other forms.
	 */
	private static final int LIST = 0;

	private static final int BOOL = 1;

	private static final int STRINGS = 2;

	private SpecialMessages() {
	}

	/**
	 * Reads a time with a precision of seconds. The API server ignores the nanoseconds,
	 * too.
	 * @param reader the reader, after the tag
	 * @return the time; {@code null} if it is not set
	 * @throws MalformedMessageException if the message is not a time
	 */
	static @Nullable OffsetDateTime time(ProtobufReader reader) throws MalformedMessageException {
		return time(reader, false);
	}

	/**
	 * Reads a time with a precision of microseconds.
	 * @param reader the reader, after the tag
	 * @return the time; {@code null} if it is not set
	 * @throws MalformedMessageException if the message is not a time
	 */
	static @Nullable OffsetDateTime microTime(ProtobufReader reader) throws MalformedMessageException {
		return time(reader, true);
	}

	private static @Nullable OffsetDateTime time(ProtobufReader reader, boolean micros)
			throws MalformedMessageException {
		int outerLimit = reader.narrow();
		long seconds = 0;
		int nanos = 0;
		boolean set = reader.position < reader.limit;
		for (int next = reader.nextTag(); next != 0; next = reader.nextTag()) {
			switch (next) {
				case FIRST_VARINT -> seconds = reader.varint64();
				case SECOND_VARINT -> nanos = reader.varint32();
				default -> reader.skip(next);
			}
		}
		reader.widen(outerLimit);
		try {
			return set ? reader.known().time(seconds, micros ? nanos / 1000 * 1000 : 0) : null;
		}
		catch (DateTimeException ex) {
			throw new MalformedMessageException("it is not a time");
		}
	}

	/**
	 * Reads a quantity.
	 * @param reader the reader, after the tag
	 * @return the quantity
	 * @throws MalformedMessageException if the message is not a quantity
	 */
	static Quantity quantity(ProtobufReader reader) throws MalformedMessageException {
		int outerLimit = reader.narrow();
		String text = "0";
		for (int next = reader.nextTag(); next != 0; next = reader.nextTag()) {
			if (next == FIRST_BYTES) {
				text = reader.string();
			}
			else {
				reader.skip(next);
			}
		}
		reader.widen(outerLimit);
		try {
			return reader.known().quantity(text);
		}
		catch (RuntimeException ex) {
			// Drop the cause, because its message quotes the text.
			throw new MalformedMessageException("it is not a quantity");
		}
	}

	/**
	 * Reads a number or a string.
	 * @param reader the reader, after the tag
	 * @return the number or the string
	 * @throws MalformedMessageException if it is neither
	 */
	static IntOrString intOrString(ProtobufReader reader) throws MalformedMessageException {
		int outerLimit = reader.narrow();
		boolean isString = false;
		int number = 0;
		String string = "";
		for (int next = reader.nextTag(); next != 0; next = reader.nextTag()) {
			switch (next) {
				case FIRST_VARINT -> isString = reader.varint64() != 0;
				case SECOND_VARINT -> number = reader.varint32();
				case THIRD_BYTES -> string = reader.string();
				default -> reader.skip(next);
			}
		}
		reader.widen(outerLimit);
		return isString ? reader.known().intOrString(string) : reader.known().intOrString(number);
	}

	/**
	 * Reads a message that wraps JSON.
	 * @param reader the reader, after the tag
	 * @return maps, lists, strings, doubles and booleans; {@code null} for null and for
	 * an empty message
	 * @throws MalformedMessageException if the content is not JSON
	 */
	static @Nullable Object json(ProtobufReader reader) throws MalformedMessageException {
		int outerLimit = reader.narrow();
		int from = 0;
		int to = 0;
		for (int next = reader.nextTag(); next != 0; next = reader.nextTag()) {
			if (next == FIRST_BYTES) {
				int length = reader.length();
				from = reader.move(length);
				to = from + length;
			}
			else {
				reader.skip(next);
			}
		}
		reader.widen(outerLimit);
		try {
			return (from < to) ? reader.mappers().readUntyped(reader.bytes, from, to, reader.known()) : null;
		}
		catch (MalformedResponseException ex) {
			throw new MalformedMessageException("it does not contain JSON");
		}
	}

	/**
	 * Reads a message without fields.
	 * @param reader the reader, after the tag
	 * @return the value that stands for an empty JSON object
	 * @throws MalformedMessageException if the message is cut off
	 */
	static Object emptyObject(ProtobufReader reader) throws MalformedMessageException {
		reader.move(reader.length());
		return reader.collections().map(new Object[0]);
	}

	/**
	 * Reads a message that wraps strings.
	 * @param reader the reader, after the tag
	 * @return the strings
	 * @throws MalformedMessageException if the message does not wrap strings
	 */
	static List<String> strings(ProtobufReader reader) throws MalformedMessageException {
		int outerLimit = reader.narrow();
		List<String> found = reader.collections().list(new Object[0]);
		for (int next = reader.nextTag(); next != 0; next = reader.nextTag()) {
			if (next == FIRST_BYTES) {
				found = reader.list(next, found, ScalarReader.STRING);
			}
			else {
				reader.skip(next);
			}
		}
		reader.widen(outerLimit);
		return found;
	}

	/**
	 * Reads a JSON schema, or a list of schemas.
	 * @param reader the reader, after the tag
	 * @return a map or a list
	 * @throws MalformedMessageException if the message is neither
	 */
	static @Nullable Object schemaOrList(ProtobufReader reader) throws MalformedMessageException {
		return schemaOr(reader, LIST);
	}

	/**
	 * Reads a JSON schema, or a boolean that allows or forbids any value.
	 * @param reader the reader, after the tag
	 * @return a map or a boolean
	 * @throws MalformedMessageException if it is neither
	 */
	static @Nullable Object schemaOrBool(ProtobufReader reader) throws MalformedMessageException {
		return schemaOr(reader, BOOL);
	}

	/**
	 * Reads a JSON schema, or a list of names.
	 * @param reader the reader, after the tag
	 * @return a map or a list
	 * @throws MalformedMessageException if it is neither
	 */
	static @Nullable Object schemaOrStrings(ProtobufReader reader) throws MalformedMessageException {
		return schemaOr(reader, STRINGS);
	}

	private static @Nullable Object schemaOr(ProtobufReader reader, int other) throws MalformedMessageException {
		int outerLimit = reader.narrow();
		V1JSONSchemaProps schema = null;
		List<V1JSONSchemaProps> schemas = reader.collections().list(new Object[0]);
		List<String> names = reader.collections().list(new Object[0]);
		boolean allows = false;
		for (int next = reader.nextTag(); next != 0; next = reader.nextTag()) {
			if (next == ((other == BOOL) ? SECOND_BYTES : FIRST_BYTES)) {
				schema = reader.message(V1JSONSchemaPropsDecoder.INSTANCE);
			}
			else if (next == FIRST_VARINT && other == BOOL) {
				allows = reader.varint64() != 0;
			}
			else if (next == SECOND_BYTES && other == LIST) {
				schemas = reader.list(next, schemas, V1JSONSchemaPropsDecoder.INSTANCE);
			}
			else if (next == SECOND_BYTES) {
				names = reader.list(next, names, ScalarReader.STRING);
			}
			else {
				reader.skip(next);
			}
		}
		reader.widen(outerLimit);
		if (!names.isEmpty()) {
			return names;
		}
		if (!schemas.isEmpty()) {
			return reader.collections()
				.list(schemas.stream().map((each) -> UntypedSchemas.of(each, reader.modifiable())).toArray());
		}
		if (schema != null) {
			return UntypedSchemas.of(schema, reader.modifiable());
		}
		return (other == BOOL) ? allows : null;
	}

}
