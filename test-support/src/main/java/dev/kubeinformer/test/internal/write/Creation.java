package dev.kubeinformer.test.internal.write;

import java.util.List;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.Subresources;

/**
 * Defaults and checks of the server for a new object.
 */
final class Creation {

	private static final List<String> EMPTY_IS_ABSENT = List.of("labels", "annotations", "finalizers",
			"ownerReferences");

	private Creation() {
	}

	static void complete(ResourceDefinition type, ObjectNode body) {
		ObjectNode metadata = body.withObject("metadata");
		metadata.remove(PendingFinalizers.DELETION_TIMESTAMP);
		metadata.remove(PendingFinalizers.GRACE_PERIOD);
		String plural = type.resource().toString();
		// Nodes are created with their status.
		if (Subresources.hasStatus(type) && !"nodes".equals(plural)) {
			body.remove(Subresources.STATUS);
		}
		if ("pods".equals(plural)) {
			body.putObject(Subresources.STATUS).put("phase", "Pending");
		}
		if ("namespaces".equals(plural)) {
			completeNamespace(body);
		}
	}

	static void dropEmpty(ObjectNode metadata) {
		EMPTY_IS_ABSENT.stream().filter((field) -> metadata.path(field).isEmpty()).forEach(metadata::remove);
	}

	private static void completeNamespace(ObjectNode body) {
		label(body);
		body.withObjectProperty("spec").putArray("finalizers").add("kubernetes");
		body.putObject(Subresources.STATUS).put("phase", "Active");
	}

	// Sets the label with the name of a namespace, by which it can be selected.
	static void label(ObjectNode namespace) {
		ObjectNode metadata = namespace.withObject("metadata");
		metadata.withObjectProperty("labels").put("kubernetes.io/metadata.name", metadata.path("name").asString());
	}

}
