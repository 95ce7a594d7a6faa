package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Checks whether a schema is structural: it must define the type of each value outside of
 * {@code anyOf} and similar keywords (pkg/apiserver/schema/validation.go of
 * k8s.io/apiextensions-apiserver).
 */
final class StructuralCheck {

	private static final JsonNode INT_OR_STRING = Json
		.readObject("{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}")
		.path("anyOf");

	private static final List<String> NESTED_TEXTS = List.of("title", "description");

	private static final List<String> NESTED_FLAGS = List.of("nullable", Structural.PRESERVE, Structural.EMBEDDED,
			Structural.INT_OR_STRING);

	private final List<FieldError> errors = new ArrayList<>();

	private StructuralCheck() {
	}

	static List<FieldError> check(JsonNode schema, String path) {
		StructuralCheck check = new StructuralCheck();
		check.node(schema, Level.ROOT, path);
		check.complete(schema, schema, path, path);
		return check.errors.stream().sorted(Comparator.comparing(FieldError::toString)).toList();
	}

	private void node(JsonNode schema, Level level, String path) {
		String type = schema.path("type").asString("");
		JsonNode properties = schema.path("properties");
		if ("array".equals(type) && !schema.has("items")) {
			this.errors.add(FieldError.required(path + ".items", "must be specified"));
		}
		if (schema.path("items").isObject()) {
			node(schema.path("items"), Level.ITEM, path + ".items");
		}
		properties.properties()
			.forEach((field) -> node(field.getValue(), Level.FIELD, path + ".properties[" + field.getKey() + "]"));
		JsonNode additional = schema.path("additionalProperties");
		if (!additional.isMissingNode() && level == Level.ROOT) {
			this.errors.add(FieldError.forbidden(path + ".additionalProperties", "must not be used at the root"));
		}
		if (additional.isObject()) {
			node(additional, Level.FIELD, path + ".additionalProperties");
		}
		boolean intOrString = schema.path(Structural.INT_OR_STRING).asBoolean(false);
		for (String other : List.of(Structural.PRESERVE, Structural.EMBEDDED)) {
			if (intOrString && schema.path(other).asBoolean(false)) {
				this.errors.add(FieldError.shown(path + "." + other, "true",
						"must be false if x-kubernetes-int-or-string is true"));
			}
		}
		values(schema, schema.path("anyOf").equals(INT_OR_STRING),
				schema.path("allOf").path(0).path("anyOf").equals(INT_OR_STRING), path);
		type(schema, type, level, path);
		metadata(schema, level, path);
	}

	private void type(JsonNode schema, String type, Level level, String path) {
		boolean embedded = schema.path(Structural.EMBEDDED).asBoolean(false);
		boolean preserve = schema.path(Structural.PRESERVE).asBoolean(false);
		if (embedded && !"object".equals(type)) {
			wrongType(type, "must be object if x-kubernetes-embedded-resource is true", path);
		}
		else if (type.isEmpty() && !schema.path(Structural.INT_OR_STRING).asBoolean(false) && !preserve) {
			this.errors.add(FieldError.required(path + ".type", level.words));
		}
		if (embedded && schema.has("additionalProperties")) {
			this.errors.add(FieldError.forbidden(path + ".additionalProperties",
					"must not be used if x-kubernetes-embedded-resource is set"));
		}
		if (level == Level.ROOT && !type.isEmpty() && !"object".equals(type)) {
			this.errors.add(FieldError.invalid(path + ".type", type, "must be object at the root"));
		}
		if (embedded && !preserve && schema.path("properties").isEmpty()) {
			this.errors.add(FieldError.required(path + ".properties", "must not be empty if "
					+ "x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"));
		}
	}

	private void wrongType(String type, String why, String path) {
		this.errors.add((type.isEmpty()) ? FieldError.required(path + ".type", why)
				: FieldError.invalid(path + ".type", type, why));
	}

	private void metadata(JsonNode schema, Level level, String path) {
		boolean resource = level == Level.ROOT || schema.path(Structural.EMBEDDED).asBoolean(false);
		JsonNode properties = schema.path("properties");
		for (String name : List.of("kind", "apiVersion")) {
			JsonNode field = properties.path(name);
			if (resource && field.isObject() && !"string".equals(field.path("type").asString(""))) {
				this.errors.add(FieldError.invalid(path + ".properties[" + name + "].type",
						field.path("type").asString(""), "must be string"));
			}
		}
		if (!(properties.path("metadata") instanceof ObjectNode metadata)) {
			return;
		}
		String there = path + ".properties[metadata]";
		if (resource && !"object".equals(metadata.path("type").asString(""))) {
			this.errors.add(FieldError.invalid(there + ".type", metadata.path("type").asString(""), "must be object"));
		}
		boolean plain = Set.of("name", "generateName")
			.containsAll(List.copyOf(metadata.path("properties").propertyNames()))
				&& Set.of("type", "properties", "default").containsAll(List.copyOf(metadata.propertyNames()));
		if (level == Level.ROOT && !plain) {
			this.errors.add(FieldError.forbidden(there, "must not specify anything other than name and generateName, "
					+ "but metadata is implicitly specified"));
		}
	}

	private void values(JsonNode schema, boolean skipAnyOf, boolean skipFirstAllOf, String path) {
		if (!skipAnyOf) {
			nestedAll(schema.path("anyOf"), false, path + ".anyOf");
		}
		nestedAll(schema.path("allOf"), skipFirstAllOf, path + ".allOf");
		nestedAll(schema.path("oneOf"), false, path + ".oneOf");
		if (schema.path("not").isObject()) {
			nested(schema.path("not"), false, path + ".not");
		}
		String pattern = schema.path("pattern").asString("");
		try {
			GoPattern.compile(pattern);
		}
		catch (PatternSyntaxException ex) {
			this.errors.add(FieldError.invalid(path + ".pattern", pattern,
					"must be a valid regular expression, but isn't: " + GoPattern.explain(pattern, ex)));
		}
	}

	private void nestedAll(JsonNode schemas, boolean skipFirst, String path) {
		for (int i = 0; i < schemas.size(); i++) {
			nested(schemas.get(i), skipFirst && i == 0, path + "[" + i + "]");
		}
	}

	private void nested(JsonNode schema, boolean skipAnyOf, String path) {
		values(schema, skipAnyOf, false, path);
		if (schema.path("items").isObject()) {
			nested(schema.path("items"), false, path + ".items");
		}
		schema.path("properties")
			.properties()
			.forEach((field) -> nested(field.getValue(), false, path + ".properties[" + field.getKey() + "]"));
		forbid(!schema.path("type").asString("").isEmpty(), path + ".type", "must be empty to be structural");
		forbid(schema.path("additionalProperties").isObject() || schema.path("additionalProperties").asBoolean(false),
				path + ".additionalProperties", "must be undefined to be structural");
		forbid(schema.has("default") && !schema.path("default").isNull(), path + ".default",
				"must be undefined to be structural");
		NESTED_TEXTS.forEach((name) -> forbid(!schema.path(name).asString("").isEmpty(), path + "." + name,
				"must be empty to be structural"));
		NESTED_FLAGS.forEach((name) -> forbid(schema.path(name).asBoolean(false), path + "." + name,
				"must be false to be structural"));
		forbid(!schema.path(Structural.MAP_KEYS).isEmpty(), path + "." + Structural.MAP_KEYS,
				"must be empty to be structural");
		forbid(schema.has(Structural.LIST_TYPE), path + "." + Structural.LIST_TYPE,
				"must be undefined to be structural");
		forbid(schema.has(Structural.MAP_TYPE), path + "." + Structural.MAP_TYPE, "must be undefined to be structural");
		forbid(!schema.path(Structural.RULES).isEmpty(), path + "." + Structural.RULES,
				"must be empty to be structural");
		forbid(schema.path("properties").has("metadata"), path + ".properties[metadata]",
				"must not be specified in a nested context");
	}

	private void forbid(boolean set, String path, String why) {
		if (set) {
			this.errors.add(FieldError.forbidden(path, why));
		}
	}

	// Checks that each field that an alternative mentions has its own schema.
	private void complete(JsonNode nested, JsonNode schema, String path, String from) {
		for (String junctor : List.of("not", "allOf", "anyOf", "oneOf")) {
			JsonNode alternatives = nested.path(junctor);
			if (alternatives.isObject()) {
				completeNested(alternatives, schema, path, from + "." + junctor);
			}
			for (int i = 0; alternatives.isArray() && i < alternatives.size(); i++) {
				completeNested(alternatives.get(i), schema, path, from + "." + junctor + "[" + i + "]");
			}
		}
	}

	private void completeNested(JsonNode nested, @Nullable JsonNode schema, String path, String from) {
		if (schema == null) {
			this.errors.add(FieldError.required(path, "because it is defined in " + from));
			return;
		}
		complete(nested, schema, path, from);
		if (nested.path("items").isObject()) {
			completeNested(nested.path("items"), schema.get("items"), path + ".items", from + ".items");
		}
		nested.path("properties").properties().forEach((field) -> {
			String name = ".properties[" + field.getKey() + "]";
			completeNested(field.getValue(), schema.path("properties").get(field.getKey()), path + name, from + name);
		});
	}

	/**
	 * Places at which a schema can be, each with the words for a missing type.
	 */
	private enum Level {

		ROOT("must not be empty at the root"), ITEM("must not be empty for specified array items"),
		FIELD("must not be empty for specified object fields");

		private final String words;

		Level(String words) {
			this.words = words;
		}

	}

}
