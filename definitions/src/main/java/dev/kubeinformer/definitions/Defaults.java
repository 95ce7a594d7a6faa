package dev.kubeinformer.definitions;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.DefaultValue;

/**
 * Finds the defaults of fields. A default is the value of {@link DefaultValue}, or the
 * value of the field in a new object of the class.
 */
final class Defaults {

	private Defaults() {
	}

	/**
	 * Reads the annotation of a field.
	 * @param field the field
	 * @param schema the schema of the field
	 * @param path the place of the field
	 * @return the value; {@code null} if there is no annotation
	 */
	static @Nullable Object declared(ModelField field, V1JSONSchemaProps schema, FieldPath path) {
		DefaultValue annotation = field.annotation(DefaultValue.class);
		if (annotation == null) {
			return null;
		}
		String text = annotation.value();
		if ("string".equals(schema.getType())) {
			return text;
		}
		try {
			Object value = Trees.of(JsonParser.parseString(text));
			if (value != null) {
				return value;
			}
		}
		catch (JsonParseException ex) {
			if (!Boolean.TRUE.equals(schema.getxKubernetesIntOrString())) {
				throw path.invalid("has the default '%s', which is not JSON".formatted(text),
						"write the value as in JSON, such as 1, true or [\"a\"]", ex);
			}
			return text;
		}
		throw path.invalid("has the default 'null'", "remove @DefaultValue");
	}

	/**
	 * Finds the values of a new object.
	 * @param shape the class
	 * @param properties the schemas of its fields, with the defaults inside of each
	 * @param path the place of the class
	 * @return the initial values of fields by their names in JSON, each
	 * {@linkplain Optional#empty() empty} if the class initialises the field with a value
	 * that is not a default, such as an empty list or the time
	 */
	static Map<String, Optional<Object>> initial(TypeShape shape, Map<String, V1JSONSchemaProps> properties,
			FieldPath path) {
		Object first = Prototypes.create(shape.type(), 0, path);
		Object second = Prototypes.create(shape.type(), 1, path);
		if (first == null || second == null) {
			return Map.of();
		}
		Map<String, Optional<Object>> initial = new LinkedHashMap<>();
		for (ModelField field : ModelField.of(shape, path)) {
			V1JSONSchemaProps schema = properties.get(field.name());
			boolean status = path.isRoot() && field.name().equals("status");
			if (schema != null && !status && !isPlaceholder(field) && Prototypes.isSet(field, first)) {
				Object value = common(tree(field, first, path), tree(field, second, path));
				Object pruned = (value != null) ? pruned(value, schema) : null;
				// An object without a usable default may lack what its class requires.
				if (pruned != null || schema.getProperties() == null) {
					initial.put(field.name(), Optional.ofNullable(pruned));
				}
			}
		}
		return initial;
	}

	private static boolean isPlaceholder(ModelField field) {
		KotlinModel kotlin = KotlinModel.of(field.field().getDeclaringClass());
		return kotlin != null && kotlin.isRequired(field.field());
	}

	private static @Nullable Object tree(ModelField field, Object instance, FieldPath path) {
		try {
			JsonElement tree = JSON.getGson().toJsonTree(instance).getAsJsonObject().get(field.name());
			return (tree != null) ? Trees.of(tree) : null;
		}
		catch (RuntimeException ex) {
			throw path.invalid("has initial values that Gson cannot write", "initialise its fields with JSON values",
					ex);
		}
	}

	// A value that differs from object to object, such as the time, is not a default.
	private static @Nullable Object common(@Nullable Object first, @Nullable Object second) {
		if (Objects.equals(first, second)) {
			return first;
		}
		if (!(first instanceof Map<?, ?> one && second instanceof Map<?, ?> other)) {
			return null;
		}
		Map<String, Object> common = new LinkedHashMap<>();
		one.forEach((name, value) -> {
			Object both = common(value, other.get(name));
			if (both != null) {
				common.put(String.valueOf(name), both);
			}
		});
		return common;
	}

	// Removes the defaults of inner fields, and values that nobody has set: empty
	// collections, zeros.
	private static @Nullable Object pruned(Object value, V1JSONSchemaProps schema) {
		if (value instanceof Collection<?> list) {
			return list.isEmpty() ? null : list.stream().map((each) -> element(each, schema.getItems())).toList();
		}
		if (!(value instanceof Map<?, ?> map)) {
			return value;
		}
		Map<String, V1JSONSchemaProps> properties = schema.getProperties();
		if (properties == null) {
			return map.isEmpty() ? null : map;
		}
		Map<String, Object> rest = rest(map, properties);
		boolean complete = schema.getRequired() == null || rest.keySet().containsAll(schema.getRequired());
		boolean more = !rest.isEmpty() || properties.values().stream().anyMatch((each) -> each.getDefault() != null);
		return (more && (complete || !rest.isEmpty())) ? rest : null;
	}

	private static @Nullable Object element(@Nullable Object value, @Nullable Object items) {
		if (value instanceof Map<?, ?> map && items instanceof V1JSONSchemaProps schema
				&& schema.getProperties() != null) {
			return rest(map, schema.getProperties());
		}
		return value;
	}

	private static Map<String, Object> rest(Map<?, ?> map, Map<String, V1JSONSchemaProps> properties) {
		Map<String, Object> rest = new LinkedHashMap<>();
		map.forEach((name, each) -> {
			V1JSONSchemaProps property = properties.get(String.valueOf(name));
			if (each == null || property == null || each.equals(property.getDefault())
					|| (property.getDefault() == null && isZero(each))) {
				return;
			}
			Object part = pruned(each, property);
			if (part != null && !part.equals(property.getDefault())) {
				rest.put(String.valueOf(name), part);
			}
		});
		return rest;
	}

	static boolean isZero(Object value) {
		return List.<Object>of(false, 0, 0L, 0.0).contains(value) || Objects.equals(value, "\0");
	}

}
