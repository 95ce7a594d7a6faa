package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * CustomResourceDefinitions as trees of maps, lists and scalars, whether they come from a
 * file or from the official client's models.
 */
final class DefinitionTrees {

	private static final String KIND = "CustomResourceDefinition";

	private static final JsonMapper MAPPER = new JsonMapper();

	private DefinitionTrees() {
	}

	static Map<String, Object> of(V1CustomResourceDefinition definition) {
		return object(MAPPER.readValue(JSON.serialize(definition), Map.class));
	}

	/**
	 * Reads the definitions of a file. Lists of objects are flattened, and other kinds
	 * left out.
	 * @param yaml the YAML or JSON documents
	 * @return the definitions
	 */
	static List<Map<String, Object>> read(String yaml) {
		List<Map<String, Object>> definitions = new ArrayList<>();
		if (yaml.stripLeading().startsWith("{") && addJson(definitions, yaml)) {
			return definitions;
		}
		try {
			Iterable<Object> documents = yaml().loadAll(yaml);
			documents.forEach((document) -> add(definitions, document));
		}
		catch (YAMLException ex) {
			throw new IllegalArgumentException("Cannot read the definitions: " + ex.getMessage(), ex);
		}
		return definitions;
	}

	// Not every text of JSON is YAML.
	private static boolean addJson(List<Map<String, Object>> definitions, String json) {
		try {
			add(definitions, MAPPER.readValue(json, Map.class));
			return true;
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	/**
	 * Reads the definitions of a file as models.
	 * @param yaml the YAML or JSON documents
	 * @return the definitions
	 */
	static List<V1CustomResourceDefinition> models(String yaml) {
		return read(yaml).stream().map(DefinitionTrees::model).toList();
	}

	static V1CustomResourceDefinition model(Map<String, Object> tree) {
		return JSON.getGson().fromJson(MAPPER.writeValueAsString(tree), V1CustomResourceDefinition.class);
	}

	private static void add(List<Map<String, Object>> definitions, @Nullable Object document) {
		Map<String, Object> tree = object(document);
		if (KIND.equals(tree.get("kind"))) {
			definitions.add(tree);
		}
		list(tree.get("items")).forEach((item) -> add(definitions, item));
	}

	private static Yaml yaml() {
		DumperOptions dumper = new DumperOptions();
		LoaderOptions loader = new LoaderOptions();
		return new Yaml(new SafeConstructor(loader), new Representer(dumper), dumper, loader, new JsonResolver());
	}

	/**
	 * Returns an object of a tree.
	 * @param value the value
	 * @return the object; empty if the value is absent or not an object
	 */
	static Map<String, Object> object(@Nullable Object value) {
		Map<String, Object> object = new LinkedHashMap<>();
		if (value instanceof Map<?, ?> map) {
			map.forEach((key, member) -> {
				// The models of the official client have empty lists for absent ones.
				boolean none = member instanceof List<?> list && list.isEmpty() && !"default".equals(key);
				if (member != null && !none) {
					object.put(String.valueOf(key), member);
				}
			});
		}
		return object;
	}

	static List<?> list(@Nullable Object value) {
		return (value instanceof List<?> list) ? list : List.of();
	}

	static @Nullable Object at(Map<String, Object> tree, String... path) {
		Object value = tree;
		for (String name : path) {
			value = object(value).get(name);
		}
		return value;
	}

	static boolean isTrue(Map<String, Object> tree, String name) {
		return Boolean.TRUE.equals(tree.get(name));
	}

	static String name(Map<String, Object> definition) {
		Object name = at(definition, "metadata", "name");
		return (name != null) ? name.toString() : Objects.toString(at(definition, "spec", "names", "plural"), "") + "."
				+ Objects.toString(at(definition, "spec", "group"), "");
	}

	static String groupAndKind(Map<String, Object> definition) {
		return at(definition, "spec", "group") + "/" + at(definition, "spec", "names", "kind");
	}

	/**
	 * Resolver that recognizes only the scalars of JSON. A date, for example, stays a
	 * text.
	 */
	private static final class JsonResolver extends Resolver {

		@Override
		public void addImplicitResolver(Tag tag, Pattern regexp, @Nullable String first, int limit) {
			if (!tag.equals(Tag.TIMESTAMP)) {
				super.addImplicitResolver(tag, regexp, first, limit);
			}
		}

	}

}
