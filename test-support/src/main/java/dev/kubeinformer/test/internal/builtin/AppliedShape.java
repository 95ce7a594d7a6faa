package dev.kubeinformer.test.internal.builtin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.Field;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ObjectType;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ValueType;

/**
 * Finds the reasons why server-side apply cannot read a configuration of a built-in type.
 * Server-side apply rejects unknown fields and values of another type, whatever
 * {@code fieldValidation} requests (typed/validate.go of structured-merge-diff).
 */
public final class AppliedShape {

	private final BuiltInSchemas schemas;

	private final List<String> errors = new ArrayList<>(0);

	private AppliedShape(BuiltInSchemas schemas) {
		this.schemas = schemas;
	}

	/**
	 * Checks a configuration.
	 * @param schemas the schemas
	 * @param type its type
	 * @param configuration the configuration
	 * @return the errors
	 */
	public static List<String> errors(BuiltInSchemas schemas, ObjectType type, ObjectNode configuration) {
		AppliedShape shape = new AppliedShape(schemas);
		shape.object(type, configuration, "");
		return shape.errors;
	}

	private void object(ObjectType type, ObjectNode object, String path) {
		object.properties().forEach((property) -> {
			Field field = type.field(property.getKey());
			String there = path + "." + property.getKey();
			if (field == null) {
				this.errors.add(there + ": field not declared in schema");
			}
			else {
				value(field.type(), field, property.getValue(), there);
			}
		});
	}

	private void value(ValueType type, @Nullable Field field, JsonNode value, String path) {
		if (value.isNull()) {
			return;
		}
		switch (type.form()) {
			case OBJECT -> {
				if (value instanceof ObjectNode object) {
					object(this.schemas.type(type.name()), object, path);
				}
				else {
					expected("map", value, path);
				}
			}
			case MAP -> {
				if (value instanceof ObjectNode map) {
					map.properties()
						.forEach((entry) -> value(type.item(), null, entry.getValue(), path + "." + entry.getKey()));
				}
				else {
					expected("map", value, path);
				}
			}
			case LIST -> {
				if (value instanceof ArrayNode list) {
					list(type.item(), field, list, path);
				}
				else {
					expected("list", value, path);
				}
			}
			case STRING, BYTES, TIME, MICRO_TIME -> {
				if (!value.isString()) {
					this.errors.add(path + ": expected string, got &value.valueUnstructured{Value:" + go(value) + "}");
				}
			}
			case BOOL -> {
				if (!value.isBoolean()) {
					expected("boolean", value, path);
				}
			}
			case INT32, INT64, FLOAT64 -> {
				if (!value.isNumber()) {
					this.errors.add(path + ": expected numeric (int or float), got "
							+ (value.isString() ? "string" : value.isBoolean() ? "bool" : go(value)));
				}
			}
			default -> {
			}
		}
	}

	private void expected(String what, JsonNode value, String path) {
		this.errors.add(path + ": expected " + what + ", got &{" + go(value) + "}");
	}

	private void list(ValueType item, @Nullable Field field, ArrayNode list, String path) {
		String keys = (field != null) ? field.attributes().get("keys") : null;
		Set<String> known = new HashSet<>();
		for (int i = 0; i < list.size(); i++) {
			JsonNode value = list.get(i);
			if (keys == null) {
				value(item, null, value, path + "[" + i + "]");
				continue;
			}
			if (!value.isObject()) {
				this.errors.add(path + ": element " + i + ": associative list with keys may not have non-map elements");
				continue;
			}
			String key = key(item, keys, value);
			if (!known.add(key)) {
				this.errors.add(path + ": duplicate entries for key " + key);
			}
			value(item, null, value, path + key);
		}
	}

	private String key(ValueType item, String keys, JsonNode value) {
		ObjectType type = this.schemas.type(item.name());
		TreeMap<String, String> parts = new TreeMap<>();
		for (String name : keys.split(",")) {
			Field field = type.field(name);
			JsonNode standard = (field != null) ? field.defaultValue() : null;
			JsonNode part = value.path(name);
			if (part.isMissingNode() && standard != null) {
				part = standard;
			}
			parts.put(name, name + "=" + (part.isMissingNode() ? "\"\"" : part));
		}
		return "[" + String.join(",", parts.values()) + "]";
	}

	// Prints a value as Go does.
	private static String go(JsonNode value) {
		if (value instanceof ObjectNode object) {
			TreeMap<String, String> entries = new TreeMap<>();
			object.properties()
				.forEach((entry) -> entries.put(entry.getKey(), entry.getKey() + ":" + go(entry.getValue())));
			return "map[" + String.join(" ", entries.values()) + "]";
		}
		if (value instanceof ArrayNode list) {
			List<String> items = new ArrayList<>();
			list.forEach((item) -> items.add(go(item)));
			return "[" + String.join(" ", items) + "]";
		}
		return value.asString("");
	}

}
