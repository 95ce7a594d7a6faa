package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects inside custom resources ({@code x-kubernetes-embedded-resource}): their kind
 * and metadata.
 */
final class EmbeddedObjects {

	private EmbeddedObjects() {
	}

	/**
	 * Removes unknown fields of the metadata of embedded objects.
	 * @param schema the schema
	 * @param value the value, which is changed
	 * @return the sorted paths of the removed fields
	 * @throws MalformedObject if an embedded object cannot be decoded
	 */
	static List<String> coerce(Structural schema, JsonNode value) {
		List<String> unknown = new ArrayList<>();
		coerce(schema, value, "", unknown);
		return unknown.stream().sorted().toList();
	}

	private static void coerce(@Nullable Structural schema, JsonNode value, String path, List<String> unknown) {
		if (schema == null) {
			return;
		}
		if (value instanceof ArrayNode list) {
			for (int i = 0; i < list.size(); i++) {
				coerce(schema.items, list.get(i), path + "[" + i + "]", unknown);
			}
		}
		else if (value instanceof ObjectNode object) {
			if (schema.embedded) {
				coerceObject(object, path, unknown);
			}
			for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
				coerce(schema.field(field.getKey()), field.getValue(), child(schema, path, field.getKey()), unknown);
			}
		}
	}

	private static String child(Structural schema, String path, String name) {
		if (!schema.properties.containsKey(name)) {
			return path + "[" + name + "]";
		}
		return (path.isEmpty()) ? name : path + "." + name;
	}

	private static void coerceObject(ObjectNode object, String path, List<String> unknown) {
		for (String name : List.of("apiVersion", "kind")) {
			JsonNode text = object.get(name);
			if (text != null && !text.isString()) {
				throw new MalformedObject(FieldError.invalid(path + "." + name, text, "must be a string").toString());
			}
		}
		JsonNode metadata = object.get("metadata");
		if (metadata == null) {
			return;
		}
		String given = GoText.of(metadata);
		try {
			MetadataFields.coerce(metadata, path + ".metadata", unknown);
		}
		catch (MalformedObject ex) {
			throw new MalformedObject(FieldError.shown(path + ".metadata", given, ex.words()).toString());
		}
		if (metadata.isNull()) {
			object.putObject("metadata");
		}
	}

	/**
	 * Validates the kinds of embedded objects.
	 * @param schema the schema
	 * @param value the value
	 * @return the failures
	 */
	static List<FieldError> validate(Structural schema, JsonNode value) {
		List<FieldError> errors = new ArrayList<>();
		validate(schema, value, "", errors);
		return errors;
	}

	private static void validate(@Nullable Structural schema, JsonNode value, String path, List<FieldError> errors) {
		if (schema == null) {
			return;
		}
		if (value instanceof ArrayNode list) {
			for (int i = 0; i < list.size(); i++) {
				validate(schema.items, list.get(i), path + "[" + i + "]", errors);
			}
		}
		else if (value instanceof ObjectNode object) {
			if (schema.embedded) {
				validateObject(object, path, errors);
			}
			object.properties()
				.forEach((field) -> validate(schema.field(field.getKey()), field.getValue(),
						child(schema, path, field.getKey()), errors));
		}
	}

	private static void validateObject(ObjectNode object, String path, List<FieldError> errors) {
		for (String name : List.of("apiVersion", "kind")) {
			if (!object.has(name)) {
				errors.add(FieldError.required(path + "." + name, ""));
			}
		}
		String version = object.path("apiVersion").asString("");
		if (object.has("apiVersion") && version.isEmpty()) {
			errors.add(FieldError.invalid(path + ".apiVersion", version, "must not be empty"));
		}
		else if (version.indexOf('/') != version.lastIndexOf('/')) {
			errors.add(FieldError.invalid(path + ".apiVersion", version, "unexpected GroupVersion string: " + version));
		}
		String kind = object.path("kind").asString("");
		if (object.has("kind") && kind.isEmpty()) {
			errors.add(FieldError.invalid(path + ".kind", kind, "must not be empty"));
		}
		else if (object.has("kind")) {
			String wrong = DnsNames.label(kind.toLowerCase(Locale.ROOT));
			if (!wrong.isEmpty()) {
				errors.add(FieldError.invalid(path + ".kind", kind,
						"may have mixed case, but should otherwise match: " + wrong));
			}
		}
	}

}
