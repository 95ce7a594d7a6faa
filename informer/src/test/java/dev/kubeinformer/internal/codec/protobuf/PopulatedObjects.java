package dev.kubeinformer.internal.codec.protobuf;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.ResourceType;

/**
 * Makes objects of every type as JSON, from the fields of the models.
 */
final class PopulatedObjects {

	private final Variant variant;

	/** The models around the one that is made: schemas have schemas in them. */
	private final Deque<Class<?>> around = new ArrayDeque<>();

	private int count;

	private PopulatedObjects(Variant variant) {
		this.variant = variant;
	}

	static Map<String, @Nullable Object> of(ResourceType<?> type, Variant variant, String name, String namespace) {
		Map<String, @Nullable Object> object = new PopulatedObjects(variant).model(type.objectClass());
		object.put("apiVersion", type.apiVersion());
		object.put("kind", type.kind());
		@SuppressWarnings("unchecked") // it is a model's
		Map<String, @Nullable Object> metadata = (Map<String, @Nullable Object>) object.get("metadata");
		metadata.put("name", name);
		if (type.namespaced()) {
			metadata.put("namespace", namespace);
		}
		else {
			metadata.remove("namespace");
		}
		return object;
	}

	private Map<String, @Nullable Object> model(Class<?> type) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		boolean tooDeep = this.around.stream().filter((each) -> each == type).count() > 1
				|| (this.variant == Variant.HOLLOW && this.around.size() == 1);
		this.around.push(type);
		for (Field field : type.getDeclaredFields()) {
			SerializedName name = field.getAnnotation(SerializedName.class);
			if (name != null && !tooDeep) {
				Object value = value(field, name.value());
				if (value != null) {
					object.put(name.value(), value);
				}
			}
		}
		this.around.pop();
		return object;
	}

	private @Nullable Object value(Field field, String name) {
		if (this.variant == Variant.HOLLOW && !isModel(field.getGenericType())) {
			return null;
		}
		if (field.getDeclaringClass() == V1JSONSchemaProps.class && field.getType() == Object.class) {
			return switch (name) {
				case "items", "additionalProperties", "additionalItems" -> schema(name);
				default -> anything();
			};
		}
		if (name.equals("dependencies")) {
			Map<String, Object> dependencies = new LinkedHashMap<>();
			dependencies.put("names", List.of("a", "b"));
			dependencies.put("schema", schema(name));
			return dependencies;
		}
		return value(field.getGenericType());
	}

	private Object schema(String name) {
		if (this.around.stream().filter((each) -> each == V1JSONSchemaProps.class).count() > 1) {
			return name.equals("items") ? List.of(Map.of("type", "string"), Map.of("minLength", 3))
					: this.count % 2 == 0;
		}
		return model(V1JSONSchemaProps.class);
	}

	private @Nullable Object value(Type type) {
		if (type instanceof ParameterizedType parameterized) {
			return collection(parameterized);
		}
		boolean zero = this.variant == Variant.ZEROS;
		this.count++;
		if (type == String.class) {
			return zero ? "" : "text-" + this.count;
		}
		if (type == Integer.class || type == Long.class) {
			return zero ? 0 : this.count;
		}
		if (type == Double.class) {
			return zero ? 0.0 : this.count + 0.5;
		}
		if (type == Boolean.class) {
			return !zero;
		}
		if (type == OffsetDateTime.class) {
			return zero ? null : "2026-01-02T03:%02d:%02d.123456Z".formatted(this.count / 60 % 60, this.count % 60);
		}
		if (type == Quantity.class) {
			return zero ? "0" : List.of("100m", "1Gi", "2k", "1e3", "1.5").get(this.count % 5);
		}
		if (type == IntOrString.class) {
			return zero ? (Object) 0 : (this.count % 2 == 0) ? (Object) this.count : this.count + "%";
		}
		if (type == byte[].class) {
			return zero ? "" : "AAECAwQ=";
		}
		return (type == Object.class) ? anything() : model((Class<?>) type);
	}

	private Object anything() {
		return (this.variant == Variant.ZEROS) ? Map.of()
				: Map.of("text", "text-" + this.count, "list", List.of(1, true, Map.of("nested", 0.5)));
	}

	private @Nullable Object collection(ParameterizedType type) {
		boolean map = type.getRawType() == Map.class;
		Type element = type.getActualTypeArguments()[map ? 1 : 0];
		int size = (this.variant == Variant.ZEROS) ? 1 : 2;
		if (this.variant == Variant.EMPTY) {
			size = 0;
		}
		List<@Nullable Object> list = new ArrayList<>();
		Map<String, @Nullable Object> entries = new LinkedHashMap<>();
		for (int i = 0; i < size; i++) {
			Object value = value(element);
			list.add(value);
			entries.put("key-" + i, value);
		}
		return map ? entries : list;
	}

	private static boolean isModel(Type type) {
		return type instanceof Class<?> modelClass && modelClass.getPackage() == V1JSONSchemaProps.class.getPackage();
	}

	enum Variant {

		/** Every field has a value, every collection two elements. */
		FULL,

		/** Every field is zero, false or "", every collection has one such element. */
		ZEROS,

		/** All fields are set, but collections are empty. */
		EMPTY,

		/** The outermost parts are there, and nothing is in them. */
		HOLLOW

	}

}
