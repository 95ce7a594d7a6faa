package dev.kubeinformer.test.internal.patch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Path of a field in the notation of {@code FieldsV1}, the format of
 * {@code metadata.managedFields}: "f:" and a name, "k:" and the keys of an item, or "v:"
 * and the value of an item.
 *
 * @param elements the elements of the path
 */
record FieldPath(List<String> elements) {

	static final FieldPath ROOT = new FieldPath(List.of());

	FieldPath then(String element) {
		List<String> longer = new ArrayList<>(this.elements);
		longer.add(element);
		return new FieldPath(List.copyOf(longer));
	}

	boolean isItem() {
		return !this.elements.get(this.elements.size() - 1).startsWith("f:");
	}

	// Whether this field is write-only: the server does not show it, but remembers its
	// manager.
	boolean isOnlyWritten() {
		return this.elements.get(0).equals("f:stringData");
	}

	// Whether this field is a key of the item that contains it.
	boolean isKey() {
		int size = this.elements.size();
		return size > 1 && this.elements.get(size - 2).startsWith("k:")
				&& Json.readObject(this.elements.get(size - 2).substring(2))
					.has(this.elements.get(size - 1).substring(2));
	}

	private FieldPath parent() {
		return new FieldPath(this.elements.subList(0, this.elements.size() - 1));
	}

	// Adds the parents of the given paths.
	static Set<FieldPath> withParents(Collection<FieldPath> paths) {
		Set<FieldPath> all = new HashSet<>(paths);
		all.addAll(parents(paths));
		return all;
	}

	private static Set<FieldPath> parents(Collection<FieldPath> paths) {
		Set<FieldPath> parents = new HashSet<>();
		for (FieldPath path : paths) {
			FieldPath parent = path;
			while (!parent.elements().isEmpty()) {
				parent = parent.parent();
				if (!parents.add(parent)) {
					break;
				}
			}
		}
		return parents;
	}

	// Returns the path element of an item in a list that is merged by keys.
	static String item(JsonNode item, PatchSchema.Shape shape) {
		ObjectNode keys = Json.object();
		shape.keys().forEach((key, defaultValue) -> {
			if (item.has(key)) {
				keys.set(key, item.get(key));
			}
			else if (!defaultValue.isEmpty()) {
				keys.put(key, defaultValue);
			}
		});
		return "k:" + keys;
	}

	// Reads the paths in FieldsV1.
	static Set<FieldPath> parse(JsonNode fields) {
		Set<FieldPath> paths = new LinkedHashSet<>();
		parse(fields, ROOT, paths);
		return paths;
	}

	private static void parse(JsonNode fields, FieldPath prefix, Set<FieldPath> paths) {
		fields.properties().forEach((property) -> {
			if (".".equals(property.getKey())) {
				paths.add(prefix);
				return;
			}
			FieldPath path = prefix.then(property.getKey());
			if (property.getValue().isEmpty()) {
				paths.add(path);
			}
			parse(property.getValue(), path, paths);
		});
	}

	// Writes paths as FieldsV1.
	static ObjectNode write(Collection<FieldPath> paths) {
		Set<FieldPath> parents = parents(paths);
		ObjectNode fields = Json.object();
		for (FieldPath path : ordered(paths)) {
			ObjectNode node = fields;
			for (String element : path.elements()) {
				node = node.withObjectProperty(element);
			}
			if (parents.contains(path)) {
				node.putObject(".");
			}
		}
		return fields;
	}

	private static Set<FieldPath> ordered(Collection<FieldPath> paths) {
		Set<FieldPath> ordered = new TreeSet<>(
				Comparator.comparing((FieldPath path) -> String.join("\n", path.elements())));
		ordered.addAll(paths);
		return ordered;
	}

	/**
	 * Removes the value at this path, and objects and lists that become empty.
	 * @param object the lookup of the object's fields
	 * @param kept the paths of objects and lists that stay even if they become empty
	 */
	void removeFrom(FieldLookup object, Set<FieldPath> kept) {
		if (this.elements.isEmpty()) {
			return;
		}
		FieldPath parent = parent();
		JsonNode container = object.find(parent);
		JsonNode value = object.find(this);
		if (container == null || value == null) {
			return;
		}
		if (container instanceof ObjectNode owner) {
			owner.remove(this.elements.get(this.elements.size() - 1).substring(2));
		}
		else if (container instanceof ArrayNode list) {
			list.removeIf((item) -> item == value);
		}
		if (container.isEmpty() && !kept.contains(parent)) {
			parent.removeFrom(object, kept);
		}
	}

	/**
	 * Returns the path as conflicts show it, such as
	 * {@code .spec.containers[name="c"].image}.
	 */
	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		for (String element : this.elements) {
			String rest = element.substring(2);
			switch (element.substring(0, 2)) {
				case "f:" -> text.append('.').append(rest);
				case "v:" -> text.append("[=").append(rest).append(']');
				default -> text.append('[')
					.append(String.join(",",
							Json.readObject(rest)
								.propertyStream()
								.map((key) -> key.getKey() + "=" + key.getValue())
								.toList()))
					.append(']');
			}
		}
		return text.toString();
	}

}
