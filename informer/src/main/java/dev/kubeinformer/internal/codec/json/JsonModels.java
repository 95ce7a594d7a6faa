package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.google.gson.annotations.JsonAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Readers of the model classes that have occurred in the input. A class is examined when
 * it first occurs, because most of the hundreds of classes in a pod never occur.
 */
final class JsonModels {

	/** Reader that rejects every value. */
	private static final JsonValue NONE = new JsonValue() {

		@Override
		Object read(JsonReader reader) {
			throw reader.mismatch(Object.class);
		}

	};

	private final boolean keepManagedFields;

	private final boolean modifiable;

	private final Map<Type, JsonValue> known = new ConcurrentHashMap<>();

	/** Readers that use Gson; created on demand. */
	private volatile @Nullable GsonValues gson;

	JsonModels(boolean keepManagedFields, boolean modifiable) {
		this.keepManagedFields = keepManagedFields;
		this.modifiable = modifiable;
		this.known.putAll(JsonValues.ofPlainTypes(modifiable));
	}

	boolean keepsManagedFields() {
		return this.keepManagedFields;
	}

	boolean modifiable() {
		return this.modifiable;
	}

	/**
	 * Returns the reader of a type.
	 * @param type the type, without type variables
	 * @return the reader, which rejects every value if the type cannot be read
	 * @see ReadableModels
	 */
	JsonValue value(Type type) {
		JsonValue value = this.known.get(type);
		if (value != null) {
			return value;
		}
		ValueType found = ValueType.of(type);
		return switch (found.kind()) {
			case LIST -> JsonValues.listOf(value(found.content()), this.modifiable);
			case SET -> JsonValues.setOf(value(found.content()), this.modifiable);
			case MAP -> JsonValues.mapOf(value(found.content()), this.modifiable);
			case ENUM -> this.known.computeIfAbsent(type, (each) -> JsonValues.enumOf(found.raw()));
			case MODEL -> this.known.computeIfAbsent(type, (each) -> new JsonModel(each, this));
			case GSON -> this.known.computeIfAbsent(type, (each) -> gson().value(each));
			case PLAIN, ABSTRACT -> NONE;
		};
	}

	/**
	 * Returns the reader of a field.
	 * @param field the field
	 * @param type the type of the field, without type variables
	 * @return the reader
	 */
	JsonValue value(Field field, Type type) {
		JsonAdapter annotation = field.getAnnotation(JsonAdapter.class);
		JsonValue value = (annotation != null) ? gson().value(field, type, annotation) : null;
		return (value != null) ? value : value(type);
	}

	private GsonValues gson() {
		GsonValues values = this.gson;
		if (values == null) {
			values = new GsonValues(this.modifiable);
			this.gson = values;
		}
		return values;
	}

}
