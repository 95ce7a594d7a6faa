package dev.kubeinformer.internal.codec.protobuf;

import java.time.OffsetDateTime;
import java.util.List;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Readers of list elements and map values that are not models, such as strings. They are
 * not method references, because the JVM would need more time to create these than to
 * read a list of pods.
 *
 * @param <T> the class of the elements
 */
final class ScalarReader<T> implements ValueReader<T> {

	static final ValueReader<String> STRING = new ScalarReader<>(0);

	static final ValueReader<Integer> INT32 = new ScalarReader<>(1);

	static final ValueReader<Long> INT64 = new ScalarReader<>(2);

	static final ValueReader<Boolean> BOOL = new ScalarReader<>(3);

	static final ValueReader<byte[]> BYTES = new ScalarReader<>(4);

	static final ValueReader<OffsetDateTime> TIME = new ScalarReader<>(5);

	static final ValueReader<Quantity> QUANTITY = new ScalarReader<>(6);

	static final ValueReader<IntOrString> INT_OR_STRING = new ScalarReader<>(7);

	static final ValueReader<Object> JSON = new ScalarReader<>(8);

	static final ValueReader<List<String>> STRINGS = new ScalarReader<>(9);

	static final ValueReader<Object> SCHEMA_OR_STRINGS = new ScalarReader<>(10);

	private final int kind;

	private ScalarReader(int kind) {
		this.kind = kind;
	}

	@Override
	@SuppressWarnings({ "unchecked", "NullAway" }) // Each constant has the right type.
	public T read(ProtobufReader reader) throws MalformedMessageException {
		return (T) value(reader);
	}

	private @Nullable Object value(ProtobufReader reader) throws MalformedMessageException {
		return switch (this.kind) {
			case 0 -> reader.string();
			case 1 -> reader.int32();
			case 2 -> reader.int64();
			case 3 -> reader.bool();
			case 4 -> reader.bytes();
			case 5 -> SpecialMessages.time(reader);
			case 6 -> SpecialMessages.quantity(reader);
			case 7 -> SpecialMessages.intOrString(reader);
			case 8 -> SpecialMessages.json(reader);
			case 9 -> SpecialMessages.strings(reader);
			default -> SpecialMessages.schemaOrStrings(reader);
		};
	}

}
