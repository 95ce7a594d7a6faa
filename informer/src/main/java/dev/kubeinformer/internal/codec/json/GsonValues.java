package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Date;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.UnmodifiableModels;
import dev.kubeinformer.internal.codec.pool.KnownValues;

/**
 * Readers of values that {@link JsonModel} cannot read and Gson can: Gson's own trees,
 * classes and fields with {@link JsonAdapter}, arrays, and classes of the JDK.
 */
final class GsonValues {

	/** Name of Gson's factory for classes that Gson reads by reflection. */
	private static final String REFLECTIVE = "com.google.gson.internal.bind.ReflectiveTypeAdapterFactory";

	private final Gson gson;

	private final boolean modifiable;

	/**
	 * Creates readers.
	 * @param modifiable {@code true} to create mutable collections; {@code false} to
	 * create unmodifiable ones
	 */
	GsonValues(boolean modifiable) {
		this.modifiable = modifiable;
		// Same settings as the official client's, but without the checks of its models,
		// which reject valid objects of newer servers.
		this.gson = new GsonBuilder().registerTypeAdapter(Date.class, new JSON.DateTypeAdapter())
			.registerTypeAdapter(OffsetDateTime.class, new JSON.OffsetDateTimeTypeAdapter())
			.registerTypeAdapter(LocalDate.class, new JSON.LocalDateTypeAdapter())
			.registerTypeAdapter(byte[].class, new JSON.ByteArrayAdapter())
			.registerTypeAdapter(Quantity.class, (JsonDeserializer<Quantity>) GsonValues::quantity)
			.create();
	}

	private static Quantity quantity(JsonElement json, Type type, JsonDeserializationContext context) {
		String text = json.getAsString();
		if (text.length() > KnownValues.LONGEST_QUANTITY) {
			throw new JsonParseException("not a quantity");
		}
		return new Quantity(text);
	}

	/**
	 * Returns the reader of a type.
	 * @param type the type
	 * @return the reader
	 * @throws IllegalArgumentException if Gson cannot read the type
	 */
	JsonValue value(Type type) {
		Class<?> raw = ModelTypes.raw(type);
		try {
			TypeAdapter<?> adapter = this.gson.getAdapter(TypeToken.get(type));
			if (adapter.getClass().getName().startsWith(REFLECTIVE)
					&& (raw.getName().startsWith("java.") || Modifier.isAbstract(raw.getModifiers()))) {
				throw new IllegalArgumentException("Gson has no adapter for it");
			}
			JsonAdapter annotation = raw.getAnnotation(JsonAdapter.class);
			return new GsonValue(raw, adapter::fromJsonTree, annotation == null || annotation.nullSafe());
		}
		catch (JsonParseException ex) {
			throw new IllegalArgumentException("Gson has no adapter for it", ex);
		}
	}

	/**
	 * Returns the reader of a field with {@link JsonAdapter}.
	 * @param field the field
	 * @param type the type of the field
	 * @param annotation the adapter annotation of the field
	 * @return the reader; {@code null} if the adapter only writes
	 * @throws IllegalArgumentException if the annotation does not name an adapter, or the
	 * adapter cannot be created
	 */
	@Nullable JsonValue value(Field field, Type type, JsonAdapter annotation) {
		Object adapter = create(annotation.value());
		if (adapter instanceof TypeAdapterFactory factory) {
			adapter = factory.create(this.gson, TypeToken.get(type));
		}
		Class<?> raw = field.getType();
		if (adapter instanceof TypeAdapter<?> known) {
			return new GsonValue(raw, known::fromJsonTree, annotation.nullSafe());
		}
		if (adapter instanceof JsonDeserializer<?> deserializer) {
			return new GsonValue(raw, (json) -> deserializer.deserialize(json, type, new Context()),
					annotation.nullSafe());
		}
		return null;
	}

	private static Object create(Class<?> adapter) {
		try {
			Constructor<?> constructor = adapter.getDeclaredConstructor();
			constructor.setAccessible(true);
			return constructor.newInstance();
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			throw new IllegalArgumentException("its adapter '%s' cannot be created by a constructor without parameters"
				.formatted(adapter.getName()), ex);
		}
	}

	private final class Context implements JsonDeserializationContext {

		@Override
		public <T> T deserialize(JsonElement json, Type type) {
			return GsonValues.this.gson.fromJson(json, type);
		}

	}

	@FunctionalInterface
	private interface Source {

		@Nullable Object read(JsonElement json);

	}

	private final class GsonValue extends JsonValue {

		private final Class<?> type;

		private final Source source;

		private final boolean nullSafe;

		GsonValue(Class<?> type, Source source, boolean nullSafe) {
			this.type = type;
			this.source = source;
			this.nullSafe = nullSafe;
		}

		@Override
		@Nullable Object read(JsonReader reader) {
			return from(reader.readTree(), reader);
		}

		@Override
		@Nullable Object readNull(JsonReader reader) {
			if (this.type == JsonElement.class || this.type == JsonNull.class) {
				return JsonNull.INSTANCE;
			}
			return this.nullSafe ? null : from(JsonNull.INSTANCE, reader);
		}

		private @Nullable Object from(JsonElement json, JsonReader reader) {
			try {
				Object value = this.source.read(json);
				return GsonValues.this.modifiable ? value : UnmodifiableModels.frozen(value, this.type);
			}
			catch (RuntimeException ex) {
				// The message of a user's adapter may quote the value.
				throw reader.mismatch(this.type);
			}
		}

	}

}
