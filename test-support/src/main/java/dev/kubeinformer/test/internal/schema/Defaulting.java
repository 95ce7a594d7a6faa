package dev.kubeinformer.test.internal.schema;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets absent fields to their defaults, and removes fields that must not be null
 * (pkg/apiserver/schema/defaulting of k8s.io/apiextensions-apiserver).
 */
final class Defaulting {

	private Defaulting() {
	}

	static void addDefaults(@Nullable Structural schema, JsonNode value) {
		if (schema == null) {
			return;
		}
		if (value instanceof ArrayNode list) {
			for (int i = 0; i < list.size(); i++) {
				Structural items = schema.items;
				if (items != null && items.defaultValue != null && isMissing(list.get(i), items)) {
					list.set(i, items.defaultValue.deepCopy());
				}
				addDefaults(items, list.get(i));
			}
		}
		else if (value instanceof ObjectNode object) {
			schema.properties.forEach((name, field) -> {
				JsonNode present = object.path(name);
				if (field.defaultValue != null && (present.isMissingNode() || isMissing(present, field))) {
					object.set(name, field.defaultValue.deepCopy());
				}
			});
			for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
				addDefaults(schema.field(field.getKey()), field.getValue());
			}
		}
	}

	private static boolean isMissing(JsonNode value, Structural schema) {
		return value.isNull() && !schema.nullable;
	}

	/**
	 * Removes fields that are null if they are not nullable and have no default.
	 * @param schema the schema, or {@code null} if it is open
	 * @param value the value, which is changed
	 */
	static void dropNulls(@Nullable Structural schema, JsonNode value) {
		if (value instanceof ArrayNode list) {
			list.forEach((item) -> dropNulls((schema != null) ? schema.items : null, item));
		}
		else if (value instanceof ObjectNode object) {
			for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
				Structural child = (schema != null) ? schema.field(field.getKey()) : null;
				if (child != null && isMissing(field.getValue(), child) && child.defaultValue == null) {
					object.remove(field.getKey());
				}
				else {
					dropNulls(child, field.getValue());
				}
			}
		}
	}

}
