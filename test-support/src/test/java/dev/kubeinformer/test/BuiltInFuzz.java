package dev.kubeinformer.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Random changes of an object that is valid: each names a place and what happens there,
 * so that it can be done to the same object of two servers.
 */
final class BuiltInFuzz {

	private static final List<String> VALUES = List.of("\"\"", "\"A_b!\"", "\"-a\"", "\"a..b\"", "\"a/b/c\"", "\"web\"",
			"\"x-y\"", "\"100m\"", "\"-1\"", "\"5\"", "\"200%\"", "\"UDP\"", "\"Never\"", "\"None\"", "\"1Gi\"",
			"\"" + "x".repeat(64) + "\"", "\"" + "y".repeat(260) + "\"", "-1", "0", "1", "7", "70000", "1.5",
			"99999999999", "true", "false", "[]", "{}", "[\"a\"]", "{\"a\":\"b\"}", "null", "\"a=b\"", "\".\"",
			"\"..\"");

	private final Random random;

	BuiltInFuzz(Random random) {
		this.random = random;
	}

	List<Change> changes(ObjectNode object) {
		List<Change> changes = new ArrayList<>();
		int count = 1 + this.random.nextInt(3);
		ObjectNode state = object.deepCopy();
		while (changes.size() < count) {
			Change change = change(state);
			if (change.apply(state)) {
				changes.add(change);
			}
		}
		return changes;
	}

	private Change change(ObjectNode object) {
		List<Object> path = new ArrayList<>();
		JsonNode node = object;
		while (node.isContainer() && !node.isEmpty()) {
			if (path.size() > 1 && this.random.nextInt(8) == 0) {
				break;
			}
			if (node instanceof ArrayNode list) {
				int index = this.random.nextInt(list.size());
				path.add(index);
				node = list.get(index);
			}
			else {
				List<String> names = node.propertyStream()
					.map((property) -> property.getKey())
					.filter((name) -> !name.equals("apiVersion") && !name.equals("kind"))
					.toList();
				if (names.isEmpty()) {
					break;
				}
				String name = names.get(this.random.nextInt(names.size()));
				path.add(name);
				node = node.get(name);
			}
		}
		Kind kind = Kind.values()[this.random.nextInt(Kind.values().length)];
		return new Change(path, kind, VALUES.get(this.random.nextInt(VALUES.size())));
	}

	/** Kind of a change to a value. */
	enum Kind {

		REMOVE, SET, SET_AGAIN, RENAME, ADD, DOUBLE

	}

	/**
	 * Change of a value.
	 *
	 * @param path the names of fields and the numbers of items that lead to it
	 * @param kind what happens
	 * @param value a value in JSON
	 */
	record Change(List<Object> path, Kind kind, String value) {

		boolean apply(ObjectNode object) {
			if (this.path.isEmpty() || this.path.equals(List.of("metadata"))
					|| this.path.equals(List.of("metadata", "name")) && this.kind != Kind.SET) {
				return false;
			}
			JsonNode parent = object;
			for (Object step : this.path.subList(0, this.path.size() - 1)) {
				parent = (step instanceof Integer index) ? parent.path(index) : parent.path((String) step);
			}
			Object last = this.path.get(this.path.size() - 1);
			if (parent instanceof ArrayNode list && last instanceof Integer index && index < list.size()) {
				return change(list, index);
			}
			return parent instanceof ObjectNode fields && last instanceof String name && fields.has(name)
					&& change(fields, name);
		}

		private boolean change(ArrayNode list, int index) {
			switch (this.kind) {
				case REMOVE -> list.remove(index);
				case DOUBLE -> list.add(list.get(index).deepCopy());
				case SET, SET_AGAIN -> list.set(index, read());
				default -> {
					return list.get(index) instanceof ObjectNode item && add(item);
				}
			}
			return true;
		}

		private boolean change(ObjectNode fields, String name) {
			switch (this.kind) {
				case REMOVE -> fields.remove(name);
				case SET, SET_AGAIN -> fields.set(name, read());
				case RENAME -> fields.set(
						(this.value.startsWith("\"") && this.value.length() > 2) ? read().asString() : name + "X",
						fields.remove(name));
				default -> {
					return fields.get(name) instanceof ObjectNode object && add(object);
				}
			}
			return true;
		}

		private boolean add(ObjectNode object) {
			object.set("added", read());
			return true;
		}

		private JsonNode read() {
			return Json.read(Json.utf8(this.value));
		}

	}

}
