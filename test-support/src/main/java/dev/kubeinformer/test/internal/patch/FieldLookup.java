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

	// Name of "itself" in FieldsV1, which is not the name of a key.
	private static final List<String> ITSELF = List.of(".");

	// By identity, because equal lists at two places have different items.
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

	// The items of a list by the values of their keys, or by themselves; the first of
	// equals.
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
			// The only key with a default, which the embedded API does not fill in.
			return (value.isMissingNode() && "protocol".equals(name)) ? StringNode.valueOf("TCP") : value;
		}).toList();
	}

}
