package dev.kubeinformer.test.internal.patch;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * JSON patch (RFC 6902) as in kube-apiserver, which permits more than the RFC: a replace
 * or copy may name a member that does not exist, and a negative index counts from the
 * end.
 */
public final class JsonPatch {

	private static final String PATH = "path";

	private final ObjectNode document = Json.object();

	private JsonPatch(ObjectNode target) {
		// Treat the root as a member of another object, so that a patch can replace it.
		this.document.set("", target);
	}

	/**
	 * Applies a patch.
	 * @param target the object, which this method may change
	 * @param patch the operations
	 * @return the patched object
	 * @throws RequestFailure 422 if an operation cannot be executed or a test fails
	 */
	public static ObjectNode apply(ObjectNode target, ArrayNode patch) {
		JsonPatch document = new JsonPatch(target);
		patch.forEach(document::operate);
		if (document.document.get("") instanceof ObjectNode result) {
			return result;
		}
		throw Statuses.rejectedPatch();
	}

	private void operate(JsonNode operation) {
		String[] path = pointer(operation, PATH);
		switch (operation.path("op").asString()) {
			case "add" -> add(path, value(operation));
			case "remove" -> remove(path);
			case "replace" -> replace(path, value(operation));
			case "move" -> {
				String[] from = pointer(operation, "from");
				JsonNode moved = required(from);
				remove(from);
				add(path, moved);
			}
			case "copy" -> add(path, found(pointer(operation, "from")).deepCopy());
			case "test" -> test(path, value(operation));
			default -> throw Statuses.rejectedPatch();
		}
	}

	private static String[] pointer(JsonNode operation, String name) {
		JsonNode pointer = operation.path(name);
		if (!pointer.isString() || !(pointer.stringValue().isEmpty() || pointer.stringValue().startsWith("/"))) {
			throw Statuses.rejectedPatch();
		}
		return Arrays.stream(pointer.stringValue().split("/", -1))
			.map((token) -> token.replace("~1", "/").replace("~0", "~"))
			.toArray(String[]::new);
	}

	private static JsonNode value(JsonNode operation) {
		return (operation.has("value")) ? operation.get("value").deepCopy() : Json.object().nullNode();
	}

	private JsonNode container(String[] path) {
		JsonNode node = this.document;
		for (String token : List.of(path).subList(0, path.length - 1)) {
			node = child(node, token);
			if (node == null) {
				throw Statuses.rejectedPatch();
			}
		}
		if (!node.isContainer()) {
			throw Statuses.rejectedPatch();
		}
		return node;
	}

	private static @Nullable JsonNode child(JsonNode node, String token) {
		if (node instanceof ArrayNode array) {
			return array.get(index(token, array.size(), array.size() - 1));
		}
		return node.get(token);
	}

	private static int index(String token, int size, int last) {
		try {
			int index = Integer.parseInt(token);
			int counted = (index < 0) ? index + size : index;
			if (counted >= 0 && counted <= last) {
				return counted;
			}
		}
		catch (NumberFormatException ex) {
			// Treat it like an index that is out of range.
		}
		throw Statuses.rejectedPatch();
	}

	private JsonNode found(String[] path) {
		JsonNode found = child(container(path), last(path));
		return (found != null) ? found : Json.object().nullNode();
	}

	private JsonNode required(String[] path) {
		JsonNode found = child(container(path), last(path));
		if (found == null) {
			throw Statuses.rejectedPatch();
		}
		return found;
	}

	private static String last(String[] path) {
		return path[path.length - 1];
	}

	private void add(String[] path, JsonNode value) {
		JsonNode container = container(path);
		String token = last(path);
		if (container instanceof ArrayNode array) {
			array.insert(("-".equals(token)) ? array.size() : index(token, array.size() + 1, array.size()), value);
		}
		else {
			((ObjectNode) container).set(token, value);
		}
	}

	private void replace(String[] path, JsonNode value) {
		JsonNode container = container(path);
		if (container instanceof ArrayNode array) {
			array.set(index(last(path), array.size(), array.size() - 1), value);
		}
		else {
			((ObjectNode) container).set(last(path), value);
		}
	}

	private void remove(String[] path) {
		required(path);
		JsonNode container = container(path);
		if (container instanceof ArrayNode array) {
			array.remove(index(last(path), array.size(), array.size() - 1));
		}
		else {
			((ObjectNode) container).remove(last(path));
		}
	}

	private void test(String[] path, JsonNode expected) {
		if (!found(path).equals(expected)) {
			throw Statuses.rejectedPatch();
		}
	}

}
