package dev.kubeinformer.test.internal.patch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Finds fields of an object, which must not change during the use of this class. The
 * items of a list are indexed once, for all paths that lead into it.
 */
final class FieldLookup {

	// Placeholder for the key names, in an index by whole items.
	private static final List<String> ITSELF = List.of(".");

	// Indexes by the identity of lists, because equal lists at two places have different
	// items.
	private final Map<ArrayNode, Map<List<String>, Map<List<JsonNode>, JsonNode>>> lists = new IdentityHashMap<>();

	private final ObjectNode object;

	FieldLookup(ObjectNode object) {
		this.object = object;
	}

	/**
	 * Finds a value.
	 * @param path the path
	 * @return the value, or {@code null} if there is none
	 */
	@Nullable JsonNode find(FieldPath path) {
		JsonNode node = this.object;
		for (String element : path.elements()) {
			node = step(node, element);
			if (node == null) {
				return null;
			}
		}
		return node;
	}

	private @Nullable JsonNode step(JsonNode node, String element) {
		String rest = element.substring(2);
		if (element.startsWith("f:")) {
			return node.get(rest);
		}
		if (!(node instanceof ArrayNode list)) {
			return null;
		}
		JsonNode wanted = Json.read(Json.utf8(rest));
		if (element.startsWith("v:")) {
			return items(list, ITSELF).get(List.of(wanted));
		}
		List<String> names = new ArrayList<>(wanted.propertyNames());
		return items(list, names).get(keys(wanted, names));
	}

	// Returns an index of the items of a list: by the values of their keys, or by the
	// items themselves. If several items are equal, the index has the first one.
	private Map<List<JsonNode>, JsonNode> items(ArrayNode list, List<String> names) {
		return this.lists.computeIfAbsent(list, (key) -> new HashMap<>()).computeIfAbsent(names, (key) -> {
			Map<List<JsonNode>, JsonNode> items = new HashMap<>();
			list.forEach((item) -> items.putIfAbsent((names == ITSELF) ? List.of(item) : keys(item, names), item));
			return items;
		});
	}

	private static List<JsonNode> keys(JsonNode item, List<String> names) {
		return names.stream().map((name) -> {
			JsonNode value = item.path(name);
			// The protocol is the only key with a default, and the embedded API does not
			// fill in the default.
			return (value.isMissingNode() && "protocol".equals(name)) ? StringNode.valueOf("TCP") : value;
		}).toList();
	}

}
