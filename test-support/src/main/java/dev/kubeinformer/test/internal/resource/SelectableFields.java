package dev.kubeinformer.test.internal.resource;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fields of a resource that a field selector may name besides {@code metadata.name} and
 * {@code metadata.namespace}.
 */
public final class SelectableFields {

	private static final Map<GroupResource, Set<String>> PATHS = Map.ofEntries(
			core("pods", "spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
					"spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName"),
			core("namespaces", "status.phase"), core("secrets", "type"),
			core("services", "spec.clusterIP", "spec.type"), core("nodes", "spec.unschedulable"),
			core("replicationcontrollers", "status.replicas"),
			core("events", "involvedObject.kind", "involvedObject.namespace", "involvedObject.name",
					"involvedObject.uid", "involvedObject.apiVersion", "involvedObject.resourceVersion",
					"involvedObject.fieldPath", "reason", "reportingComponent", "type"),
			fields("events.k8s.io", "events", "regarding.kind", "regarding.namespace", "regarding.name",
					"regarding.uid", "regarding.apiVersion", "regarding.resourceVersion", "regarding.fieldPath",
					"reason", "reportingController", "type"),
			fields("batch", "jobs", "status.successful"),
			fields("certificates.k8s.io", "certificatesigningrequests", "spec.signerName"),
			fields("resource.k8s.io", "resourceslices", "spec.driver", "spec.nodeName"));

	// Values that selectors use for absent fields. For all other fields, it is the empty
	// text.
	private static final Map<String, String> ABSENT = Map.of("spec.hostNetwork", "false", "spec.unschedulable", "false",
			"status.replicas", "0", "status.successful", "0");

	private final Set<String> paths;

	private SelectableFields(Set<String> paths) {
		this.paths = paths;
	}

	private static Map.Entry<GroupResource, Set<String>> core(String plural, String... paths) {
		return fields("", plural, paths);
	}

	private static Map.Entry<GroupResource, Set<String>> fields(String group, String plural, String... paths) {
		return Map.entry(new GroupResource(group, plural), Set.of(paths));
	}

	public static SelectableFields of(GroupResource resource) {
		return new SelectableFields(PATHS.getOrDefault(resource, Set.of()));
	}

	public boolean contains(String path) {
		return "metadata.name".equals(path) || "metadata.namespace".equals(path) || this.paths.contains(path);
	}

	// Returns the message for a field that cannot be selected.
	public String unknown(ResourceDefinition type, String path) {
		if (this.paths.isEmpty()) {
			return "\"" + path + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
		}
		return ("Job".equals(type.kind())) ? "field label \"" + path + "\" not supported for Job"
				: "field label not supported: " + path;
	}

	// Returns the value that selectors use for objects without the field.
	public String whenAbsent(String path) {
		return ABSENT.getOrDefault(path, "");
	}

	public Map<String, String> read(ObjectNode tree) {
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
