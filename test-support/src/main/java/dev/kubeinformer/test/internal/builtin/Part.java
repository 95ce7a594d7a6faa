package dev.kubeinformer.test.internal.builtin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.status.Rejection;

/**
 * Part of an object that is being validated. The methods report an invalid value as a
 * rejection. As in Go, they treat an absent text as an empty text, and an absent number
 * as 0.
 *
 * @param node the value, a missing node if the object does not have it
 * @param path the path of the value in messages
 * @param rejections the rejections so far, to which the methods add
 */
record Part(JsonNode node, String path, List<Rejection> rejections) {

	static final String IMMUTABLE = "field is immutable";

	private static final String NOT_NEGATIVE = "must be greater than or equal to 0";

	static Part root(ObjectNode object, List<Rejection> rejections) {
		return new Part(object, "", rejections);
	}

	// Returns the value of a field, or of a nested field by its path with dots.
	Part at(String field) {
		int dot = field.indexOf('.');
		if (dot > 0) {
			return at(field.substring(0, dot)).at(field.substring(dot + 1));
		}
		return new Part(this.node.path(field), (this.path.isEmpty()) ? field : this.path + "." + field,
				this.rejections);
	}

	// Returns the value of a key of a map.
	Part key(String key) {
		return new Part(this.node.path(key), this.path + "[" + key + "]", this.rejections);
	}

	// Returns the same value with another path.
	Part as(String other) {
		return new Part(this.node, other, this.rejections);
	}

	Part item(int index) {
		return new Part(this.node.path(index), this.path + "[" + index + "]", this.rejections);
	}

	List<Part> items() {
		if (!(this.node instanceof ArrayNode)) {
			return List.of();
		}
		List<Part> items = new ArrayList<>(this.node.size());
		for (int i = 0; i < this.node.size(); i++) {
			items.add(item(i));
		}
		return items;
	}

	void eachKey(BiConsumer<String, Part> action) {
		if (this.node instanceof ObjectNode object) {
			object.properties().forEach((entry) -> action.accept(entry.getKey(), key(entry.getKey())));
		}
	}

	boolean isSet() {
		return !this.node.isMissingNode() && !this.node.isNull();
	}

	boolean has(String field) {
		return at(field).isSet();
	}

	void ifSet(String field, Consumer<Part> action) {
		Part part = at(field);
		if (part.isSet()) {
			action.accept(part);
		}
	}

	String text() {
		return this.node.asString("");
	}

	String text(String field) {
		return at(field).text();
	}

	long number() {
		return (this.node.isNumber()) ? this.node.asLong() : 0;
	}

	long number(String field) {
		return at(field).number();
	}

	boolean flag(String field) {
		return this.node.path(field).asBoolean(false);
	}

	boolean isEmpty() {
		return this.node.isString() ? this.node.asString().isEmpty() : this.node.isEmpty();
	}

	int size() {
		return this.node.size();
	}

	void required() {
		required("");
	}

	void required(String why) {
		add("FieldValueRequired", "Required value", why);
	}

	void forbidden(String why) {
		add("FieldValueForbidden", "Forbidden", why);
	}

	void invalid(String why) {
		invalid(shown(this.node), why);
	}

	void invalid(String shown, String why) {
		add("FieldValueInvalid", "Invalid value: " + shown, why);
	}

	void invalid(Collection<String> reasons) {
		reasons.forEach(this::invalid);
	}

	void duplicate() {
		add("FieldValueDuplicate", "Duplicate value: " + shown(this.node), "");
	}

	void duplicate(String shown, String why) {
		add("FieldValueDuplicate", "Duplicate value: " + shown, why);
	}

	void notFound() {
		add("FieldValueNotFound", "Not found: " + shown(this.node), "");
	}

	void tooLong(String unit, int limit) {
		add("FieldValueTooLong", "Too long", "may not be more than " + limit + " " + unit);
	}

	void unsupported(String... supported) {
		add("FieldValueNotSupported", "Unsupported value: " + shown(this.node),
				"supported values: \"" + String.join("\", \"", supported) + "\"");
	}

	void oneOf(String... supported) {
		if (!List.of(supported).contains(text())) {
			unsupported(supported);
		}
	}

	void requiredOneOf(String... supported) {
		if (isEmpty()) {
			required();
		}
		else {
			oneOf(supported);
		}
	}

	void notNegative() {
		if (number() < 0) {
			invalid(NOT_NEGATIVE);
		}
	}

	// Checks fields in their order.
	void notNegative(String... fields) {
		for (String field : fields) {
			at(field).notNegative();
		}
	}

	void port() {
		if (number() < 1 || number() > 65535) {
			invalid(Long.toString(number()), "must be between 1 and 65535, inclusive");
		}
	}

	void portOrName() {
		if (this.node.isString()) {
			invalid(Formats.portName(text()));
		}
		else {
			port();
		}
	}

	void immutable(JsonNode before) {
		if (!Formats.same(before, this.node)) {
			invalid(IMMUTABLE);
		}
	}

	private void add(String reason, String what, String why) {
		this.rejections.add(new Rejection(this.path, reason, (why.isEmpty()) ? what : what + ": " + why));
	}

	// Prints a value as Go does, with sorted keys.
	static String shown(JsonNode node) {
		if (node.isMissingNode()) {
			return "\"\"";
		}
		if (node instanceof ObjectNode object) {
			Map<String, String> entries = new TreeMap<>();
			object.properties().forEach((entry) -> entries.put(entry.getKey(), shown(entry.getValue())));
			List<String> texts = new ArrayList<>();
			entries.forEach((key, value) -> texts.add("\"" + key + "\":" + value));
			return "{" + String.join(",", texts) + "}";
		}
		if (node instanceof ArrayNode list) {
			List<String> texts = new ArrayList<>();
			list.forEach((item) -> texts.add(shown(item)));
			return "[" + String.join(",", texts) + "]";
		}
		return node.toString();
	}

}
