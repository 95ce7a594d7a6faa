package dev.kubeinformer.test.internal.builtin;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets the defaults of Pods that pod templates do not have.
 */
final class PodDefaults {

	private PodDefaults() {
	}

	static void pod(ObjectNode pod) {
		ObjectNode spec = pod.withObjectProperty("spec");
		if (spec.path("terminationGracePeriodSeconds").asLong(0) < 0) {
			spec.put("terminationGracePeriodSeconds", 1);
		}
		if (!spec.has("enableServiceLinks")) {
			spec.put("enableServiceLinks", true);
		}
		boolean hostNetwork = spec.path("hostNetwork").asBoolean(false);
		for (String kind : List.of("containers", "initContainers")) {
			for (JsonNode container : spec.path(kind)) {
				requests(container.path("resources"));
				if (hostNetwork) {
					container.path("ports").forEach(PodDefaults::hostPort);
				}
			}
		}
	}

	private static void requests(JsonNode resources) {
		if (resources instanceof ObjectNode object && object.path("limits") instanceof ObjectNode limits
				&& !limits.isEmpty()) {
			ObjectNode requests = object.withObjectProperty("requests");
			limits.properties().forEach((limit) -> {
				if (!requests.has(limit.getKey())) {
					requests.set(limit.getKey(), limit.getValue());
				}
			});
		}
	}

	private static void hostPort(JsonNode port) {
		if (port.path("hostPort").asInt(0) == 0 && port.has("containerPort")) {
			((ObjectNode) port).set("hostPort", port.get("containerPort"));
		}
	}

}
