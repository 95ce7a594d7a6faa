package dev.kubeinformer.test.internal.patch;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
				target.set(name, value);
			}
		});
	}

}
