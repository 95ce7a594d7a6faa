package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.Type;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Date;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;

/**
 * Creates the trees of values that only Gson can write: classes and fields with
 * {@link JsonAdapter}, enum constants, and classes of the JDK.
 */
final class GsonTrees {

	// Same settings as the official client's.
	private final Gson gson = new GsonBuilder().registerTypeAdapter(Date.class, new JSON.DateTypeAdapter())
		.registerTypeAdapter(OffsetDateTime.class, new JSON.OffsetDateTimeTypeAdapter())
		.registerTypeAdapter(LocalDate.class, new JSON.LocalDateTypeAdapter())
		.registerTypeAdapter(byte[].class, new JSON.ByteArrayAdapter())
		.create();

	JsonElement tree(Object value, Type type) {
		try {
			return this.gson.toJsonTree(value, type);
		}
		catch (JsonParseException ex) {
			throw new IllegalArgumentException("A '%s' cannot be written as JSON".formatted(type.getTypeName()), ex);
		}
	}

	/**
	 * Returns the writer of a field with {@link JsonAdapter}.
	 * @param type the type of the field
	 * @param annotation the adapter annotation of the field
	 * @return the writer; {@code null} if the adapter only reads
	 * @throws IllegalArgumentException if the adapter cannot be created
	 */
	@SuppressWarnings("unchecked") // The adapter fits the type of the field.
	@Nullable FieldTree field(Type type, JsonAdapter annotation) {
		Object adapter = create(annotation.value());
		if (adapter instanceof TypeAdapterFactory factory) {
			adapter = factory.create(this.gson, TypeToken.get(type));
		}
		if (adapter instanceof TypeAdapter<?> known) {
			TypeAdapter<Object> safe = (TypeAdapter<Object>) (annotation.nullSafe() ? known.nullSafe() : known);
			return safe::toJsonTree;
		}
		if (adapter instanceof JsonSerializer<?> known) {
			JsonSerializer<Object> serializer = (JsonSerializer<Object>) known;
			return (value) -> (value != null || !annotation.nullSafe())
					? serializer.serialize(value, type, new Context()) : null;
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
			throw new IllegalArgumentException("The adapter '%s' cannot be created by a constructor without parameters"
				.formatted(adapter.getName()), ex);
		}
	}

	/** Writes the trees of one field. */
	@FunctionalInterface
	interface FieldTree {

		@Nullable JsonElement of(@Nullable Object value);

	}

	private final class Context implements JsonSerializationContext {

		@Override
		public JsonElement serialize(Object source) {
			return GsonTrees.this.gson.toJsonTree(source);
		}

		@Override
		public JsonElement serialize(Object source, Type type) {
			return GsonTrees.this.gson.toJsonTree(source, type);
		}

	}

}
