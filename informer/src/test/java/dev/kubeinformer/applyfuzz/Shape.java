package dev.kubeinformer.applyfuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shape of a field: the part of a schema that is needed to create random values, and to
 * know which items of a list are equal for server-side apply.
 *
 * @param kind the kind of value
 * @param fields the fields of an object, by their names
 * @param required the fields that an object must have
 * @param item the shape of a list's items or a map's values
 * @param keys the fields that identify an item, with their defaults; empty for a list
 * that has none
 * @param unique whether the values of a list are a set
 * @param values texts that the field may have; empty for any
 */
record Shape(Kind kind, Map<String, Supplier<Shape>> fields, Set<String> required, @Nullable Supplier<Shape> item,
		Map<String, String> keys, boolean unique, List<String> values) {

	enum Kind {

		TEXT, INTEGER, TRUTH, QUANTITY, INT_OR_STRING, TIME, BYTES, ANY, MAP, LIST, OBJECT

	}

	static Shape of(Kind kind) {
		return new Shape(kind, Map.of(), Set.of(), null, Map.of(), false, List.of());
	}

	static Shape text(String... values) {
		return new Shape(Kind.TEXT, Map.of(), Set.of(), null, Map.of(), false, List.of(values));
	}

	static Shape map(Supplier<Shape> value) {
		return new Shape(Kind.MAP, Map.of(), Set.of(), value, Map.of(), false, List.of());
	}

	static Shape list(Supplier<Shape> item) {
		return new Shape(Kind.LIST, Map.of(), Set.of(), item, Map.of(), false, List.of());
	}

	static Shape set(Supplier<Shape> item) {
		return new Shape(Kind.LIST, Map.of(), Set.of(), item, Map.of(), true, List.of());
	}

	static Shape keyed(Supplier<Shape> item, Map<String, String> keys) {
		return new Shape(Kind.LIST, Map.of(), Set.of(), item, keys, false, List.of());
	}

	static Shape object(Map<String, Supplier<Shape>> fields, Set<String> required) {
		return new Shape(Kind.OBJECT, fields, required, null, Map.of(), false, List.of());
	}

	boolean merges() {
		return this.unique || !this.keys.isEmpty();
	}

	Shape itemShape() {
		return (this.item != null) ? this.item.get() : of(Kind.ANY);
	}

	@Nullable Shape field(String name) {
		Supplier<Shape> field = this.fields.get(name);
		return (field != null) ? field.get() : null;
	}

	/** Returns the identity of an item among the others of its list. */
	Object identity(JsonNode item) {
		if (this.keys.isEmpty()) {
			return item;
		}
		List<Object> values = new ArrayList<>();
		this.keys.forEach((key, fallback) -> {
			JsonNode value = item.path(key);
			values.add(value.isMissingNode() ? fallback : value.asString(value.toString()));
		});
		return values;
	}

	private boolean hasKeys(JsonNode item) {
		return this.keys.entrySet().stream().allMatch((key) -> !key.getValue().isEmpty() || item.has(key.getKey()));
	}

	/**
	 * Whether no two items of a list are the same and each has its keys, as the API
	 * server wants it.
	 */
	boolean isValid(@Nullable JsonNode value) {
		if (value instanceof ObjectNode object) {
			Map<String, JsonNode> children = new LinkedHashMap<>();
			object.properties().forEach((property) -> children.put(property.getKey(), property.getValue()));
			return children.entrySet().stream().allMatch((child) -> {
				Shape shape = (this.kind == Kind.MAP) ? itemShape() : field(child.getKey());
				return shape == null || shape.isValid(child.getValue());
			});
		}
		if (value instanceof ArrayNode list && this.kind == Kind.LIST) {
			Shape item = itemShape();
			Set<Object> known = new HashSet<>();
			for (JsonNode each : list) {
				if ((merges() && !known.add(identity(each))) || !hasKeys(each) || !item.isValid(each)) {
					return false;
				}
			}
		}
		return true;
	}

}
