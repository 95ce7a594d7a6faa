package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Finds the reasons why server-side apply cannot read a configuration of a custom
 * resource. Before the validation, server-side apply rejects unknown fields and values of
 * another type (typed/validate.go of sigs.k8s.io/structured-merge-diff).
 */
final class AppliedTypes {

	private static final String TEXT = "{\"type\": \"string\"}";

	private static final String TEXTS = "{\"type\": \"object\", \"additionalProperties\": " + TEXT + "}";

	private static final String TIME = "{\"type\": \"string\", \"format\": \"date-time\"}";

	// Fields that every embedded object has for server-side apply, as in the OpenAPI
	// document.
	private static final Structural OBJECT = Structural.of(Json.readObject("""
			{"type": "object", "properties": {"apiVersion": TEXT, "kind": TEXT, "metadata": {"type": "object",
			"properties": {"annotations": TEXTS, "creationTimestamp": TIME,
			"deletionGracePeriodSeconds": {"type": "integer"}, "deletionTimestamp": TIME,
			"finalizers": {"type": "array", "x-kubernetes-list-type": "set", "items": TEXT}, "generateName": TEXT,
			"generation": {"type": "integer"}, "labels": TEXTS, "managedFields": {"type": "array", "items":
			{"type": "object", "properties": {"apiVersion": TEXT, "fieldsType": TEXT, "fieldsV1": {"type": "object"},
			"manager": TEXT, "operation": TEXT, "subresource": TEXT, "time": TIME}}}, "name": TEXT, "namespace": TEXT,
			"ownerReferences": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"],
			"items": {"type": "object", "properties": {"apiVersion": TEXT, "blockOwnerDeletion": {"type": "boolean"},
			"controller": {"type": "boolean"}, "kind": TEXT, "name": TEXT, "uid": TEXT}}}, "resourceVersion": TEXT,
			"selfLink": TEXT, "uid": TEXT}}}}""".replace("TEXTS", TEXTS).replace("TEXT", TEXT).replace("TIME", TIME)));

	private final List<String> errors = new ArrayList<>();

	private AppliedTypes() {
	}

	static List<String> errors(Structural schema, ObjectNode configuration) {
		AppliedTypes check = new AppliedTypes();
		configuration.properties().forEach((field) -> {
			String name = field.getKey();
			if (!Set.of("apiVersion", "kind", "metadata").contains(name)) {
				check.field(schema, name, field.getValue(), "", false);
			}
		});
		List<String> unknown = new ArrayList<>();
		MetadataFields.coerce(configuration.path("metadata").deepCopy(), ".metadata", unknown);
		unknown.forEach((path) -> check.errors.add(path + ": field not declared in schema"));
		return check.errors;
	}

	private void field(Structural schema, String name, JsonNode value, String path, boolean around) {
		boolean kept = around || schema.preserve;
		Structural child = schema.field(name);
		if (child != null) {
			check(child, value, path + "." + name, kept);
		}
		else if (schema.closed || (!kept && !schema.open)) {
			this.errors.add(path + "." + name + ": field not declared in schema");
		}
	}

	// A schema that preserves unknown fields also preserves them in all nested values.
	private void check(Structural schema, JsonNode value, String path, boolean kept) {
		if (value.isNull() || schema.types.size() > 1) {
			return;
		}
		switch (schema.types.isEmpty() ? JsonTypes.of(value) : schema.types.get(0)) {
			case "object" -> object(schema, value, path, kept);
			case "array" -> list(schema, value, path, kept);
			case "string" -> text(schema, value, path);
			case "boolean" -> {
				if (!schema.types.isEmpty()) {
					expect(value.isBoolean(), path, "boolean", value);
				}
			}
			default -> {
				if (!schema.types.isEmpty() && !value.isNumber()) {
					this.errors.add(path + ": expected numeric (int or float), got " + type(value));
				}
			}
		}
	}

	// Server-side apply accepts any scalar for a text with a format.
	private void text(Structural schema, JsonNode value, String path) {
		String format = schema.source.path("format").asString("");
		if (schema.types.isEmpty() || (!format.isEmpty() && !"byte".equals(format))) {
			expect(!value.isContainer(), path, "any scalar", value);
		}
		else if (!value.isString()) {
			this.errors
				.add(path + ": expected string, got &value.valueUnstructured{Value:" + GoText.literal(value) + "}");
		}
	}

	private void expect(boolean fits, String path, String expected, JsonNode value) {
		if (!fits) {
			this.errors.add(path + ": expected " + expected + ", got &{" + GoText.plain(value) + "}");
		}
	}

	private static String type(JsonNode value) {
		return switch (value.getNodeType()) {
			case OBJECT -> "map[string]interface {}";
			case ARRAY -> "[]interface {}";
			case BOOLEAN -> "bool";
			default -> "string";
		};
	}

	// An object without properties accepts any field; it is pruned later.
	private void object(Structural schema, JsonNode value, String path, boolean kept) {
		if (!(value instanceof ObjectNode object)) {
			expect(false, path, "map", value);
			return;
		}
		boolean free = schema.properties.isEmpty() && !schema.open && !schema.embedded;
		object.properties().forEach((field) -> {
			Structural own = (schema.embedded) ? OBJECT.properties.get(field.getKey()) : null;
			if (own != null) {
				check(own, field.getValue(), path + "." + field.getKey(), false);
			}
			else {
				field(schema, field.getKey(), field.getValue(), path, kept || free);
			}
		});
	}

	// The check of a list ends at an item without a path.
	private void list(Structural schema, JsonNode value, String path, boolean kept) {
		if (!(value instanceof ArrayNode list)) {
			expect(false, path, "list", value);
			return;
		}
		Set<String> seen = new HashSet<>();
		for (int i = 0; i < list.size(); i++) {
			JsonNode item = list.get(i);
			String there = item(schema, item, i, path, seen);
			if (there == null) {
				return;
			}
			if (schema.items != null) {
				check(schema.items, item, there, kept);
			}
		}
	}

	// Returns the path of an item, or null if it has none.
	private @Nullable String item(Structural schema, JsonNode item, int index, String path, Set<String> seen) {
		String key;
		switch (schema.listType) {
			case "set" -> {
				if (item.isContainer() || item.isNull()) {
					return withoutPath(path, index, noMember(item));
				}
				key = "[=" + GoText.key(item) + "]";
			}
			case "map" -> {
				if (!item.isObject()) {
					return withoutPath(path, index, "associative list with keys may not have "
							+ ((item.isNull()) ? "a null element" : "non-map elements"));
				}
				ObjectNode fields = keyOf(schema, item);
				if (fields.isEmpty()) {
					String keys = schema.mapKeys.stream().map(GoText::quoted).collect(Collectors.joining(" "));
					return withoutPath(path, index, "associative list with keys has an element that omits all key "
							+ "fields [" + keys + "] (and doesn't have default values for any key fields)");
				}
				key = new TreeSet<>(fields.propertyNames()).stream()
					.map((name) -> name + "=" + GoText.key(fields.path(name)))
					.collect(Collectors.joining(",", "[", "]"));
			}
			default -> {
				return path + "[" + index + "]";
			}
		}
		if (!seen.add(key)) {
			this.errors.add(path + ": duplicate entries for key " + key);
		}
		return path + key;
	}

	private @Nullable String withoutPath(String path, int index, String why) {
		this.errors.add(path + ": element " + index + ": " + why);
		return null;
	}

	private static String noMember(JsonNode item) {
		if (item.isArray()) {
			return "not supported: associative list with lists as elements";
		}
		return "associative list without keys has an element that's "
				+ ((item.isNull()) ? "an explicit null" : "a map type");
	}

	private static ObjectNode keyOf(Structural schema, JsonNode item) {
		ObjectNode key = ListTypes.key(schema, item);
		schema.mapKeys.forEach((name) -> {
			Structural field = (schema.items != null) ? schema.items.field(name) : null;
			if (!key.has(name) && field != null && field.defaultValue != null) {
				key.set(name, field.defaultValue);
			}
		});
		return key;
	}

}
