package dev.kubeinformer.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * The readers of all classes of models that were needed so far. Classes are looked at one
 * by one as they turn up in the input: of the hundreds below a pod, most never do.
 */
final class JsonModels {

	private static final String OFFICIAL = V1ObjectMeta.class.getPackageName();

	/** What no model has a field of. */
	private static final JsonValue NONE = new JsonValue() {

		@Override
		Object read(JsonReader reader) {
			throw reader.mismatch(Object.class);
		}

	};

	private final boolean keepManagedFields;

	private final boolean modifiable;

	private final Map<Class<?>, JsonValue> known = new ConcurrentHashMap<>();

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
	 * The reader of a type.
	 * @param type the type
	 * @return the reader; if there is none, one that can read nothing
	 */
	JsonValue value(Type type) {
		if (type instanceof Class<?> rawType) {
			return this.known.computeIfAbsent(rawType, this::model);
		}
		if (type instanceof ParameterizedType generic) {
			Type[] arguments = generic.getActualTypeArguments();
			if (generic.getRawType() == List.class) {
				return JsonValues.listOf(value(arguments[0]), this.modifiable);
			}
			if (generic.getRawType() == Map.class && arguments[0] == String.class) {
				return JsonValues.mapOf(value(arguments[1]), this.modifiable);
			}
		}
		return NONE;
	}

	private JsonValue model(Class<?> type) {
		JsonValue model = reads(type, new HashSet<>()) ? JsonModel.of(type, this) : null;
		return (model != null) ? model : NONE;
	}

	/**
	 * The reader of a class of objects.
	 * @param type the class
	 * @return the reader; {@code null} if it takes more to read them
	 */
	@Nullable JsonValue find(Class<?> type) {
		JsonValue value = value(type);
		return (value != NONE) ? value : null;
	}

	// Custom classes may be anything. Those like the official ones can be read as they.
	private boolean reads(Type type, Set<Type> around) {
		if (type instanceof Class<?> rawType) {
			JsonValue value = this.known.get(rawType);
			return (value != null) ? value != NONE : rawType.getPackageName().equals(OFFICIAL) || !around.add(rawType)
					|| isLikeAnOfficialModel(rawType, around);
		}
		if (type instanceof ParameterizedType generic) {
			Type[] arguments = generic.getActualTypeArguments();
			return (generic.getRawType() == List.class && reads(arguments[0], around))
					|| (generic.getRawType() == Map.class && arguments[0] == String.class
							&& reads(arguments[1], around));
		}
		return false;
	}

	private boolean isLikeAnOfficialModel(Class<?> type, Set<Type> around) {
		if (type.isPrimitive() || type.isArray() || type.isEnum() || type.isRecord() || type.isInterface()
				|| type.getSuperclass() != Object.class || type.getName().startsWith("java.")
				|| type.getTypeParameters().length > 0) {
			return false;
		}
		for (Field field : JsonModel.fields(type)) {
			SerializedName name = field.getAnnotation(SerializedName.class);
			if (Modifier.isFinal(field.getModifiers()) || (name != null && name.alternate().length > 0)
					|| !reads(field.getGenericType(), around)) {
				return false;
			}
		}
		return true;
	}

}
