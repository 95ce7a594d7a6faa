package dev.kubeinformer.test.internal.patch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * Finds the fields of an object for server-side apply, and merges the fields of a
 * configuration into it.
 */
final class ApplyMerge {

	private final PatchSchema schema;

	ApplyMerge(PatchSchema schema) {
		this.schema = schema;
	}

	/**
	 * Returns the fields that are set in an object or configuration.
	 * @param type its resource
	 * @param object the object
	 * @return the paths of values, of atomic lists and maps, and of items
	 */
	Set<FieldPath> fields(ResourceDefinition type, ObjectNode object) {
		Set<FieldPath> fields = new LinkedHashSet<>();
		addFields(object, this.schema.root(type), FieldPath.ROOT, fields);
		fields.removeIf(ApplyMerge::isIdentity);
		return fields;
	}

	private static boolean isIdentity(FieldPath path) {
		return switch (String.join("/", path.elements())) {
			case "f:apiVersion", "f:kind", "f:metadata" -> true;
			case "f:metadata/f:name", "f:metadata/f:namespace", "f:metadata/f:uid", "f:metadata/f:resourceVersion",
					"f:metadata/f:creationTimestamp", "f:metadata/f:generation", "f:metadata/f:selfLink",
					"f:metadata/f:deletionTimestamp", "f:metadata/f:deletionGracePeriodSeconds" ->
				true;
			default -> path.elements().size() > 1 && "f:managedFields".equals(path.elements().get(1));
		};
	}

	private void addFields(ObjectNode object, PatchSchema.Shape shape, FieldPath prefix, Set<FieldPath> fields) {
		object.properties().forEach((property) -> {
			FieldPath path = prefix.then("f:" + property.getKey());
			PatchSchema.Shape child = this.schema.child(shape, property.getKey());
			JsonNode value = property.getValue();
			if (value.isEmpty() || child.atomic()) {
				fields.add(path);
			}
			else if (value instanceof ObjectNode nested) {
				addFields(nested, child, path, fields);
			}
			else if (value instanceof ArrayNode list && child.list() != PatchSchema.ListType.ATOMIC) {
				addItems(list, child, path, fields);
			}
			else {
				fields.add(path);
			}
		});
	}

	private void addItems(ArrayNode list, PatchSchema.Shape shape, FieldPath prefix, Set<FieldPath> fields) {
		for (JsonNode item : list) {
			if (shape.list() == PatchSchema.ListType.MAP && item instanceof ObjectNode object) {
				FieldPath path = prefix.then(FieldPath.item(item, shape));
				fields.add(path);
				addFields(object, shape, path, fields);
			}
			else {
				fields.add(prefix.then("v:" + item));
			}
		}
	}

	void merge(ResourceDefinition type, ObjectNode target, ObjectNode configuration) {
		merge(target, configuration, this.schema.root(type));
	}

	private void merge(ObjectNode target, ObjectNode configuration, PatchSchema.Shape shape) {
		configuration.properties().forEach((property) -> {
			String name = property.getKey();
			PatchSchema.Shape child = this.schema.child(shape, name);
			JsonNode value = property.getValue();
			JsonNode current = target.path(name);
			if (value instanceof ObjectNode nested && current instanceof ObjectNode object && !child.atomic()) {
				merge(object, nested, child);
			}
			else if (value instanceof ArrayNode list && current instanceof ArrayNode before
					&& child.list() != PatchSchema.ListType.ATOMIC) {
				mergeItems(before, list, child);
			}
			else {
				target.set(name, value.deepCopy());
			}
		});
	}

	// Items of the configuration have the order of the configuration. Items that only the
	// object has stay before the next item that both have.
	private void mergeItems(ArrayNode before, ArrayNode configuration, PatchSchema.Shape shape) {
		Map<String, JsonNode> there = byIdentity(before, shape);
		Map<String, JsonNode> applied = byIdentity(configuration, shape);
		Deque<String> rest = new ArrayDeque<>(there.keySet());
		List<JsonNode> merged = new ArrayList<>();
		List<String> shared = new ArrayList<>(applied.keySet());
		shared.retainAll(there.keySet());
		for (String item : applied.keySet()) {
			String next = (shared.isEmpty()) ? null : shared.get(0);
			takeUpTo(next, rest, applied.keySet(), there, merged);
			merged.add(mergedItem(there.get(item), applied.get(item), shape));
			if (item.equals(next)) {
				shared.remove(0);
				rest.remove(item);
			}
		}
		takeUpTo(null, rest, applied.keySet(), there, merged);
		before.removeAll().addAll(merged);
	}

	private static void takeUpTo(@Nullable String next, Deque<String> rest, Set<String> applied,
			Map<String, JsonNode> there, List<JsonNode> merged) {
		while (!rest.isEmpty() && !rest.peek().equals(next)) {
			String item = rest.remove();
			if (!applied.contains(item)) {
				merged.add(there.get(item));
			}
		}
	}

	private static Map<String, JsonNode> byIdentity(ArrayNode list, PatchSchema.Shape shape) {
		Map<String, JsonNode> items = new LinkedHashMap<>();
		boolean keyed = shape.list() == PatchSchema.ListType.MAP;
		list.forEach((item) -> items.putIfAbsent((keyed) ? FieldPath.item(item, shape) : item.toString(), item));
		return items;
	}

	private JsonNode mergedItem(@Nullable JsonNode there, JsonNode applied, PatchSchema.Shape shape) {
		if (there instanceof ObjectNode object && applied instanceof ObjectNode configuration) {
			merge(object, configuration, shape);
			return object;
		}
		return (there != null) ? there : applied.deepCopy();
	}

}
