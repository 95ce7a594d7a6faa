package dev.kubeinformer.test.internal.write;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.RequestFailure;

/**
 * Rules for ownerReferences (ValidateOwnerReferences of apimachinery 0.37).
 */
final class OwnerRules {

	private static final String REFERENCES = "metadata.ownerReferences";

	private static final List<String> FIELDS = List.of("apiVersion", "kind", "name", "uid", "controller",
			"blockOwnerDeletion");

	private static final List<String> REQUIRED = List.of("apiVersion", "kind", "name", "uid");

	private OwnerRules() {
	}

	/**
	 * Checks the owners of an object.
	 * @param type its resource
	 * @param metadata its metadata
	 * @throws RequestFailure 422 if a reference is not valid, or if there are two
	 * controllers
	 */
	static void check(ResourceDefinition type, JsonNode metadata) {
		List<Rejection> rejections = rejections(metadata);
		if (!rejections.isEmpty()) {
			throw Rejection.of(type, metadata.path("name").asString(""), rejections.toArray(Rejection[]::new));
		}
	}

	static List<Rejection> rejections(JsonNode metadata) {
		List<Rejection> rejections = new ArrayList<>(0);
		JsonNode references = metadata.path("ownerReferences");
		String controller = null;
		for (int i = 0; i < references.size(); i++) {
			JsonNode reference = references.path(i);
			checkFields(reference, REFERENCES + "[" + i + "]", rejections);
			if (reference.path("controller").asBoolean(false)) {
				String name = reference.path("kind").asString("") + "/" + reference.path("name").asString("");
				if (controller != null) {
					rejections.add(invalid(REFERENCES, compact(references),
							"Only one reference can have Controller set to true. Found \"true\" in references for "
									+ controller + " and " + name));
				}
				controller = name;
			}
		}
		return rejections;
	}

	private static void checkFields(JsonNode reference, String path, List<Rejection> rejections) {
		String version = reference.path("apiVersion").asString("");
		if (version.endsWith("/") || version.split("/", -1).length > 2) {
			rejections.add(Rejection.value(path + ".apiVersion", version, "must be <group>/<version> or <version>"));
		}
		for (String field : REQUIRED) {
			if (reference.path(field).asString("").isEmpty()) {
				rejections.add(Rejection.required(path + "." + field, "must not be empty"));
			}
		}
		if ("v1".equals(version) && "Event".equals(reference.path("kind").asString(""))) {
			rejections.add(invalid(path, compact(reference), "/v1, Kind=Event is disallowed from being an owner"));
		}
	}

	private static Rejection invalid(String field, String json, String why) {
		return new Rejection(field, "FieldValueInvalid", "Invalid value: " + json + ": " + why);
	}

	private static String compact(JsonNode node) {
		if (node.isArray()) {
			List<String> items = new ArrayList<>();
			node.forEach((item) -> items.add(compact(item)));
			return "[" + String.join(",", items) + "]";
		}
		ObjectNode ordered = Json.object();
		for (String field : FIELDS) {
			@Nullable JsonNode value = node.get(field);
			if (value != null) {
				ordered.set(field, value);
			}
		}
		return ordered.toString();
	}

}
