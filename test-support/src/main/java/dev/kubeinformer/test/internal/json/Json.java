package dev.kubeinformer.test.internal.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts JSON trees to bytes and back.
 */
public final class Json {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private Json() {
	}

	public static ObjectNode object() {
		return MAPPER.createObjectNode();
	}

	public static JsonNode read(byte[] json) {
		return MAPPER.readTree(json);
	}

	public static ObjectNode readObject(byte[] json) {
		return (ObjectNode) MAPPER.readTree(json);
	}

	public static ObjectNode readObject(String json) {
		return (ObjectNode) MAPPER.readTree(json);
	}

	public static byte[] write(JsonNode node) {
		return MAPPER.writeValueAsBytes(node);
	}

	public static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Returns a text field of an object, or {@code null} if it is absent, empty or not a
	 * text.
	 * @param node the object
	 * @param name the name of the field
	 * @return the text or {@code null}
	 */
	public static @Nullable String text(JsonNode node, String name) {
		JsonNode value = node.path(name);
		return (value.isString() && !value.stringValue().isEmpty()) ? value.stringValue() : null;
	}

	/**
	 * Returns a value inside an object.
	 * @param object the object
	 * @param path the names of fields, separated by dots
	 * @return the value, or a missing node
	 */
	public static JsonNode at(JsonNode object, String path) {
		JsonNode node = object;
		for (String name : path.split("\\.")) {
			node = node.path(name);
		}
		return node;
	}

	// Removes all fields that are null, at any depth.
	public static void dropNulls(JsonNode node) {
		if (node instanceof ObjectNode object) {
			List<String> nulls = new ArrayList<>();
			object.properties().forEach((property) -> {
				if (property.getValue().isNull()) {
					nulls.add(property.getKey());
				}
				dropNulls(property.getValue());
			});
			object.remove(nulls);
		}
		else if (node instanceof ArrayNode array) {
			array.forEach(Json::dropNulls);
		}
	}

}
