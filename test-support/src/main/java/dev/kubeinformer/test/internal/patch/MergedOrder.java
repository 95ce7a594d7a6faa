package dev.kubeinformer.test.internal.patch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Order of a list after a strategic merge patch. The items of the patch have the order of
 * the patch. The other items keep the order of the object as far as this is possible.
 */
final class MergedOrder {

	private final @Nullable String key;

	MergedOrder(@Nullable String key) {
		this.key = key;
	}

	// Returns the index of the item with the same key or, without a key, of the same
	// value.
	static int index(List<JsonNode> items, JsonNode item, @Nullable String key) {
		for (int i = 0; i < items.size(); i++) {
			JsonNode candidate = items.get(i);
			if ((key != null) ? candidate.path(key).equals(item.path(key)) : candidate.equals(item)) {
				return i;
			}
		}
		return -1;
	}

	List<JsonNode> sort(List<JsonNode> merged, List<JsonNode> patchOrder, ArrayNode before) {
		List<JsonNode> old = new ArrayList<>(before.values());
		List<JsonNode> patched = new ArrayList<>();
		List<JsonNode> others = new ArrayList<>();
		merged.forEach((item) -> ((index(patchOrder, item, this.key) >= 0) ? patched : others).add(item));
		patched.sort(Comparator.comparingInt((item) -> index(patchOrder, item, this.key)));
		List<JsonNode> result = new ArrayList<>();
		int next = 0;
		for (JsonNode item : patched) {
			int place = index(old, item, this.key);
			while (place >= 0 && next < others.size() && index(old, others.get(next), this.key) < place) {
				result.add(others.get(next++));
			}
			result.add(item);
		}
		result.addAll(others.subList(next, others.size()));
		return result;
	}

}
