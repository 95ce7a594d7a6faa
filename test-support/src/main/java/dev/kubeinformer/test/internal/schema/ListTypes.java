package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Finds items that occur twice in a list of the type {@code set}, and items with equal
 * keys in a list of the type {@code map} (pkg/apiserver/schema/listtype of
 * k8s.io/apiextensions-apiserver).
 */
final class ListTypes {

	private final List<FieldError> errors = new ArrayList<>();

	private ListTypes() {
	}

	static List<FieldError> validate(Structural schema, JsonNode value) {
		ListTypes check = new ListTypes();
		check.check(schema, value, "");
		return check.errors;
	}

	private void check(Structural schema, JsonNode value, String path) {
		if (value instanceof ArrayNode list) {
			switch (schema.listType) {
				case "set" -> duplicates(list, list, path);
				case "map" -> checkMap(schema, list, path);
				default -> {
				}
			}
			if (schema.items != null) {
				for (int i = 0; i < list.size(); i++) {
					check(schema.items, list.get(i), path + "[" + i + "]");
				}
			}
		}
		else if (value instanceof ObjectNode object) {
			object.properties().forEach((field) -> checkField(schema, field, path));
		}
	}

	private void checkField(Structural schema, Map.Entry<String, JsonNode> field, String path) {
		String name = field.getKey();
		Structural property = schema.properties.get(name);
		if (property != null) {
			check(property, field.getValue(), (path.isEmpty()) ? name : path + "." + name);
		}
		else if (schema.additional != null) {
			check(schema.additional, field.getValue(), path + "[" + name + "]");
		}
	}

	private void checkMap(Structural schema, ArrayNode list, String path) {
		ArrayNode keys = list.arrayNode();
		for (int i = 0; i < list.size(); i++) {
			JsonNode item = list.get(i);
			if (!item.isObject() && !item.isNull()) {
				this.errors.add(FieldError.invalid(path + "[" + i + "]", item,
						"must be an object for an array of list-type map"));
				return;
			}
			keys.add(key(schema, item));
		}
		duplicates(keys, keys, path);
	}

	/**
	 * Returns the key of an item.
	 * @param schema the schema of the list
	 * @param item the item
	 * @return the fields of the key that are set
	 */
	static ObjectNode key(Structural schema, JsonNode item) {
		ObjectNode key = Json.object();
		for (String name : schema.mapKeys) {
			if (item.has(name)) {
				key.set(name, item.get(name));
			}
		}
		return key;
	}

	// Reports each duplicate once, at its second occurrence.
	private void duplicates(ArrayNode list, ArrayNode shown, String path) {
		Map<JsonNode, Integer> seen = new HashMap<>();
		for (int i = 0; i < list.size(); i++) {
			if (seen.merge(list.get(i), 1, Integer::sum) == 2) {
				this.errors.add(FieldError.duplicate(path + "[" + i + "]", shown.get(i)));
			}
		}
	}

}
