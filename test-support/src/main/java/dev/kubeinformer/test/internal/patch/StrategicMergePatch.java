package dev.kubeinformer.test.internal.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Strategic merge patch of Kubernetes, like the package strategicpatch of
 * k8s.io/apimachinery. It merges lists by the keys of their items, and supports
 * directives such as {@code $patch: delete}.
 */
public final class StrategicMergePatch {

	private static final String DIRECTIVE = "$patch";

	private static final String RETAIN = "$retainKeys";

	private static final String ORDER = "$setElementOrder/";

	private static final String DELETE = "$deleteFromPrimitiveList/";

	private final PatchSchema schema;

	public StrategicMergePatch(PatchSchema schema) {
		this.schema = schema;
	}

	/**
	 * Applies a patch.
	 * @param type the resource
	 * @param target the object, which this method may modify
	 * @param patch the patch
	 * @return the patched object
	 */
	public ObjectNode apply(ResourceDefinition type, ObjectNode target, ObjectNode patch) {
		return merge(target, patch, this.schema.root(type));
	}

	private ObjectNode merge(ObjectNode target, ObjectNode patch, PatchSchema.Shape shape) {
		JsonNode directive = patch.get(DIRECTIVE);
		if (directive != null) {
			return directed(directive.asString(), patch);
		}
		retain(target, patch);
		patch.properties().forEach((property) -> {
			String name = property.getKey();
			if (name.startsWith(ORDER) || name.startsWith(DELETE)) {
				String list = name.substring(name.indexOf('/') + 1);
				if (!patch.has(list)) {
					mergeField(target, patch, list, patch.arrayNode(), shape);
				}
			}
			else if (!RETAIN.equals(name)) {
				mergeField(target, patch, name, property.getValue(), shape);
			}
		});
		return target;
	}

	private static ObjectNode directed(String directive, ObjectNode patch) {
		return switch (directive) {
			case "replace" -> patch.deepCopy().without(DIRECTIVE);
			case "delete" -> Json.object();
			default -> throw Statuses.unexpected("unknown patch type: " + directive + " in map: " + patch);
		};
	}

	private static void retain(ObjectNode target, ObjectNode patch) {
		if (patch.get(RETAIN) instanceof ArrayNode names) {
			Set<String> retained = Set.copyOf(names.valueStream().map(JsonNode::asString).toList());
			boolean contradicts = patch.propertyNames()
				.stream()
				.anyMatch((name) -> !name.startsWith("$") && !retained.contains(name));
			if (contradicts) {
				throw Statuses.badRequest("invalid patch format of retainKeys");
			}
			target.retain(retained);
		}
	}

	private void mergeField(ObjectNode target, ObjectNode patch, String name, JsonNode value,
			PatchSchema.Shape parent) {
		PatchSchema.Shape shape = this.schema.child(parent, name);
		JsonNode current = target.get(name);
		if (value.isNull() || "delete".equals(value.path(DIRECTIVE).asString(""))) {
			target.remove(name);
		}
		else if (value instanceof ObjectNode nested) {
			target.set(name, merge((current instanceof ObjectNode object) ? object : Json.object(), nested, shape));
		}
		else if (value instanceof ArrayNode list && shape.merged()) {
			ArrayNode before = (current instanceof ArrayNode array) ? array : target.arrayNode();
			target.set(name, mergeList(before, list, shape, patch.get(ORDER + name), patch.path(DELETE + name)));
		}
		else {
			target.set(name, value.deepCopy());
		}
	}

	private ArrayNode mergeList(ArrayNode before, ArrayNode patch, PatchSchema.Shape shape, @Nullable JsonNode order,
			JsonNode deletions) {
		String key = shape.mergeKey();
		List<JsonNode> given = new ArrayList<>(patch.values());
		if (key != null) {
			given.forEach((item) -> checkItem(item, key));
			if (given.removeIf((item) -> "replace".equals(item.path(DIRECTIVE).asString()))) {
				return patch.arrayNode().addAll(given);
			}
		}
		if (order instanceof ArrayNode ordered) {
			checkOrder(given, ordered, key);
		}
		List<JsonNode> result = new ArrayList<>(before.values());
		deletions.forEach(result::remove);
		for (JsonNode item : given) {
			mergeItem(result, item, shape);
		}
		given.removeIf((item) -> item.has(DIRECTIVE));
		List<JsonNode> patchOrder = (order instanceof ArrayNode ordered) ? new ArrayList<>(ordered.values()) : given;
		return before.arrayNode().addAll(new MergedOrder(key).sort(result, patchOrder, before));
	}

	private void mergeItem(List<JsonNode> result, JsonNode item, PatchSchema.Shape shape) {
		String key = shape.mergeKey();
		int index = MergedOrder.index(result, item, key);
		if (key == null) {
			if (index < 0) {
				result.add(item);
			}
			return;
		}
		if (item.has(DIRECTIVE)) {
			if (index >= 0) {
				result.remove(index);
			}
			return;
		}
		ObjectNode merged = merge((index >= 0) ? (ObjectNode) result.get(index) : Json.object(), (ObjectNode) item,
				shape);
		if (index >= 0) {
			result.set(index, merged);
		}
		else {
			result.add(merged);
		}
	}

	private static void checkItem(JsonNode item, String key) {
		String directive = item.path(DIRECTIVE).asString("");
		switch (directive) {
			case "", "delete" -> {
				if (!item.has(key)) {
					throw Statuses.unexpected("map: " + item + " does not contain declared merge key: " + key);
				}
			}
			case "replace" -> {
			}
			case "merge" -> throw Statuses.unexpected("merging lists cannot yet be specified in the patch");
			default -> throw Statuses.unexpected("unknown patch type: " + directive + " in map: " + item);
		}
	}

	private static void checkOrder(List<JsonNode> given, ArrayNode order, @Nullable String key) {
		int last = -1;
		List<JsonNode> ordered = StreamSupport.stream(order.spliterator(), false).toList();
		for (JsonNode item : given) {
			int index = MergedOrder.index(ordered, item, key);
			if (!item.has(DIRECTIVE) && index < last + 1) {
				throw Statuses.unexpected("The order in patch list:\n" + given
						+ "\n doesn't match $setElementOrder list:\n" + order + "\n");
			}
			last = Math.max(last, index);
		}
	}

}
