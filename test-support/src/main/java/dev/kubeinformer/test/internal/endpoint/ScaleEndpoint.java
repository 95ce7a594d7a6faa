package dev.kubeinformer.test.internal.endpoint;

import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.schema.ScalePaths;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.write.StoredObjects;
import dev.kubeinformer.test.internal.write.WriteOptions;

/**
 * Serves the "scale" subresource of the resources that have it.
 */
final class ScaleEndpoint {

	static final String KIND = "Scale";

	private static final String REPLICAS = "replicas";

	private final StoredObjects store;

	ScaleEndpoint(StoredObjects store) {
		this.store = store;
	}

	ObjectNode get(ResourceDefinition type, PersistedObject object) {
		return scale(type, object.tree(type));
	}

	private static ObjectNode scale(ResourceDefinition type, ObjectNode workload) {
		ObjectNode scale = Json.object().put("kind", KIND).put("apiVersion", "autoscaling/v1");
		ObjectNode metadata = workload.withObject("metadata").deepCopy();
		scale.set("metadata", metadata.retain("name", "namespace", "uid", "resourceVersion", "creationTimestamp"));
		ScalePaths paths = type.traits().scale();
		if (paths != null) {
			return scale(paths, workload, scale);
		}
		scale.putObject("spec").put(REPLICAS, workload.path("spec").path(REPLICAS).asInt(1));
		ObjectNode status = scale.putObject("status").put(REPLICAS, workload.path("status").path(REPLICAS).asInt(0));
		String selector = selector(workload.path("spec").path("selector"));
		if (!selector.isEmpty()) {
			status.put("selector", selector);
		}
		return scale;
	}

	private static ObjectNode scale(ScalePaths paths, ObjectNode object, ObjectNode scale) {
		JsonNode wanted = ScalePaths.at(object, paths.spec());
		if (wanted.isMissingNode()) {
			throw Statuses.of(500,
					"Internal error occurred: the spec replicas field \"" + paths.spec() + "\" does not exist");
		}
		scale.putObject("spec").put(REPLICAS, wanted.asInt(0));
		ObjectNode status = scale.putObject("status").put(REPLICAS, ScalePaths.at(object, paths.status()).asInt(0));
		String selector = (paths.selector().isEmpty()) ? "" : ScalePaths.at(object, paths.selector()).asString("");
		if (!selector.isEmpty()) {
			status.put("selector", selector);
		}
		return scale;
	}

	private static String selector(JsonNode selector) {
		JsonNode labels = (selector.has("matchLabels")) ? selector.path("matchLabels") : selector;
		return labels.propertyStream()
			.filter((label) -> label.getValue().isString())
			.map((label) -> label.getKey() + "=" + label.getValue().asString())
			.sorted()
			.collect(Collectors.joining(","));
	}

	ObjectNode update(ResourceDefinition type, ObjectKey key, ObjectNode scale, WriteOptions options) {
		String kind = Json.text(scale, "kind");
		if (kind != null && !KIND.equals(kind)) {
			throw Statuses.badRequest(kind + " in version \"" + scale.path("apiVersion").asString("")
					+ "\" cannot be handled as a Scale");
		}
		return get(type, this.store.patch(type, key, (workload) -> replicas(type, workload, scale), options));
	}

	ObjectNode patch(ResourceDefinition type, ObjectKey key, String mediaType, JsonNode patch, WriteOptions options) {
		return get(type, this.store.patch(type, key, (workload) -> replicas(type, workload,
				PatchEndpoint.standard(mediaType, patch).apply(scale(type, workload))), options));
	}

	private static ObjectNode replicas(ResourceDefinition type, ObjectNode workload, ObjectNode scale) {
		ScalePaths paths = type.traits().scale();
		JsonNode metadata = scale.path("metadata");
		int replicas = scale.path("spec").path(REPLICAS).asInt(0);
		if (replicas < 0 && paths == null) {
			throw Rejection.of("autoscaling", KIND, workload.path("metadata").path("name").asString(),
					new Rejection("spec.replicas", "FieldValueInvalid",
							"Invalid value: " + replicas + ": must be greater than or equal to 0"));
		}
		ObjectNode target = workload.withObject("metadata");
		target.remove("resourceVersion");
		if (metadata.has("resourceVersion")) {
			target.set("resourceVersion", metadata.get("resourceVersion"));
		}
		if (paths != null) {
			paths.scale(workload, replicas);
			return workload;
		}
		workload.withObjectProperty("spec").put(REPLICAS, replicas);
		return workload;
	}

}
