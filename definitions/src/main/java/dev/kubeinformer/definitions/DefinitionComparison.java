package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Compares two states of a definition: its attributes and its versions.
 */
final class DefinitionComparison {

	private static final List<String> STATUS = List.of("subresources", "status");

	private static final List<String> SCALE = List.of("subresources", "scale");

	private final String definition;

	private final Map<String, Object> before;

	private final Map<String, Object> after;

	private final List<DefinitionChange> changes = new ArrayList<>();

	private DefinitionComparison(Map<String, Object> before, Map<String, Object> after) {
		this.definition = DefinitionTrees.name(before);
		this.before = before;
		this.after = after;
	}

	static List<DefinitionChange> of(Map<String, Object> before, Map<String, Object> after) {
		DefinitionComparison comparison = new DefinitionComparison(before, after);
		comparison.identity();
		comparison.names();
		comparison.conversion();
		comparison.versions();
		comparison.storage();
		return comparison.changes;
	}

	static DefinitionChange removed(String name) {
		return new DefinitionChange(name, null, "", "was removed", true,
				"Keep the definition until the cluster has no objects of it: deleting it deletes all of them.");
	}

	private void breaking(@Nullable String version, String path, String what, String remedy) {
		this.changes.add(new DefinitionChange(this.definition, version, path, what, true, remedy));
	}

	private void compatible(@Nullable String version, String path, String what) {
		this.changes.add(new DefinitionChange(this.definition, version, path, what, false, ""));
	}

	private static String became(@Nullable Object old, @Nullable Object current) {
		return "was %s and is %s".formatted(text(old), text(current));
	}

	private static String text(@Nullable Object value) {
		return (value != null) ? "'%s'".formatted(value) : "absent";
	}

	private void identity() {
		// The API server rejects all of these (apiextensions-apiserver, validation.go).
		for (List<String> path : List.of(List.of("spec", "group"), List.of("spec", "names", "plural"),
				List.of("spec", "names", "kind"), List.of("spec", "scope"))) {
			Object old = at(this.before, path);
			Object current = at(this.after, path);
			if (!Objects.equals(old, current)) {
				breaking(null, String.join(".", path), became(old, current),
						"Restore it, or define another kind and move the objects: the API server cannot "
								+ "change it.");
			}
		}
		if (Boolean.TRUE.equals(DefinitionTrees.at(this.before, "spec", "preserveUnknownFields"))
				&& !Boolean.TRUE.equals(DefinitionTrees.at(this.after, "spec", "preserveUnknownFields"))) {
			breaking(null, "spec.preserveUnknownFields", became(true, false),
					"Add the fields that objects have to the schema first: the API server drops others.");
		}
	}

	private void names() {
		for (String name : List.of("singular", "listKind", "shortNames", "categories")) {
			Object old = DefinitionTrees.at(this.before, "spec", "names", name);
			Object current = DefinitionTrees.at(this.after, "spec", "names", name);
			// The API server fills in absent names.
			boolean filled = current == null && (name.equals("singular") || name.equals("listKind"));
			if (!Objects.equals(old, current) && !filled) {
				compatible(null, "spec.names." + name, became(old, current));
			}
		}
	}

	private void conversion() {
		Object old = Objects.requireNonNullElse(DefinitionTrees.at(this.before, "spec", "conversion", "strategy"),
				"None");
		Object current = Objects.requireNonNullElse(DefinitionTrees.at(this.after, "spec", "conversion", "strategy"),
				"None");
		if (old.equals(current)) {
			return;
		}
		if (current.equals("None")) {
			breaking(null, "spec.conversion", became(old, current),
					"Keep the webhook while clients use several versions, or objects lose the fields that "
							+ "only one of them has.");
		}
		else {
			compatible(null, "spec.conversion", became(old, current));
		}
	}

	private void versions() {
		Map<String, Map<String, Object>> left = versions(this.after);
		versions(this.before).forEach((name, old) -> {
			Map<String, Object> current = left.remove(name);
			if (current == null) {
				dropped(name, old);
			}
			else {
				served(name, old, current);
				subresources(name, old, current);
				selectableFields(name, old, current);
				columns(name, old, current);
				compareSchemas(name, old, current);
			}
		});
		left.keySet().forEach((name) -> compatible(name, "", "was added"));
	}

	private void compareSchemas(String version, Map<String, Object> old, Map<String, Object> current) {
		this.changes.addAll(SchemaComparison.of(this.definition, version, schema(old), schema(current)));
	}

	private static Map<String, Object> schema(Map<String, Object> version) {
		return DefinitionTrees.object(DefinitionTrees.at(version, "schema", "openAPIV3Schema"));
	}

	private void dropped(String name, Map<String, Object> old) {
		if (mayBeStored(name, old)) {
			breaking(name, "", "was dropped, and objects may be stored in it",
					"Keep it with served = false, write every object once so that it is stored in the new "
							+ "version, remove it from status.storedVersions, then drop it.");
		}
		else if (DefinitionTrees.isTrue(old, "served")) {
			breaking(name, "", "was dropped, and clients may use it",
					"Keep it with deprecated = true until no client uses it.");
		}
		else {
			compatible(name, "", "was dropped; it was neither served nor stored");
		}
	}

	private boolean mayBeStored(String name, Map<String, Object> old) {
		List<?> stored = DefinitionTrees.list(DefinitionTrees.at(this.before, "status", "storedVersions"));
		// Without a status, earlier storage versions are unknown.
		return DefinitionTrees.isTrue(old, "storage") || stored.contains(name);
	}

	private void served(String name, Map<String, Object> old, Map<String, Object> current) {
		boolean was = DefinitionTrees.isTrue(old, "served");
		boolean is = DefinitionTrees.isTrue(current, "served");
		if (was && !is) {
			breaking(name, "served", became(true, false),
					"Keep it served, with deprecated = true, until no client " + "uses it.");
		}
		else if (is && !was) {
			compatible(name, "served", became(false, true));
		}
		if (DefinitionTrees.isTrue(old, "deprecated") != DefinitionTrees.isTrue(current, "deprecated")
				|| !Objects.equals(old.get("deprecationWarning"), current.get("deprecationWarning"))) {
			compatible(name, "deprecated",
					DefinitionTrees.isTrue(current, "deprecated") ? "makes clients of it warned" : "is no longer set");
		}
	}

	private void subresources(String name, Map<String, Object> old, Map<String, Object> current) {
		boolean status = at(old, STATUS) != null;
		if (status && at(current, STATUS) == null) {
			breaking(name, "subresources.status", "was removed",
					"Keep the status subresource: clients that write the status through it fail.");
		}
		else if (!status && at(current, STATUS) != null) {
			breaking(name, "subresources.status", "was added",
					"Add it with a new version: requests that write the status with the object lose it.");
		}
		Object scale = at(old, SCALE);
		if (scale == null && at(current, SCALE) != null) {
			compatible(name, "subresources.scale", "was added");
		}
		else if (!Objects.equals(scale, at(current, SCALE))) {
			breaking(name, "subresources.scale", (at(current, SCALE) != null) ? "was changed" : "was removed",
					"Keep the scale subresource with its paths: autoscalers use it.");
		}
	}

	private void selectableFields(String name, Map<String, Object> old, Map<String, Object> current) {
		Set<String> was = paths(old);
		Set<String> is = paths(current);
		was.stream()
			.filter((path) -> !is.contains(path))
			.forEach((path) -> breaking(name, "selectableFields", "lost '%s'".formatted(path),
					"Keep it: the API server rejects clients that select by it."));
		is.stream()
			.filter((path) -> !was.contains(path))
			.forEach((path) -> compatible(name, "selectableFields", "gained '%s'".formatted(path)));
	}

	private static Set<String> paths(Map<String, Object> version) {
		return DefinitionTrees.list(version.get("selectableFields"))
			.stream()
			.map((field) -> String.valueOf(DefinitionTrees.object(field).get("jsonPath")))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private void columns(String name, Map<String, Object> old, Map<String, Object> current) {
		if (!columns(old).equals(columns(current))) {
			compatible(name, "additionalPrinterColumns", "were changed");
		}
	}

	private static List<Map<String, Object>> columns(Map<String, Object> version) {
		return DefinitionTrees.list(version.get("additionalPrinterColumns")).stream().map((column) -> {
			Map<String, Object> shown = DefinitionTrees.object(column);
			shown.remove("priority", 0);
			return shown;
		}).toList();
	}

	private void storage() {
		String was = storage(this.before);
		String is = storage(this.after);
		Map<String, Object> old = versions(this.after).get(was);
		if (was.equals(is) || old == null) {
			return;
		}
		if (DefinitionTrees.isTrue(old, "served")) {
			compatible(is, "storage", "replaces '%s', which stays served".formatted(was));
		}
		else {
			breaking(is, "storage", "replaces '%s', which is not served".formatted(was),
					"Serve '%s' until every object was written once and status.storedVersions lacks it."
						.formatted(was));
		}
		if (DefinitionTrees.at(this.after, "spec", "conversion", "webhook") == null) {
			// Conversion by 'None' changes apiVersion only, so the schema of the new
			// storage version prunes.
			String both = was + " -> " + is;
			this.changes.addAll(SchemaComparison
				.of(this.definition, both, schema(old), schema(versions(this.after).getOrDefault(is, Map.of())))
				.stream()
				.filter(DefinitionChange::breaking)
				.toList());
		}
	}

	private static String storage(Map<String, Object> definition) {
		return versions(definition).entrySet()
			.stream()
			.filter((entry) -> DefinitionTrees.isTrue(entry.getValue(), "storage"))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse("");
	}

	private static Map<String, Map<String, Object>> versions(Map<String, Object> definition) {
		Map<String, Map<String, Object>> versions = new LinkedHashMap<>();
		DefinitionTrees.list(DefinitionTrees.at(definition, "spec", "versions")).forEach((version) -> {
			Map<String, Object> tree = DefinitionTrees.object(version);
			versions.put(String.valueOf(tree.get("name")), tree);
		});
		return versions;
	}

	private static @Nullable Object at(Map<String, Object> tree, List<String> path) {
		return DefinitionTrees.at(tree, path.toArray(String[]::new));
	}

}
