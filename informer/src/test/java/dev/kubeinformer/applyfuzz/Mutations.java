package dev.kubeinformer.applyfuzz;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import dev.kubeinformer.applyfuzz.Shape.Kind;

/**
 * Random values of a shape, and random changes of them.
 */
final class Mutations {

	private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

	private static final int DEEPEST = 6;

	/** Each line is one quantity in several notations. */
	private static final List<List<String>> QUANTITIES = List.of(List.of("1", "1000m", "1.0"), List.of("500m", "0.5"),
			List.of("2", "2000m"), List.of("1Gi", "1024Mi", "1073741824"), List.of("1k", "1000"),
			List.of("128Mi", "131072Ki", "134217728"), List.of("0", "0m"));

	private static final List<String> WORDS = List.of("a", "b", "c", "d");

	private final Random random;

	Mutations(Random random) {
		this.random = random;
	}

	<E> E pick(List<E> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	JsonNode value(Shape shape, int depth) {
		return switch (shape.kind()) {
			case TEXT -> StringNode.valueOf(pick(shape.values().isEmpty() ? WORDS : shape.values()));
			case INTEGER -> IntNode.valueOf(1 + this.random.nextInt(9));
			case TRUTH -> BooleanNode.valueOf(this.random.nextBoolean());
			case QUANTITY -> StringNode.valueOf(pick(pick(QUANTITIES)));
			case INT_OR_STRING -> this.random.nextBoolean() ? IntNode.valueOf(1 + this.random.nextInt(99))
					: StringNode.valueOf(pick(List.of("http", "25%", "50%", "80")));
			case TIME -> StringNode.valueOf("2026-01-0" + (1 + this.random.nextInt(9)) + "T10:00:00Z");
			case BYTES -> StringNode.valueOf(
					Base64.getEncoder().encodeToString(pick(WORDS).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
			case ANY -> any(0);
			case MAP -> {
				ObjectNode map = JSON.objectNode();
				for (int i = this.random.nextInt(3); i >= 0; i--) {
					map.set(pick(WORDS), value(shape.itemShape(), depth + 1));
				}
				yield map;
			}
			case LIST -> {
				ArrayNode list = JSON.arrayNode();
				for (int i = this.random.nextInt(3); i >= 0; i--) {
					addItem(list, shape, depth);
				}
				yield list;
			}
			case OBJECT -> {
				ObjectNode object = JSON.objectNode();
				for (String name : new TreeSet<>(shape.required())) {
					set(object, shape, name, depth);
				}
				if (depth < DEEPEST) {
					for (int i = this.random.nextInt(3); i > 0 && !shape.fields().isEmpty(); i--) {
						set(object, shape, pick(List.copyOf(shape.fields().keySet())), depth);
					}
				}
				yield object;
			}
		};
	}

	private JsonNode any(int depth) {
		return switch (this.random.nextInt((depth < 2) ? 6 : 3)) {
			case 0 -> StringNode.valueOf(pick(WORDS));
			case 1 -> IntNode.valueOf(this.random.nextInt(5));
			case 2 -> BooleanNode.valueOf(this.random.nextBoolean());
			case 3 -> JSON.arrayNode().add(any(depth + 1)).add(any(depth + 1));
			case 4 -> JSON.objectNode();
			default -> {
				ObjectNode object = JSON.objectNode();
				object.set(pick(WORDS), any(depth + 1));
				object.set(pick(WORDS), any(depth + 1));
				yield object;
			}
		};
	}

	private void set(ObjectNode object, Shape shape, String name, int depth) {
		Shape field = shape.field(name);
		if (field != null) {
			object.set(name, value(field, depth + 1));
		}
	}

	private void addItem(ArrayNode list, Shape shape, int depth) {
		JsonNode item = value(shape.itemShape(), depth + 1);
		if (item instanceof ObjectNode object) {
			for (Map.Entry<String, String> key : shape.keys().entrySet()) {
				if (!object.has(key.getKey()) && (key.getValue().isEmpty() || this.random.nextBoolean())) {
					set(object, shape.itemShape(), key.getKey(), depth + 1);
				}
			}
		}
		Object identity = shape.identity(item);
		boolean twice = shape.merges()
				&& list.valueStream().anyMatch((other) -> shape.identity(other).equals(identity));
		if (!twice) {
			list.insert(this.random.nextInt(list.size() + 1), item);
		}
	}

	/**
	 * Changes something.
	 * @param before the value, which stays as it is
	 * @param shape its shape
	 * @return the changed copy, {@code null} if none is valid
	 */
	@Nullable ObjectNode changed(ObjectNode before, Shape shape) {
		for (int i = 0; i < 20; i++) {
			ObjectNode next = before.deepCopy();
			change(next, shape, 0);
			if (!next.equals(before) && shape.isValid(next)) {
				return next;
			}
		}
		return null;
	}

	private void change(ObjectNode object, Shape shape, int depth) {
		boolean map = shape.kind() == Kind.MAP;
		List<String> present = object.propertyNames()
			.stream()
			.filter((name) -> map || shape.fields().containsKey(name))
			.toList();
		double dice = this.random.nextDouble();
		if (!present.isEmpty() && dice < 0.6) {
			String name = pick(present);
			Shape child = map ? shape.itemShape() : shape.field(name);
			JsonNode value = object.get(name);
			if (child != null && value instanceof ObjectNode nested
					&& (child.kind() == Kind.OBJECT || child.kind() == Kind.MAP)) {
				change(nested, child, depth + 1);
			}
			else if (child != null && value instanceof ArrayNode list && child.kind() == Kind.LIST) {
				changeList(list, child, depth + 1);
			}
			else if (child != null) {
				object.set(name, other(value, child, depth));
			}
		}
		else if (!present.isEmpty() && dice < 0.75) {
			String name = pick(present);
			if (!shape.required().contains(name) && depth > 0) {
				object.remove(name);
			}
		}
		else if (map) {
			object.set(pick(WORDS), value(shape.itemShape(), depth + 1));
		}
		else if (!shape.fields().isEmpty()) {
			String name = pick(List.copyOf(shape.fields().keySet()));
			if (!object.has(name)) {
				set(object, shape, name, depth);
			}
		}
	}

	private JsonNode other(JsonNode value, Shape shape, int depth) {
		if (shape.kind() == Kind.QUANTITY && this.random.nextBoolean()) {
			for (List<String> notations : QUANTITIES) {
				if (notations.contains(value.asString(""))) {
					return StringNode.valueOf(pick(notations));
				}
			}
		}
		return value(shape, depth + 1);
	}

	private void changeList(ArrayNode list, Shape shape, int depth) {
		double dice = this.random.nextDouble();
		if (list.isEmpty() || dice < 0.2) {
			addItem(list, shape, depth);
		}
		else if (dice < 0.35 && list.size() > 1) {
			list.remove(this.random.nextInt(list.size()));
		}
		else if (dice < 0.55 && list.size() > 1) {
			List<JsonNode> items = new ArrayList<>(list.values());
			Collections.shuffle(items, this.random);
			list.removeAll();
			list.addAll(items);
		}
		else {
			int index = this.random.nextInt(list.size());
			JsonNode item = list.get(index);
			Shape child = shape.itemShape();
			if (item instanceof ObjectNode nested && (child.kind() == Kind.OBJECT || child.kind() == Kind.MAP)) {
				change(nested, child, depth + 1);
			}
			else {
				list.set(index, value(child, depth + 1));
			}
		}
	}

	/**
	 * Returns a few fields of an object, as another manager might apply them.
	 */
	ObjectNode extract(ObjectNode object, Shape shape) {
		ObjectNode part = JSON.objectNode();
		List<String> present = object.propertyNames()
			.stream()
			.filter((name) -> shape.kind() == Kind.MAP || shape.fields().containsKey(name))
			.toList();
		for (int i = this.random.nextInt(2); i >= 0 && !present.isEmpty(); i--) {
			String name = pick(present);
			Shape child = (shape.kind() == Kind.MAP) ? shape.itemShape() : shape.field(name);
			if (child != null) {
				part.set(name, extractValue(object.get(name), child));
			}
		}
		return part;
	}

	private JsonNode extractValue(JsonNode value, Shape shape) {
		if (value instanceof ObjectNode object && shape.kind() == Kind.OBJECT) {
			return extract(object, shape);
		}
		if (value instanceof ArrayNode list && shape.merges() && !list.isEmpty()) {
			ArrayNode part = JSON.arrayNode();
			JsonNode item = list.get(this.random.nextInt(list.size()));
			if (item instanceof ObjectNode object && !shape.keys().isEmpty()) {
				ObjectNode some = extract(object, shape.itemShape());
				shape.keys().keySet().stream().filter(object::has).forEach((key) -> some.set(key, object.get(key)));
				part.add(some);
			}
			else {
				part.add(item);
			}
			return part;
		}
		return value.deepCopy();
	}

}
