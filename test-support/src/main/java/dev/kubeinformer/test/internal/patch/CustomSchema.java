package dev.kubeinformer.test.internal.patch;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * Structural schema of a custom resource: its fields and their defaults
 * (pkg/apiserver/schema/defaulting of k8s.io/apiextensions-apiserver).
 */
public final class CustomSchema {

	private static final String DEFAULT = "default";

	private CustomSchema() {
	}

	// Returns the schema of a field; a missing node if the schema leaves it open.
	static JsonNode field(JsonNode schema, String name) {
		JsonNode property = schema.path("properties").path(name);
		if (!property.isMissingNode()) {
			return property;
		}
		JsonNode additional = schema.path("additionalProperties");
		return (additional.isObject()) ? additional : MissingNode.getInstance();
	}

	/**
	 * Sets absent fields to their defaults, and null fields that are not nullable.
	 * @param type the resource; only the definition of a custom resource has defaults
	 * @param object the object, which is changed
	 */
	public static void addDefaults(ResourceDefinition type, ObjectNode object) {
		JsonNode schema = type.traits().schema();
		if (schema != null) {
			addDefaults(schema, object);
		}
	}

	private static void addDefaults(JsonNode schema, JsonNode value) {
		if (value instanceof ArrayNode list) {
			list.forEach((item) -> addDefaults(schema.path("items"), item));
		}
		else if (value instanceof ObjectNode object) {
			schema.path("properties").properties().forEach((property) -> {
				JsonNode present = object.path(property.getKey());
				JsonNode field = property.getValue();
				boolean absent = present.isMissingNode()
						|| (present.isNull() && !field.path("nullable").asBoolean(false));
				if (absent && field.has(DEFAULT)) {
					object.set(property.getKey(), field.get(DEFAULT).deepCopy());
				}
			});
			object.properties().forEach((entry) -> addDefaults(field(schema, entry.getKey()), entry.getValue()));
		}
	}

}
