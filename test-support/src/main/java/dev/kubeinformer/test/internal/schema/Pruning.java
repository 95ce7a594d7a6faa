package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes the fields that a schema does not have, and returns their paths
 * (pkg/apiserver/schema/pruning of k8s.io/apiextensions-apiserver).
 */
final class Pruning {

	private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

	private final List<String> removed = new ArrayList<>();

	/**
	 * Prunes an object.
	 * @param schema the schema of a complete object
	 * @param object the object, which is changed
	 * @return the sorted paths of the removed fields
	 */
	static List<String> prune(Structural schema, ObjectNode object) {
		Pruning pruning = new Pruning();
		pruning.prune(object, schema, "", true, false);
		return pruning.removed.stream().sorted().toList();
	}

	/**
	 * Prunes a value inside an object, such as a default.
	 * @param schema its schema
	 * @param value the value, which is changed
	 */
	static void pruneValue(Structural schema, JsonNode value) {
		new Pruning().prune(value, schema, "", schema.embedded, false);
	}

	private void prune(JsonNode value, @Nullable Structural schema, String path, boolean resource, boolean forced) {
		boolean kept = forced || (schema != null && schema.preserve);
		if (value instanceof ArrayNode list) {
			Structural items = (schema != null) ? schema.items : null;
			for (int i = 0; i < list.size(); i++) {
				if (!kept || items != null) {
					prune(list.get(i), items, path + "[" + i + "]", items != null && items.embedded, kept);
				}
			}
		}
		else if (value instanceof ObjectNode object) {
			for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
				if (!resource || !META.contains(field.getKey())) {
					pruneField(object, field, schema, path, kept);
				}
			}
		}
	}

	private void pruneField(ObjectNode object, Map.Entry<String, JsonNode> field, @Nullable Structural schema,
			String path, boolean kept) {
		String name = field.getKey();
		String there = (path.isEmpty()) ? name : path + "." + name;
		Structural child = (schema != null) ? schema.field(name) : null;
		if (child != null) {
			prune(field.getValue(), child, there, child.embedded, false);
		}
		else if (schema != null && schema.open) {
			prune(field.getValue(), null, there, false, false);
		}
		else if (!kept) {
			// Do not report fields of the object itself that the server fills in.
			if (!path.isEmpty() || !META.contains(name)) {
				this.removed.add(there);
			}
			object.remove(name);
		}
	}

}
