package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Compares an old and a new structural schema of a version. If the new schema rejects
 * objects that the old one accepts, it breaks stored objects, and clients that send such
 * objects.
 */
final class SchemaComparison {

	private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";

	private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

	private static final String LIST_TYPE = "x-kubernetes-list-type";

	private static final String RULES = "x-kubernetes-validations";

	private static final String ANY = "any value";

	private static final String KEEP = "Keep it, perhaps with a note in its description, or add a version without it "
			+ "and a conversion.";

	private final String definition;

	private final String version;

	private final List<DefinitionChange> changes = new ArrayList<>();

	private boolean described;

	private SchemaComparison(String definition, String version) {
		this.definition = definition;
		this.version = version;
	}

	static List<DefinitionChange> of(String definition, String version, Map<String, Object> before,
			Map<String, Object> after) {
		SchemaComparison comparison = new SchemaComparison(definition, version);
		comparison.compare("", before, after);
		if (comparison.described) {
			comparison.compatible("", "has other descriptions");
		}
		return comparison.changes;
	}

	private void breaking(String path, String what, String remedy) {
		this.changes
			.add(new DefinitionChange(this.definition, this.version, path.isEmpty() ? "." : path, what, true, remedy));
	}

	private void compatible(String path, String what) {
		this.changes
			.add(new DefinitionChange(this.definition, this.version, path.isEmpty() ? "." : path, what, false, ""));
	}

	private void compare(String path, Map<String, Object> before, Map<String, Object> after) {
		this.described |= !Objects.equals(before.get("description"), after.get("description"));
		if (!compareTypes(path, before, after)) {
			return;
		}
		this.changes.addAll(new LimitComparison(this.definition, this.version, path, before, after).changes());
		nullable(path, before, after);
		preserving(path, before, after);
		defaults(path, before, after);
		rules(path, before, after);
		lists(path, before, after);
		logic(path, before, after);
		properties(path, before, after);
		required(path, before, after);
		items(path, before, after);
		values(path, before, after);
	}

	// True if the rest of the schemas can be compared.
	private boolean compareTypes(String path, Map<String, Object> before, Map<String, Object> after) {
		String was = type(before);
		String is = type(after);
		if (was.equals(is)) {
			return true;
		}
		boolean wider = is.equals(ANY) || (was.equals("integer") && is.equals("number"))
				|| (is.equals("int or string") && (was.equals("integer") || was.equals("string")));
		String what = "had the type %s and has %s".formatted(was, is);
		if (wider) {
			compatible(path, what);
		}
		else {
			breaking(path, what, "Add a field with another name and read both, or add a version with the new type and "
					+ "a conversion.");
		}
		return wider && !is.equals(ANY);
	}

	private static String type(Map<String, Object> schema) {
		if (DefinitionTrees.isTrue(schema, INT_OR_STRING)) {
			return "int or string";
		}
		return Objects.toString(schema.get("type"), ANY);
	}

	private void nullable(String path, Map<String, Object> before, Map<String, Object> after) {
		boolean was = DefinitionTrees.isTrue(before, "nullable");
		boolean is = DefinitionTrees.isTrue(after, "nullable");
		if (was && !is) {
			breaking(path, "is no longer nullable", "Keep it nullable: objects may have null there.");
		}
		else if (is && !was) {
			compatible(path, "is nullable");
		}
	}

	private void preserving(String path, Map<String, Object> before, Map<String, Object> after) {
		boolean was = preserves(before);
		boolean is = preserves(after);
		if (was && !is && !after.containsKey("additionalProperties")) {
			breaking(path, "no longer keeps unknown fields",
					"Keep them: the API server drops the fields that the schema does not have.");
		}
		else if (is && !was) {
			compatible(path, "keeps unknown fields");
		}
		if (DefinitionTrees.isTrue(after, "x-kubernetes-embedded-resource")
				&& !DefinitionTrees.isTrue(before, "x-kubernetes-embedded-resource")) {
			breaking(path, "is an embedded resource",
					"Use another field: objects may lack apiVersion, kind and metadata there.");
		}
	}

	private static boolean preserves(Map<String, Object> schema) {
		return DefinitionTrees.isTrue(schema, PRESERVE) || Boolean.TRUE.equals(schema.get("additionalProperties"));
	}

	private void defaults(String path, Map<String, Object> before, Map<String, Object> after) {
		Object was = before.get("default");
		Object is = after.get("default");
		if (!LimitComparison.same(was, is)) {
			compatible(path, "had the default %s and has %s".formatted(Objects.toString(was, "none"),
					Objects.toString(is, "none")));
		}
	}

	private void rules(String path, Map<String, Object> before, Map<String, Object> after) {
		Set<String> was = rules(before);
		Set<String> is = rules(after);
		is.stream()
			.filter((rule) -> !was.contains(rule))
			.forEach((rule) -> breaking(path, "has the new rule '%s'".formatted(rule),
					"Let the rule accept objects as they are stored, such as by comparing with oldSelf, or check that "
							+ "no object breaks it."));
		was.stream()
			.filter((rule) -> !is.contains(rule))
			.forEach((rule) -> compatible(path, "lost the rule '%s'".formatted(rule)));
	}

	private static Set<String> rules(Map<String, Object> schema) {
		Set<String> rules = new LinkedHashSet<>();
		DefinitionTrees.list(schema.get(RULES))
			.forEach((rule) -> rules.add(String.valueOf(DefinitionTrees.object(rule).get("rule"))));
		return rules;
	}

	private void lists(String path, Map<String, Object> before, Map<String, Object> after) {
		String was = Objects.toString(before.get(LIST_TYPE), "atomic");
		String is = Objects.toString(after.get(LIST_TYPE), "atomic");
		Set<Object> oldKeys = new LinkedHashSet<>(DefinitionTrees.list(before.get("x-kubernetes-list-map-keys")));
		Set<Object> keys = new LinkedHashSet<>(DefinitionTrees.list(after.get("x-kubernetes-list-map-keys")));
		if (!was.equals(is)) {
			String what = "was a list of type '%s' and is '%s'".formatted(was, is);
			if (is.equals("atomic")) {
				compatible(path, what);
			}
			else {
				breaking(path, what, "Check that no object has equal elements there, or use another field: the API "
						+ "server rejects them.");
			}
		}
		else if (!oldKeys.equals(keys)) {
			breaking(path, "was a map by %s and is by %s".formatted(oldKeys, keys),
					"Keep the keys, or use another field: the API server rejects elements with equal or without keys.");
		}
		String oldMap = Objects.toString(before.get("x-kubernetes-map-type"), "granular");
		String map = Objects.toString(after.get("x-kubernetes-map-type"), "granular");
		if (!oldMap.equals(map)) {
			compatible(path, "was a %s object and is %s, for server-side apply".formatted(oldMap, map));
		}
	}

	private void logic(String path, Map<String, Object> before, Map<String, Object> after) {
		for (String name : List.of("allOf", "anyOf", "oneOf", "not")) {
			Object was = before.get(name);
			Object is = after.get(name);
			if (LimitComparison.same(was, is) || DefinitionTrees.isTrue(after, INT_OR_STRING)) {
				continue;
			}
			if (is == null) {
				compatible(path, "lost '%s'".formatted(name));
			}
			else {
				breaking(path, "has another '%s'".formatted(name),
						"Check that every object fits it: it may accept less than before.");
			}
		}
	}

	private void properties(String path, Map<String, Object> before, Map<String, Object> after) {
		Map<String, Object> old = DefinitionTrees.object(before.get("properties"));
		Map<String, Object> current = DefinitionTrees.object(after.get("properties"));
		Map<String, Object> others = DefinitionTrees.object(after.get("additionalProperties"));
		boolean keeps = preserves(after);
		old.forEach((name, schema) -> {
			String below = path + "." + name;
			Map<String, Object> tree = DefinitionTrees.object(schema);
			if (path.isEmpty() && name.equals("metadata")) {
				return;
			}
			if (current.containsKey(name)) {
				compare(below, tree, DefinitionTrees.object(current.get(name)));
			}
			else if (after.get("additionalProperties") instanceof Map) {
				compare(below, tree, others);
			}
			else if (keeps) {
				compatible(below, "was removed; unknown fields are kept");
			}
			else {
				breaking(below, "was removed", renamed(tree, old, current));
			}
		});
		current.forEach((name, schema) -> {
			if (!old.containsKey(name)) {
				added(path + "." + name, before, after, name, DefinitionTrees.object(schema));
			}
		});
	}

	private void added(String path, Map<String, Object> before, Map<String, Object> after, String name,
			Map<String, Object> schema) {
		boolean required = DefinitionTrees.list(after.get("required")).contains(name);
		if (before.get("additionalProperties") instanceof Map) {
			compare(path, DefinitionTrees.object(before.get("additionalProperties")), schema);
		}
		else if (preserves(before) && !type(schema).equals(ANY)) {
			breaking(path, "was added with the type %s where any field was kept".formatted(type(schema)),
					"Use a name that no object has there, or accept any value.");
		}
		else if (!required || schema.containsKey("default")) {
			compatible(path, "was added");
		}
	}

	private static String renamed(Map<String, Object> removed, Map<String, Object> old, Map<String, Object> current) {
		Map<String, Object> shape = withoutTexts(removed);
		List<String> same = current.entrySet()
			.stream()
			.filter((entry) -> !old.containsKey(entry.getKey()))
			.filter((entry) -> withoutTexts(DefinitionTrees.object(entry.getValue())).equals(shape))
			.map(Map.Entry::getKey)
			.toList();
		return (same.size() == 1) ? "If it was renamed to '%s', keep both until every object has the new one, or add a "
			.formatted(same.get(0)) + "version and a conversion." : KEEP;
	}

	private static Map<String, Object> withoutTexts(Map<String, Object> schema) {
		Map<String, Object> shape = new LinkedHashMap<>(schema);
		shape.remove("description");
		return shape;
	}

	private void required(String path, Map<String, Object> before, Map<String, Object> after) {
		Set<String> was = required(before);
		Set<String> is = required(after);
		is.stream().filter((name) -> !was.contains(name)).forEach((name) -> {
			if (path.isEmpty() && name.equals("metadata")) {
				return;
			}
			boolean added = DefinitionTrees.at(before, "properties", name) == null;
			breaking(path + "." + name, added ? "was added and is required, without a default" : "is required",
					"Give it a default, or make it optional: stored objects without it are rejected.");
		});
		was.stream().filter((name) -> !is.contains(name)).forEach((name) -> {
			if (DefinitionTrees.at(after, "properties", name) != null) {
				compatible(path + "." + name, "is optional");
			}
		});
	}

	// Without those that have a default, which the API server fills in.
	private static Set<String> required(Map<String, Object> schema) {
		Set<String> required = new LinkedHashSet<>();
		DefinitionTrees.list(schema.get("required")).forEach((name) -> {
			if (DefinitionTrees.at(schema, "properties", String.valueOf(name), "default") == null) {
				required.add(String.valueOf(name));
			}
		});
		return required;
	}

	private void items(String path, Map<String, Object> before, Map<String, Object> after) {
		compareIfPresent(path + "[*]", before.get("items"), after.get("items"));
	}

	private void values(String path, Map<String, Object> before, Map<String, Object> after) {
		Object was = before.get("additionalProperties");
		Object is = after.get("additionalProperties");
		if (was instanceof Map && !(is instanceof Map) && !preserves(after)) {
			breaking(path, "was a map and has fixed fields",
					"Keep the map: the API server drops the keys that the schema does not have.");
		}
		else if (is instanceof Map && preserves(before) && !(was instanceof Map)) {
			breaking(path, "had any fields and is a map of the type %s".formatted(type(DefinitionTrees.object(is))),
					"Check that the values of all objects have that type.");
		}
		compareIfPresent(path + ".*", was, is);
	}

	private void compareIfPresent(String path, @Nullable Object before, @Nullable Object after) {
		if (before instanceof Map && after instanceof Map) {
			compare(path, DefinitionTrees.object(before), DefinitionTrees.object(after));
		}
	}

}
