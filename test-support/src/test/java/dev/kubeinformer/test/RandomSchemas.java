package dev.kubeinformer.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random schemas, and random objects that mostly follow them.
 */
final class RandomSchemas {

	private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

	private static final List<String> TEXTS = List.of("a", "bb", "abc", "Abc", "x1", "", "hello", "2024-01-02",
			"2024-01-02T03:04:05Z", "10.0.0.1", "fe80::1", "YWJj", "5m", "http://example.com/a", "a.example.com",
			"\"q\"<&>", "ä€", "3d", "a@b.c", "10.0.0.0/8", "00:11:22:33:44:55", "123e4567-e89b-42d3-a456-426614174000",
			"#fff", "1");

	private static final List<String> FORMATS = List.of("date-time", "date", "ipv4", "ipv6", "byte", "duration", "uri",
			"hostname", "email", "cidr", "mac", "uuid", "uuid4", "hexcolor", "password", "nonsense", "datetime");

	private static final List<String> PATTERNS = List.of("^[a-z]+$", "^.{1,3}$", "b", "^x", "[[:digit:]]$");

	private final Random random;

	private final double wrong;

	RandomSchemas(Random random, double wrong) {
		this.random = random;
		this.wrong = wrong;
	}

	private boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	private <T> T one(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	ObjectNode root() {
		ObjectNode root = JSON.objectNode().put("type", "object");
		ObjectNode properties = root.putObject("properties");
		properties.set("spec", object(3));
		properties.set("status", object(2));
		if (chance(0.3)) {
			properties.set("extra", schema(1));
		}
		if (chance(0.5)) {
			root.putArray("required").add("spec");
		}
		return root;
	}

	private ObjectNode schema(int depth) {
		ObjectNode schema = switch (this.random.nextInt((depth > 0) ? 12 : 5)) {
			case 0 -> text();
			case 1 -> number("integer", List.of("int32", "int64"));
			case 2 -> number("number", List.of("float", "double"));
			case 3 -> JSON.objectNode().put("type", "boolean");
			case 4 -> JSON.objectNode().put("x-kubernetes-int-or-string", true);
			case 5 -> map(depth);
			case 6 -> list(depth);
			case 7 -> set();
			case 8 -> listMap(depth);
			case 9 -> open();
			default -> object(depth);
		};
		if (chance(0.15)) {
			schema.put("nullable", true);
		}
		if (chance(0.2)) {
			JsonNode value = value(schema);
			if (!value.isMissingNode() && !value.isNull()) {
				schema.set("default", value);
			}
		}
		return schema;
	}

	private ObjectNode open() {
		ObjectNode schema = JSON.objectNode().put("type", "object");
		if (chance(0.5)) {
			schema.put("x-kubernetes-embedded-resource", true);
		}
		if (chance(0.3)) {
			schema.putObject("properties").set("known", text());
		}
		return schema.put("x-kubernetes-preserve-unknown-fields", true);
	}

	private ObjectNode text() {
		ObjectNode schema = JSON.objectNode().put("type", "string");
		switch (this.random.nextInt(8)) {
			case 0 -> schema.put("minLength", 1 + this.random.nextInt(2));
			case 1 -> schema.put("maxLength", 1 + this.random.nextInt(4));
			case 2 -> schema.put("pattern", one(PATTERNS));
			case 3 -> schema.putArray("enum").add("a").add("bb").add("Abc");
			case 4 -> schema.put("format", one(FORMATS));
			case 5 -> {
				schema.putArray("anyOf").addObject().put("maxLength", 1);
				schema.withArray("anyOf").addObject().put("pattern", one(PATTERNS)).put("minLength", 3);
			}
			case 6 -> {
				schema.put("minLength", 2).put("maxLength", 3).put("pattern", one(PATTERNS));
				schema.putArray("allOf").addObject().putObject("not").putArray("enum").add("bb");
			}
			default -> {
			}
		}
		return schema;
	}

	private ObjectNode number(String type, List<String> formats) {
		ObjectNode schema = JSON.objectNode().put("type", type);
		if (chance(0.4)) {
			schema.put("minimum", this.random.nextInt(5));
			if (chance(0.3)) {
				schema.put("exclusiveMinimum", true);
			}
		}
		if (chance(0.4)) {
			schema.put("maximum", 5 + this.random.nextInt(5));
			if (chance(0.3)) {
				schema.put("exclusiveMaximum", true);
			}
		}
		if (chance(0.2)) {
			schema.put("multipleOf", 1 + this.random.nextInt(3));
		}
		if (chance(0.3)) {
			schema.put("format", one(formats));
		}
		if (chance(0.1)) {
			schema.putArray("enum").add(1).add(2).add(7);
		}
		return schema;
	}

	private ObjectNode object(int depth) {
		ObjectNode schema = JSON.objectNode().put("type", "object");
		ObjectNode properties = schema.putObject("properties");
		List<String> names = new ArrayList<>();
		int count = 1 + this.random.nextInt(4);
		for (int i = 0; i < count; i++) {
			String name = "" + (char) ('a' + i);
			names.add(name);
			properties.set(name, schema(depth - 1));
		}
		names.stream().filter((name) -> chance(0.25)).forEach(schema.withArray("required")::add);
		if (schema.path("required").isEmpty()) {
			schema.remove("required");
		}
		switch (this.random.nextInt(10)) {
			case 0 -> schema.put("minProperties", 1);
			case 1 -> schema.put("maxProperties", 2);
			case 2 -> {
				schema.putArray("oneOf").addObject().putArray("required").add("a");
				schema.withArray("oneOf").addObject().putArray("required").add(names.get(names.size() - 1));
			}
			case 3 -> schema.putObject("not").putArray("required").add("a").add(names.get(names.size() - 1));
			case 4 -> schema.put("x-kubernetes-map-type", "atomic");
			case 5 -> schema.put("x-kubernetes-preserve-unknown-fields", true);
			default -> {
			}
		}
		return schema;
	}

	private ObjectNode map(int depth) {
		ObjectNode schema = JSON.objectNode().put("type", "object");
		if (chance(0.1)) {
			return schema.put("additionalProperties", true);
		}
		schema.set("additionalProperties", withoutDefaults(schema(depth - 1)));
		if (chance(0.3)) {
			schema.put("maxProperties", 2);
		}
		return schema;
	}

	private static ObjectNode withoutDefaults(ObjectNode schema) {
		schema.findParents("default").forEach((parent) -> ((ObjectNode) parent).remove("default"));
		schema.remove("default");
		return schema;
	}

	private ObjectNode list(int depth) {
		ObjectNode schema = JSON.objectNode().put("type", "array");
		schema.set("items", schema(depth - 1));
		if (chance(0.3)) {
			schema.put("maxItems", 2);
		}
		if (chance(0.2)) {
			schema.put("minItems", 1);
		}
		return schema;
	}

	private ObjectNode set() {
		ObjectNode schema = JSON.objectNode().put("type", "array").put("x-kubernetes-list-type", "set");
		ObjectNode items = chance(0.6) ? text() : number("integer", List.of("int32"));
		schema.set("items", items);
		return schema;
	}

	private ObjectNode listMap(int depth) {
		ObjectNode schema = JSON.objectNode().put("type", "array").put("x-kubernetes-list-type", "map");
		ArrayNode keys = schema.putArray("x-kubernetes-list-map-keys").add("name");
		ObjectNode items = schema.putObject("items").put("type", "object");
		ObjectNode properties = items.putObject("properties");
		properties.putObject("name").put("type", "string");
		items.putArray("required").add("name");
		if (chance(0.4)) {
			keys.add("port");
			properties.putObject("port").put("type", "integer").put("default", 80);
		}
		properties.set("v", schema(depth - 1));
		return schema;
	}

	// An object of the kind; some of its fields are wrong.
	ObjectNode objectOf(ObjectNode root) {
		ObjectNode object = JSON.objectNode();
		root.path("properties").properties().forEach((field) -> {
			if (chance(0.9)) {
				JsonNode value = value(field.getValue());
				if (!value.isMissingNode()) {
					object.set(field.getKey(), value);
				}
			}
		});
		if (chance(this.wrong)) {
			object.put("unknown", 1);
		}
		return object;
	}

	JsonNode value(JsonNode schema) {
		if (chance(this.wrong)) {
			return anything(2);
		}
		if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
			return chance(0.5) ? JSON.numberNode(this.random.nextInt(10)) : JSON.stringNode("50%");
		}
		return switch (schema.path("type").asString("")) {
			case "string" -> textOf(schema);
			case "integer" -> integerOf(schema);
			case "number" -> chance(0.5) ? integerOf(schema) : JSON.numberNode(this.random.nextInt(40) / 4.0);
			case "boolean" -> JSON.booleanNode(chance(0.5));
			case "array" -> listOf(schema);
			default -> fieldsOf(schema);
		};
	}

	private JsonNode anything(int depth) {
		return switch (this.random.nextInt((depth > 0) ? 9 : 7)) {
			case 0 -> JSON.nullNode();
			case 1 -> JSON.stringNode(one(TEXTS));
			case 2 -> JSON.numberNode(this.random.nextInt(20) - 5);
			case 3 -> JSON.numberNode(this.random.nextInt(100) / 8.0);
			case 4 -> JSON.numberNode(3_000_000_000L);
			case 5 -> JSON.booleanNode(chance(0.5));
			case 6 -> JSON.numberNode(1e30);
			case 7 -> {
				ObjectNode object = JSON.objectNode();
				object.set("a", anything(depth - 1));
				object.set("zz", anything(depth - 1));
				yield object;
			}
			default -> JSON.arrayNode().add(anything(depth - 1)).add(anything(depth - 1));
		};
	}

	private JsonNode textOf(JsonNode schema) {
		if (schema.path("enum").isArray() && chance(0.8)) {
			return schema.path("enum").get(this.random.nextInt(schema.path("enum").size()));
		}
		return JSON.stringNode(one(TEXTS));
	}

	private JsonNode integerOf(JsonNode schema) {
		int least = schema.path("minimum").asInt(0);
		return JSON.numberNode(least + this.random.nextInt(5));
	}

	private JsonNode listOf(JsonNode schema) {
		ArrayNode list = JSON.arrayNode();
		int count = this.random.nextInt(4);
		for (int i = 0; i < count; i++) {
			list.add(value(schema.path("items")));
		}
		return list;
	}

	private JsonNode fieldsOf(JsonNode schema) {
		ObjectNode object = JSON.objectNode();
		List<String> required = new ArrayList<>();
		schema.path("required").forEach((name) -> required.add(name.asString()));
		schema.path("properties").properties().forEach((field) -> {
			if (chance(required.contains(field.getKey()) ? 0.95 : 0.6)) {
				object.set(field.getKey(), value(field.getValue()));
			}
		});
		JsonNode additional = schema.path("additionalProperties");
		for (int i = 0; additional.isObject() && i < this.random.nextInt(4); i++) {
			object.set("k" + i, value(additional));
		}
		if (schema.path("x-kubernetes-embedded-resource").asBoolean(false) && chance(0.9)) {
			object.put("apiVersion", "v1").put("kind", "Pod").putObject("metadata").put("name", "p");
		}
		boolean kept = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false) || additional.isBoolean();
		if (chance(kept ? 0.5 : this.wrong)) {
			object.set("unknown", anything(2));
		}
		return object;
	}

}
