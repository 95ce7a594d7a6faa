package dev.kubeinformer.internal.codec.protobuf;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.CompactList;
import dev.kubeinformer.internal.codec.model.CompactMap;

/**
 * Converts JSON schemas into untyped values, for fields of type {@code Object} in a
 * model: maps, lists, strings, doubles and booleans. The conversion may be slow, because
 * a cluster has few definitions of custom resources.
 */
final class UntypedSchemas {

	private UntypedSchemas() {
	}

	/**
	 * Converts a schema into a map.
	 * @param schema the schema
	 * @param modifiable {@code true} to create a mutable map; {@code false} to create an
	 * unmodifiable one
	 * @return the map
	 */
	static Object of(V1JSONSchemaProps schema, boolean modifiable) {
		return map(schema, modifiable);
	}

	private static Object untyped(Object value, boolean modifiable) {
		if (value instanceof Number number) {
			return number.doubleValue();
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> copy = new ArrayList<>(list.size());
			list.forEach((each) -> copy.add((each != null) ? untyped(each, modifiable) : null));
			return modifiable ? copy : CompactList.copyOf(copy);
		}
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
			map.forEach((key, each) -> copy.put(key, (each != null) ? untyped(each, modifiable) : null));
			return modifiable ? copy : CompactMap.copyOf(copy);
		}
		return (value instanceof String || value instanceof Boolean) ? value : map(value, modifiable);
	}

	private static Object map(Object model, boolean modifiable) {
		Map<String, Object> map = new LinkedHashMap<>();
		for (Field field : model.getClass().getDeclaredFields()) {
			SerializedName name = field.getAnnotation(SerializedName.class);
			Object value = (name != null) ? get(field, model) : null;
			boolean empty = (value instanceof Collection<?> collection && collection.isEmpty())
					|| (value instanceof Map<?, ?> entries && entries.isEmpty());
			// In a field of type Object, an empty value is not omitted.
			if (name != null && value != null && (!empty || field.getType() == Object.class)) {
				map.put(name.value(), untyped(value, modifiable));
			}
		}
		return modifiable ? map : CompactMap.copyOf(map);
	}

	private static @Nullable Object get(Field field, Object model) {
		try {
			field.setAccessible(true);
			return field.get(model);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("Field '%s' cannot be read".formatted(field), ex);
		}
	}

}
