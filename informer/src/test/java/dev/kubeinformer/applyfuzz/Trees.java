package dev.kubeinformer.applyfuzz;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.kubernetes.client.custom.Quantity;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** JSON of the fuzz: the compared parts of two objects, and their differences. */
final class Trees {

	static final String APPLIED = "kubeinformer.dev/applied";

	private static final Pattern QUANTITY = Pattern.compile("[0-9]+(\\.[0-9]+)?(m|k|Ki|Mi|Gi)?");

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(JsonReadFeature.ALLOW_SINGLE_QUOTES, JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES)
		.build();

	private Trees() {
	}

	static ObjectNode parse(String text) {
		return (ObjectNode) MAPPER.readTree(text);
	}

	/**
	 * Whether a patch changes or removes the annotation of the operator.
	 */
	static boolean isMarked(ObjectNode patch) {
		JsonNode metadata = patch.path("metadata");
		JsonNode annotations = metadata.path("annotations");
		return metadata.isNull() || annotations.isNull() || annotations.has(APPLIED);
	}

	static ObjectNode metadata(ObjectNode object) {
		return object.withObject("metadata");
	}

	/**
	 * Removes what only the server writes.
	 */
	static ObjectNode withoutServerFields(ObjectNode object) {
		ObjectNode copy = object.deepCopy();
		copy.remove("status");
		metadata(copy).remove(List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields",
				"selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"));
		return copy;
	}

	/** Returns the parts that must be equal in the operator's object and the model's. */
	static ObjectNode comparable(ObjectNode object, String name, String ownerUid) {
		String uid = metadata(object).path("uid").asString("-");
		ObjectNode copy = parse(object.toString().replace(uid, "UID").replace(ownerUid, "OWNER").replace(name, "NAME"));
		copy.remove("status");
		ObjectNode metadata = metadata(copy);
		metadata.remove(List.of("name", "namespace", "resourceVersion", "creationTimestamp", "generation",
				"managedFields", "uid"));
		if (metadata.get("annotations") instanceof ObjectNode annotations) {
			annotations.remove(APPLIED);
			if (annotations.isEmpty()) {
				metadata.remove("annotations");
			}
		}
		dropAdded(copy);
		// Values that the server chooses at random.
		if (copy.get("spec") instanceof ObjectNode spec) {
			spec.remove(List.of("clusterIP", "clusterIPs", "healthCheckNodePort"));
			spec.path("ports").forEach((port) -> {
				if (port instanceof ObjectNode each) {
					each.remove("nodePort");
				}
			});
		}
		return copy;
	}

	/**
	 * Returns an object without empty maps and notations of numbers. A real server omits
	 * most zeros of built-in types, the embedded one keeps them.
	 */
	static JsonNode meaning(JsonNode value, boolean builtIn) {
		JsonNode copy = value.deepCopy();
		if (builtIn) {
			dropZeroes(copy);
		}
		dropEmpty(copy);
		readQuantities(copy);
		return copy;
	}

	private static void dropZeroes(JsonNode value) {
		value.forEach(Trees::dropZeroes);
		if (value instanceof ObjectNode object) {
			object.removeIf((each) -> (each.isBoolean() && !each.asBoolean())
					|| (each.isString() && each.asString().isEmpty()) || (each.isNumber() && each.asDouble() == 0));
		}
	}

	private static void readQuantities(JsonNode value) {
		if (value instanceof ObjectNode object) {
			for (Map.Entry<String, JsonNode> property : object.properties()) {
				String text = property.getValue().asString("");
				if (QUANTITY.matcher(text).matches()) {
					property.setValue(StringNode
						.valueOf(Quantity.fromString(text).getNumber().stripTrailingZeros().toPlainString()));
				}
			}
		}
		value.forEach(Trees::readQuantities);
	}

	private static void dropEmpty(JsonNode value) {
		value.forEach(Trees::dropEmpty);
		if (value instanceof ObjectNode object) {
			object.removeIf((each) -> each.isObject() && each.isEmpty());
		}
	}

	// Only a real server adds them where they are missing.
	private static void dropAdded(JsonNode value) {
		if (value instanceof ObjectNode object) {
			for (String name : List.of("objectSelector", "namespaceSelector")) {
				if (object.path(name).isObject() && object.path(name).isEmpty()) {
					object.remove(name);
				}
			}
			dropIf(object, "protocol", "TCP");
			dropIf(object, "matchPolicy", "Equivalent");
		}
		value.forEach(Trees::dropAdded);
	}

	private static void dropIf(ObjectNode object, String name, String value) {
		if (value.equals(object.path(name).asString(""))) {
			object.remove(name);
		}
	}

	/**
	 * Whether a path of {@code managedFields} leads to an empty map or list, which is
	 * nobody's.
	 */
	static boolean isNothing(ObjectNode object, String path) {
		if (path.contains("/k:") || path.contains("/v:")) {
			return false;
		}
		JsonNode value = object;
		for (String element : path.substring(1).split("/")) {
			value = value.path(element.substring(Math.min(2, element.length())));
		}
		return value.isEmpty() && !value.isValueNode();
	}

	/**
	 * The fields of each manager, as sets of paths.
	 */
	static Map<String, Set<String>> managers(ObjectNode object, String ownerUid) {
		Map<String, Set<String>> managers = new TreeMap<>();
		metadata(object).path("managedFields").forEach((entry) -> {
			Set<String> paths = new TreeSet<>();
			paths("", entry.path("fieldsV1"), paths);
			paths.removeIf((path) -> path.endsWith(APPLIED) || path.matches("/f:metadata/f:(annotations|labels)"));
			Set<String> known = new TreeSet<>();
			paths.forEach((path) -> known.add(path.replace(ownerUid, "OWNER")));
			if (!known.isEmpty()) {
				managers
					.computeIfAbsent(entry.path("manager").asString("") + " " + entry.path("operation").asString("")
							+ " " + entry.path("subresource").asString(""), (key) -> new TreeSet<>())
					.addAll(known);
			}
		});
		return managers;
	}

	private static void paths(String prefix, JsonNode fields, Set<String> paths) {
		fields.properties().forEach((property) -> {
			if (".".equals(property.getKey())) {
				paths.add(prefix);
				return;
			}
			String path = prefix + "/" + property.getKey();
			if (property.getValue().isEmpty()) {
				paths.add(path);
			}
			paths(path, property.getValue(), paths);
		});
	}

	/**
	 * The merge patch that makes one object of another.
	 */
	static ObjectNode mergePatch(ObjectNode before, ObjectNode after) {
		ObjectNode patch = before.objectNode();
		before.propertyNames().stream().filter((name) -> !after.has(name)).forEach(patch::putNull);
		after.properties().forEach((property) -> {
			JsonNode was = before.path(property.getKey());
			JsonNode now = property.getValue();
			if (was instanceof ObjectNode old && now instanceof ObjectNode next) {
				ObjectNode nested = mergePatch(old, next);
				if (!nested.isEmpty()) {
					patch.set(property.getKey(), nested);
				}
			}
			else if (!was.equals(now)) {
				patch.set(property.getKey(), now);
			}
		});
		return patch;
	}

	static void merge(ObjectNode target, ObjectNode patch) {
		patch.properties().forEach((property) -> {
			JsonNode value = property.getValue();
			if (value.isNull()) {
				target.remove(property.getKey());
			}
			else if (value instanceof ObjectNode nested) {
				if (!target.path(property.getKey()).isObject()) {
					target.putObject(property.getKey());
				}
				merge((ObjectNode) target.get(property.getKey()), nested);
			}
			else {
				target.set(property.getKey(), value.deepCopy());
			}
		});
	}

	static String difference(ObjectNode ours, ObjectNode reference) {
		return "of the operator against of the model: " + mergePatch(reference, ours);
	}

}
