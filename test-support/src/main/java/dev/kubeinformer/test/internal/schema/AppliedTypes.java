package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reasons for which server-side apply cannot read a configuration: it refuses unknown
 * fields and other types before the object is validated (typed/validate.go of
 * sigs.k8s.io/structured-merge-diff).
 */
final class AppliedTypes {

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
		else if (!kept && !schema.open) {
			this.errors.add(path + "." + name + ": field not declared in schema");
		}
	}

	// Whoever preserves unknown fields does so for all inside.
	private void check(Structural schema, JsonNode value, String path, boolean kept) {
		if (value.isNull() || schema.types.size() != 1) {
			return;
		}
		switch (schema.types.get(0)) {
			case "object" -> object(schema, value, path, kept);
			case "array" -> list(schema, value, path, kept);
			case "string" -> expect(isUntyped(schema) || value.isString(), path, "string",
					"&value.valueUnstructured{Value:" + go(value) + "}");
			case "boolean" ->
				expect(value.isBoolean(), path, "boolean", "&value.valueUnstructured{Value:" + go(value) + "}");
			default -> expect(value.isNumber(), path, "numeric (int or float)", type(value));
		}
	}

	// A text with a format may be anything for server-side apply.
	private static boolean isUntyped(Structural schema) {
		String format = schema.source.path("format").asString("");
		return !format.isEmpty() && !"byte".equals(format);
	}

	private void expect(boolean fits, String path, String expected, String found) {
		if (!fits) {
			this.errors.add(path + ": expected " + expected + ", got " + found);
		}
	}

	private static String go(JsonNode value) {
		return switch (value.getNodeType()) {
			case OBJECT -> "map[string]interface {}" + GoText.json(value);
			case ARRAY -> "[]interface {}" + GoText.json(value);
			default -> GoText.of(value);
		};
	}

	private static String type(JsonNode value) {
		return switch (value.getNodeType()) {
			case OBJECT -> "map[string]interface {}";
			case ARRAY -> "[]interface {}";
			case BOOLEAN -> "bool";
			default -> "string";
		};
	}

	private void object(Structural schema, JsonNode value, String path, boolean kept) {
		if (value instanceof ObjectNode object) {
			object.properties().forEach((field) -> {
				boolean implicit = schema.embedded && Set.of("apiVersion", "kind", "metadata").contains(field.getKey());
				if (!implicit) {
					field(schema, field.getKey(), field.getValue(), path, kept);
				}
			});
		}
		else {
			expect(false, path, "map", "&{" + GoText.of(value) + "}");
		}
	}

	private void list(Structural schema, JsonNode value, String path, boolean kept) {
		if (!(value instanceof ArrayNode list)) {
			expect(false, path, "list", "&{" + GoText.of(value) + "}");
			return;
		}
		Set<JsonNode> seen = new HashSet<>();
		for (int i = 0; i < list.size(); i++) {
			JsonNode item = list.get(i);
			String there = item(schema, item, i, path, seen);
			if (there != null && schema.items != null) {
				check(schema.items, item, there, kept);
			}
		}
	}

	// Returns the path of an item, or null if it has none.
	private @Nullable String item(Structural schema, JsonNode item, int index, String path, Set<JsonNode> seen) {
		return switch (schema.listType) {
			case "set" -> {
				if (item.isNull()) {
					this.errors.add(path + ": element " + index
							+ ": associative list without keys has an element that's an explicit null");
				}
				else if (item.isContainer()) {
					this.errors
						.add(path + ": element " + index + ": associative list without keys has an element that's a "
								+ ((item.isObject()) ? "map" : "list") + " type");
				}
				else if (!seen.add(item)) {
					this.errors.add(path + ": duplicate entries for key [=" + GoText.of(item) + "]");
				}
				yield (item.isContainer()) ? null : path + "[=" + GoText.of(item) + "]";
			}
			case "map" -> {
				ObjectNode key = ListTypes.key(schema, item);
				schema.mapKeys.forEach((name) -> {
					Structural field = (schema.items != null) ? schema.items.field(name) : null;
					if (!key.has(name) && field != null && field.defaultValue != null) {
						key.set(name, field.defaultValue);
					}
				});
				if (item.isNull()) {
					this.errors
						.add(path + ": element " + index + ": associative list with keys may not have a null element");
					yield null;
				}
				if (!item.isObject()) {
					this.errors.add(
							path + ": element " + index + ": associative list with keys may not have non-map elements");
					yield null;
				}
				if (key.isEmpty()) {
					String keys = schema.mapKeys.stream().map(GoText::quoted).collect(Collectors.joining(", "));
					this.errors.add(path + ": element " + index
							+ ": associative list with keys has an element that omits all key fields [" + keys
							+ "] (and doesn't have default values for any key fields)");
					yield null;
				}
				String text = key.properties()
					.stream()
					.map((field) -> field.getKey() + "=" + GoText.of(field.getValue()))
					.collect(Collectors.joining(",", "[", "]"));
				if (!seen.add(key)) {
					this.errors.add(path + ": duplicate entries for key " + text);
				}
				yield path + text;
			}
			default -> path + "[" + index + "]";
		};
	}

}
