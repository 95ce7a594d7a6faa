package dev.kubeinformer.spring.test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads and writes manifests as trees of maps, lists and scalars. Keys have a fixed
 * order, so equal objects have equal text.
 */
final class ManifestYaml {

	/** Keys that are written before all others, as is usual in manifests. */
	private static final List<String> FIRST = List.of("apiVersion", "kind", "metadata", "name", "namespace");

	/**
	 * Fields in which models of the official client may have an empty map although no
	 * code has set it.
	 */
	private static final Set<String> NOT_SET = Set.of("annotations", "labels", "limits", "matchLabels", "nodeSelector",
			"overhead", "requests", "selector");

	private ManifestYaml() {
	}

	static Map<String, Object> tree(Object model) {
		return object(JSON.getGson().toJsonTree(model).getAsJsonObject());
	}

	private static Map<String, Object> object(JsonObject json) {
		Map<String, Object> sorted = new TreeMap<>();
		json.entrySet().forEach((entry) -> {
			Object value = value(entry.getValue());
			boolean notSet = NOT_SET.contains(entry.getKey()) && value instanceof Map<?, ?> map && map.isEmpty();
			if (value != null && !notSet) {
				sorted.put(entry.getKey(), value);
			}
		});
		Map<String, Object> ordered = new LinkedHashMap<>();
		for (String key : FIRST) {
			Object value = sorted.remove(key);
			if (value != null) {
				ordered.put(key, value);
			}
		}
		ordered.putAll(sorted);
		return ordered;
	}

	private static @Nullable Object value(JsonElement json) {
		if (json instanceof JsonObject object) {
			return object(object);
		}
		if (json instanceof JsonArray array) {
			List<Object> values = new ArrayList<>();
			for (JsonElement element : array) {
				Object value = value(element);
				if (value != null) {
					values.add(value);
				}
			}
			return values.isEmpty() ? null : values;
		}
		return (json instanceof JsonPrimitive primitive) ? scalar(primitive) : null;
	}

	private static Object scalar(JsonPrimitive primitive) {
		if (primitive.isBoolean()) {
			return primitive.getAsBoolean();
		}
		if (!primitive.isNumber()) {
			return primitive.getAsString();
		}
		double number = primitive.getAsDouble();
		return (number == Math.rint(number)) ? (Object) primitive.getAsLong() : (Object) number;
	}

	static String write(List<Map<String, Object>> documents) {
		DumperOptions options = new DumperOptions();
		options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
		options.setExplicitStart(true);
		options.setSplitLines(false);
		return new Yaml(options).dumpAll(documents.iterator());
	}

	/**
	 * Reads documents.
	 * @param yaml the text
	 * @return the documents that are not empty
	 * @throws IllegalArgumentException if the text is not YAML, or a document has no kind
	 */
	@SuppressWarnings("unchecked")
	static List<Map<String, Object>> read(String yaml) {
		List<Map<String, Object>> documents = new ArrayList<>();
		try {
			for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
				if (document instanceof Map<?, ?> map && map.get("kind") instanceof String) {
					documents.add((Map<String, Object>) map);
				}
				else if (document != null) {
					throw new IllegalArgumentException("a document has no 'kind'");
				}
			}
		}
		catch (YAMLException ex) {
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
		return documents;
	}

	/**
	 * Returns the kind and the name of an object.
	 * @param document the object
	 * @return the kind and the name, with the namespace if there is one
	 */
	static String subject(Map<String, Object> document) {
		Map<?, ?> metadata = (document.get("metadata") instanceof Map<?, ?> map) ? map : Map.of();
		Object namespace = metadata.get("namespace");
		return "%s '%s%s'".formatted(document.get("kind"), (namespace != null) ? namespace + "/" : "",
				metadata.get("name"));
	}

}
