package dev.kubeinformer.test.internal.schema;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Knows the fields of an ObjectMeta: removes other fields, and rejects values that Go
 * cannot decode (pkg/apiserver/schema/objectmeta of k8s.io/apiextensions-apiserver).
 */
final class MetadataFields {

	private static final Map<String, String> TYPES = Map.ofEntries(Map.entry("name", "string"),
			Map.entry("generateName", "string"), Map.entry("namespace", "string"), Map.entry("selfLink", "string"),
			Map.entry("uid", "types.UID"), Map.entry("resourceVersion", "string"), Map.entry("generation", "int64"),
			Map.entry("creationTimestamp", "string"), Map.entry("deletionTimestamp", "string"),
			Map.entry("deletionGracePeriodSeconds", "int64"), Map.entry("labels", "map[string]string"),
			Map.entry("annotations", "map[string]string"), Map.entry("ownerReferences", "[]v1.OwnerReference"),
			Map.entry("finalizers", "[]string"), Map.entry("managedFields", "[]v1.ManagedFieldsEntry"));

	private static final Map<String, Set<String>> ITEMS = Map.of("ownerReferences",
			Set.of("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"), "managedFields",
			Set.of("manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"));

	private MetadataFields() {
	}

	/**
	 * Removes unknown fields and nulls.
	 * @param metadata the metadata, which is changed
	 * @param path its path
	 * @param unknown receives the paths of unknown fields
	 * @throws MalformedObject if the metadata cannot be decoded
	 */
	static void coerce(JsonNode metadata, String path, List<String> unknown) {
		if (!(metadata instanceof ObjectNode object)) {
			if (metadata.isNull()) {
				return;
			}
			throw new MalformedObject(
					"json: cannot unmarshal " + word(metadata) + " into Go value of type v1.ObjectMeta");
		}
		for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
			String type = TYPES.get(field.getKey());
			if (type == null) {
				unknown.add(path + "." + field.getKey());
				object.remove(field.getKey());
			}
			else if (field.getValue().isNull()) {
				object.remove(field.getKey());
			}
			else {
				check(field.getKey(), type, field.getValue());
				items(field, path, unknown);
			}
		}
	}

	private static void check(String name, String type, JsonNode value) {
		boolean fits = switch (type) {
			case "int64" -> value.isNumber();
			case "map[string]string" -> value.isObject();
			default -> (type.startsWith("[]")) ? value.isArray() : value.isString();
		};
		if (!fits) {
			throw wrong(name, type, value);
		}
		String of = (type.startsWith("map") || "[]string".equals(type)) ? "string" : "";
		for (JsonNode item : (of.isEmpty()) ? List.<JsonNode>of() : value) {
			if (!item.isString() && !item.isNull()) {
				throw wrong(name, of, item);
			}
		}
	}

	private static MalformedObject wrong(String name, String type, JsonNode value) {
		return new MalformedObject("json: cannot unmarshal " + word(value) + " into Go struct field ObjectMeta." + name
				+ " of type " + type);
	}

	private static String word(JsonNode value) {
		return switch (value.getNodeType()) {
			case ARRAY -> "array";
			case BOOLEAN -> "bool";
			case NUMBER -> "number";
			case OBJECT -> "object";
			default -> "string";
		};
	}

	private static void items(Map.Entry<String, JsonNode> field, String path, List<String> unknown) {
		Set<String> known = ITEMS.get(field.getKey());
		if (field.getValue() instanceof ObjectNode texts) {
			// Go decodes null as the empty text.
			for (Map.Entry<String, JsonNode> text : List.copyOf(texts.properties())) {
				if (text.getValue().isNull()) {
					texts.put(text.getKey(), "");
				}
			}
		}
		else if (known != null && field.getValue() instanceof ArrayNode list) {
			for (int i = 0; i < list.size(); i++) {
				prune(list.get(i), known, path + "." + field.getKey() + "[" + i + "]", unknown);
			}
		}
	}

	private static void prune(@Nullable JsonNode item, Set<String> known, String path, List<String> unknown) {
		if (item instanceof ObjectNode object) {
			for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
				if (!known.contains(field.getKey())) {
					unknown.add(path + "." + field.getKey());
					object.remove(field.getKey());
				}
			}
		}
	}

}
