package dev.kubeinformer.test.internal.discovery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.StoredSchema;

/**
 * Schemas of custom resources in OpenAPI, for {@code kubectl explain}
 * (pkg/controller/openapi/builder of k8s.io/apiextensions-apiserver).
 */
final class CustomDocuments {

	private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

	private static final String VERSION_WORDS = "APIVersion defines the versioned schema of this representation of an "
			+ "object. Servers should convert recognized schemas to the latest internal value, and may reject "
			+ "unrecognized values. More info: "
			+ "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";

	private static final String KIND_WORDS = "Kind is a string value representing the REST resource this object "
			+ "represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In "
			+ "CamelCase. More info: "
			+ "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

	private CustomDocuments() {
	}

	/**
	 * Adds the schema of a resource.
	 * @param type the resource
	 * @param paths the paths of the document
	 * @param schemas the schemas of the document
	 */
	static void describe(ResourceDefinition type, ObjectNode paths, ObjectNode schemas) {
		StoredSchema stored = type.traits().schema();
		if (stored == null) {
			return;
		}
		String collection = "/apis/" + type.groupVersion() + ((type.namespaced()) ? "/namespaces/{namespace}/" : "/")
				+ type.plural();
		ObjectNode get = paths.putObject(collection).putObject("get");
		get.putObject("responses");
		kind(type, get.putObject("x-kubernetes-group-version-kind"));
		ObjectNode schema = stored.served().source().deepCopy().asObject();
		ObjectNode own = schema.objectNode();
		own.putObject("apiVersion").put("description", VERSION_WORDS).put("type", "string");
		own.putObject("kind").put("description", KIND_WORDS).put("type", "string");
		ObjectNode metadata = own.putObject("metadata");
		metadata.put("description", "Standard object's metadata. More info: "
				+ "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata");
		metadata.putArray("allOf").addObject().put("$ref", "#/components/schemas/" + META);
		JsonNode given = schema.path("properties");
		given.properties().forEach((field) -> {
			if (!own.has(field.getKey())) {
				own.set(field.getKey(), field.getValue());
			}
		});
		schema.set("properties", own);
		kind(type, schema.putArray("x-kubernetes-group-version-kind").addObject());
		schemas.set(name(type), schema);
		if (!schemas.has(META)) {
			schemas.putObject(META)
				.put("description",
						"ObjectMeta is metadata that all persisted resources must have, which includes all "
								+ "objects users must create.")
				.put("type", "object");
		}
	}

	// Reverses the parts of the group, as in the names of Go packages.
	private static String name(ResourceDefinition type) {
		List<String> parts = new ArrayList<>(Arrays.asList(type.group().split("\\.")));
		Collections.reverse(parts);
		return String.join(".", parts) + "." + type.version() + "." + type.kind();
	}

	private static void kind(ResourceDefinition type, ObjectNode kind) {
		kind.put("group", type.group()).put("kind", type.kind()).put("version", type.version());
	}

}
