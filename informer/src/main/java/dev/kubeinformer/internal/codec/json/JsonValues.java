package dev.kubeinformer.internal.codec.json;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import dev.kubeinformer.internal.codec.model.UnmodifiableSet;

/** Readers of values other than models. */
final class JsonValues {

	/** Classes whose fields need not be examined. */
	private static final Set<Class<?>> PLAIN = Set.copyOf(ofPlainTypes(false).keySet());

	private JsonValues() {
	}

	static boolean isPlain(Class<?> type) {
		return PLAIN.contains(type);
	}

	static Map<Class<?>, JsonValue> ofPlainTypes(boolean modifiable) {
		Map<Class<?>, JsonValue> values = new HashMap<>();
		for (Plain each : List.of(new Text(), new IntegerNumber(Integer.class), new IntegerNumber(int.class),
				new LongNumber(Long.class), new LongNumber(long.class), new Flag(Boolean.class),
				new Flag(boolean.class), new DoubleNumber(Double.class), new DoubleNumber(double.class), new Time(),
				new Amount(), new NumberOrText(), new Bytes(), new Nothing())) {
			values.put(each.declared, each);
		}
		values.put(Object.class, new Untyped(modifiable));
		return values;
	}

	/**
	 * Returns a reader of enum constants. It accepts the names that Gson uses, and reads
	 * any other text as null.
	 * @param type the class of the constants
	 * @return the reader
	 */
	static JsonValue enumOf(Class<?> type) {
		return new EnumOf(type);
	}

	static JsonValue setOf(JsonValue element, boolean modifiable) {
		return new SetOf(element, modifiable);
	}

	static JsonValue listOf(JsonValue element, boolean modifiable) {
		return new ListOf(element, modifiable);
	}

	static JsonValue mapOf(JsonValue value, boolean modifiable) {
		return new MapOf(value, modifiable);
	}

	private static Object list(JsonReader reader, int mark, boolean modifiable) {
		List<@Nullable Object> list = reader.popList(mark);
		return modifiable ? new ArrayList<>(list) : list;
	}

	private static Object map(JsonReader reader, int mark, boolean modifiable) {
		Map<String, @Nullable Object> map = reader.popMap(mark);
		return modifiable ? new LinkedHashMap<>(map) : map;
	}

	/**
	 * Reader of a plain type. There is a class for each type, not one with a switch:
	 * where values of many types are read, HotSpot would compile all branches of the
	 * switch into each caller. And there are no lambdas: each takes time when this class
	 * is loaded, and the start of the application waits for that.
	 */
	private abstract static class Plain extends JsonValue {

		/** Expected type, for the description of a problem. */
		final Class<?> declared;

		Plain(Class<?> declared) {
			this.declared = declared;
		}

	}

	private static final class Text extends Plain {

		Text() {
			super(String.class);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readString();
		}

	}

	private static final class IntegerNumber extends Plain {

		IntegerNumber(Class<?> declared) {
			super(declared);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readInteger(this.declared);
		}

	}

	private static final class LongNumber extends Plain {

		LongNumber(Class<?> declared) {
			super(declared);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readLong(this.declared);
		}

	}

	private static final class Flag extends Plain {

		Flag(Class<?> declared) {
			super(declared);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readBoolean(this.declared);
		}

	}

	private static final class DoubleNumber extends Plain {

		DoubleNumber(Class<?> declared) {
			super(declared);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readDouble(this.declared);
		}

	}

	private static final class Time extends Plain {

		Time() {
			super(OffsetDateTime.class);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readTime();
		}

	}

	private static final class Amount extends Plain {

		Amount() {
			super(Quantity.class);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readQuantity();
		}

	}

	private static final class NumberOrText extends Plain {

		NumberOrText() {
			super(IntOrString.class);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readIntOrString();
		}

	}

	private static final class Bytes extends Plain {

		Bytes() {
			super(byte[].class);
		}

		@Override
		Object read(JsonReader reader) {
			return reader.readBytes();
		}

	}

	private static final class Nothing extends Plain {

		Nothing() {
			super(Void.class);
		}

		@Override
		@Nullable Object read(JsonReader reader) {
			reader.parser().skipChildren();
			return null;
		}

	}

	private static final class ListOf extends JsonValue {

		private final JsonValue element;

		private final boolean modifiable;

		ListOf(JsonValue element, boolean modifiable) {
			this.element = element;
			this.modifiable = modifiable;
		}

		@Override
		Object read(JsonReader reader) {
			reader.begin(JsonToken.START_ARRAY, List.class);
			JsonParser parser = reader.parser();
			int mark = reader.mark();
			for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
				reader
					.push((token != JsonToken.VALUE_NULL) ? this.element.read(reader) : this.element.readNull(reader));
			}
			return list(reader, mark, this.modifiable);
		}

	}

	private static final class SetOf extends JsonValue {

		private final ListOf elements;

		private final boolean modifiable;

		SetOf(JsonValue element, boolean modifiable) {
			this.elements = new ListOf(element, false);
			this.modifiable = modifiable;
		}

		@Override
		Object read(JsonReader reader) {
			Set<@Nullable Object> set = new LinkedHashSet<>((List<?>) this.elements.read(reader));
			return this.modifiable ? set : new UnmodifiableSet<>(set);
		}

	}

	private static final class EnumOf extends JsonValue {

		private final Map<String, Object> constants = new HashMap<>();

		EnumOf(Class<?> type) {
			for (Object constant : type.getEnumConstants()) {
				SerializedName name = annotation(type, (Enum<?>) constant);
				this.constants.put((name != null) ? name.value() : ((Enum<?>) constant).name(), constant);
				if (name != null) {
					List.of(name.alternate()).forEach((alternate) -> this.constants.put(alternate, constant));
				}
			}
			// A name takes precedence over the result of toString().
			for (Object constant : type.getEnumConstants()) {
				this.constants.putIfAbsent(constant.toString(), constant);
			}
		}

		private static @Nullable SerializedName annotation(Class<?> type, Enum<?> constant) {
			try {
				return type.getField(constant.name()).getAnnotation(SerializedName.class);
			}
			catch (NoSuchFieldException ex) {
				throw new IllegalStateException("'%s' has no constant '%s'".formatted(type, constant.name()), ex);
			}
		}

		@Override
		@Nullable Object read(JsonReader reader) {
			return this.constants.get(reader.readString());
		}

	}

	private static final class MapOf extends JsonValue {

		private final JsonValue value;

		private final boolean modifiable;

		MapOf(JsonValue value, boolean modifiable) {
			this.value = value;
			this.modifiable = modifiable;
		}

		@Override
		Object read(JsonReader reader) {
			reader.begin(JsonToken.START_OBJECT, Map.class);
			JsonParser parser = reader.parser();
			int mark = reader.mark();
			for (String name = parser.nextName(); name != null; name = parser.nextName()) {
				reader.push(reader.key(name));
				reader.push((parser.nextToken() != JsonToken.VALUE_NULL) ? this.value.read(reader)
						: this.value.readNull(reader));
			}
			return map(reader, mark, this.modifiable);
		}

	}

	/**
	 * Reads a field of type {@code Object} as Gson does: every number becomes a double.
	 */
	private static final class Untyped extends JsonValue {

		private final ListOf list;

		private final MapOf map;

		Untyped(boolean modifiable) {
			this.list = new ListOf(this, modifiable);
			this.map = new MapOf(this, modifiable);
		}

		@Override
		@Nullable Object read(JsonReader reader) {
			return switch (reader.parser().currentToken()) {
				case START_OBJECT -> this.map.read(reader);
				case START_ARRAY -> this.list.read(reader);
				case VALUE_STRING -> reader.readString();
				case VALUE_TRUE -> Boolean.TRUE;
				case VALUE_FALSE -> Boolean.FALSE;
				default -> reader.readDouble(Double.class);
			};
		}

	}

}
