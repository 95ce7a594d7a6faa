package dev.kubeinformer.test;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of a resource that a field selector may name besides {@code metadata.name}
 * and {@code metadata.namespace}.
 */
final class SelectableFields {

	private static final Map<GroupResource, Set<String>> PATHS = Map.of(new GroupResource("", "pods"),
			Set.of("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
					"status.phase", "status.podIP"),
			new GroupResource("", "namespaces"), Set.of("status.phase"), new GroupResource("", "secrets"),
			Set.of("type"), new GroupResource("", "services"), Set.of("spec.clusterIP", "spec.type"),
			new GroupResource("", "nodes"), Set.of("spec.unschedulable"), new GroupResource("", "events"),
			Set.of("involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
					"reason", "type"));

	private final Set<String> paths;

	private SelectableFields(Set<String> paths) {
		this.paths = paths;
	}

	static SelectableFields of(GroupResource resource) {
		return new SelectableFields(PATHS.getOrDefault(resource, Set.of()));
	}

	boolean contains(String path) {
		return "metadata.name".equals(path) || "metadata.namespace".equals(path) || this.paths.contains(path);
	}

	Map<String, String> read(ObjectNode tree) {
		Map<String, String> values = new HashMap<>();
		for (String path : this.paths) {
			JsonNode node = tree;
			for (String name : path.split("\\.")) {
				node = node.path(name);
			}
			if (node.isValueNode() && !node.isNull()) {
				values.put(path, node.asString());
			}
		}
		return Map.copyOf(values);
	}

}
