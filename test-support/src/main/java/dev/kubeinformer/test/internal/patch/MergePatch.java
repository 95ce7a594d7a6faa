package dev.kubeinformer.test.internal.patch;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * JSON merge patch (RFC 7386).
 */
public final class MergePatch {

	private MergePatch() {
	}

	public static void apply(ObjectNode target, ObjectNode patch) {
		patch.properties().forEach((property) -> {
			String name = property.getKey();
			JsonNode value = property.getValue();
			if (value.isNull()) {
				target.remove(name);
			}
			else if (value instanceof ObjectNode nested) {
				if (!target.path(name).isObject()) {
					target.putObject(name);
				}
				apply((ObjectNode) target.get(name), nested);
			}
			else {
				// github.com/evanphx/json-patch drops null fields inside a list, unless
				// the list replaces an object.
				JsonNode next = value.deepCopy();
				if (!target.path(name).isObject()) {
					Json.dropNulls(next);
				}
				target.set(name, next);
			}
		});
	}

}
