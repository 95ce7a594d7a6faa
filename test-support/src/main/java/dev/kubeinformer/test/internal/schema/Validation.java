package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates a value by its schema, as kube-apiserver does with k8s.io/kube-openapi. The
 * checks and their order are the same, including oddities.
 */
final class Validation {

	/** Prefix of the path in all messages, such as "status". */
	private final String prefix;

	/**
	 * Whether the validated values are defaults. Among these, a value of the type
	 * int-or-string may have any type.
	 */
	private final boolean defaults;

	private Validation(String prefix, boolean defaults) {
		this.prefix = prefix;
		this.defaults = defaults;
	}

	/**
	 * Validates a value.
	 * @param schema its schema
	 * @param value the value
	 * @param prefix the path of the value, empty for a complete object
	 * @param before the value before an update, or {@code null}
	 * @return the failures
	 */
	static List<FieldError> validate(Structural schema, JsonNode value, String prefix, @Nullable Correlation before) {
		return new Validation(prefix, false).ratcheted(schema, value, "", before).errors();
	}

	static List<FieldError> validateDefault(Structural schema, JsonNode value, String prefix) {
		return new Validation(prefix, true).plain(schema, value, "", null).errors();
	}

	private Outcome ratcheted(Structural schema, JsonNode value, String path, @Nullable Correlation before) {
		Outcome outcome = plain(schema, value, path, before);
		if (before != null && !outcome.isValid() && before.isUnchanged()) {
			outcome.forgive();
		}
		return outcome;
	}

	private Outcome plain(Structural schema, JsonNode value, String path, @Nullable Correlation before) {
		Outcome outcome = new Outcome();
		boolean typed = !this.defaults || schema.types.size() < 2;
		if (value.isNull()) {
			outcome.merge((typed) ? type(schema, value, path) : null);
			outcome.merge(oneOfValues(schema, value, path));
			return outcome;
		}
		if (typed && (!schema.types.isEmpty() || !schema.format.isEmpty())) {
			outcome.merge(type(schema, value, path));
			outcome.pass();
		}
		outcome.merge(alternatives(schema, value, path, before));
		outcome.pass();
		if (value.isString()) {
			outcome.merge(text(schema, value.stringValue(), path));
			outcome.pass();
			if (Formats.isRegistered(schema.format)) {
				outcome.merge(format(schema, value.stringValue(), path));
				outcome.pass();
			}
		}
		if (value.isNumber()) {
			outcome.merge(new NumberRules(schema, name(path), path, this.prefix).validate(value));
			outcome.pass();
		}
		if (value instanceof ArrayNode list) {
			outcome.merge(list(schema, list, path, before));
			outcome.pass();
		}
		outcome.merge(oneOfValues(schema, value, path));
		outcome.pass();
		if (value instanceof ObjectNode object) {
			outcome.merge(object(schema, object, path, before));
			outcome.pass();
		}
		outcome.pass();
		return outcome;
	}

	// Returns the path of a failure as the response shows it.
	private String name(String path) {
		String name = (path.startsWith(".")) ? path.substring(1) : path;
		if (name.isEmpty()) {
			return this.prefix;
		}
		return (this.prefix.isEmpty()) ? name : this.prefix + "." + name;
	}

	private Outcome type(Structural schema, JsonNode value, String path) {
		Outcome outcome = new Outcome();
		String types = String.join(",", schema.types);
		if (value.isNull()) {
			if (!schema.types.isEmpty() && !schema.nullable) {
				outcome.add(wrongType(path, types, "null"));
			}
			else {
				outcome.pass();
			}
			return outcome;
		}
		String found = JsonTypes.of(value);
		String stored = JsonTypes.format(value);
		boolean whole = "number".equals(found) && JsonTypes.isWhole(value.doubleValue())
				&& schema.types.contains("integer");
		boolean numeric = "integer".equals(found) && schema.types.contains("number");
		boolean fits = schema.types.contains(found) || whole || numeric;
		boolean textual = value.isString() || value.isArray();
		if (!textual && !schema.format.isEmpty() && !fits && !stored.equals(schema.format)) {
			outcome.add(wrongType(path, schema.format, stored));
			return outcome;
		}
		boolean ofNumbers = schema.types.contains("number") || schema.types.contains("integer");
		if ((!ofNumbers && !schema.format.isEmpty() && textual) || fits) {
			outcome.pass();
			return outcome;
		}
		outcome.add(wrongType(path, types, found));
		return outcome;
	}

	private FieldError wrongType(String path, String expected, String found) {
		return FieldError.type(name(path), found,
				path + " in body must be of type " + expected + ": " + GoText.quoted(found));
	}

	private @Nullable Outcome oneOfValues(Structural schema, JsonNode value, String path) {
		if (schema.values.isEmpty()
				|| schema.values.stream().anyMatch((known) -> JsonTypes.isEnumValue(value, known))) {
			return null;
		}
		List<String> texts = schema.values.stream()
			.map((known) -> (known.isString()) ? known.stringValue() : GoText.json(known))
			.toList();
		return failed(FieldError.unsupported(name(path), value, texts));
	}

	private static Outcome failed(FieldError error) {
		Outcome outcome = new Outcome();
		outcome.add(error);
		return outcome;
	}

	private @Nullable Outcome text(Structural schema, String value, String path) {
		int length = value.codePointCount(0, value.length());
		Long most = schema.limit("maxLength");
		if (most != null && length > most) {
			return failed(FieldError.tooLong(name(path), most));
		}
		Long least = schema.limit("minLength");
		if (least != null && length < least) {
			return failed(FieldError.invalid(name(path), value,
					path + " in body should be at least " + least + " chars long"));
		}
		if (schema.pattern != null && !schema.pattern.matcher(value).find()) {
			return failed(FieldError.invalid(name(path), value,
					path + " in body should match '" + schema.source.path("pattern").asString() + "'"));
		}
		return null;
	}

	private @Nullable Outcome format(Structural schema, String value, String path) {
		return (Formats.matches(schema.format, value)) ? null : failed(wrongType(path, schema.format, value));
	}

	private Outcome list(Structural schema, ArrayNode list, String path, @Nullable Correlation before) {
		Outcome outcome = new Outcome();
		if (schema.items != null) {
			for (int i = 0; i < list.size(); i++) {
				Correlation item = (before != null) ? before.item(i) : null;
				outcome.merge(ratcheted(schema.items, list.get(i), path + "[" + i + "]", item));
			}
		}
		Long least = schema.limit("minItems");
		if (least != null && list.size() < least) {
			outcome.add(FieldError.shown(name(path), Integer.toString(list.size()),
					path + " in body should have at least " + least + " items"));
		}
		Long most = schema.limit("maxItems");
		if (most != null && list.size() > most) {
			outcome.add(FieldError.tooMany(name(path), list.size(), most));
		}
		outcome.pass();
		return outcome;
	}

	private Outcome object(Structural schema, ObjectNode object, String path, @Nullable Correlation before) {
		Outcome outcome = new Outcome();
		Long least = schema.limit("minProperties");
		if (least != null && object.size() < least) {
			outcome.add(FieldError.shown(name(path), Integer.toString(object.size()),
					path + " in body should have at least " + least + " properties"));
		}
		Long most = schema.limit("maxProperties");
		if (most != null && object.size() > most) {
			outcome.add(FieldError.tooMany(name(path), object.size(), most));
		}
		for (Map.Entry<String, JsonNode> field : object.properties()) {
			String name = field.getKey();
			if (schema.properties.containsKey(name)) {
				continue;
			}
			if (schema.closed) {
				outcome
					.add(FieldError.invalid(name(path), name, path + "." + name + " in body is a forbidden property"));
			}
			else if (schema.additional != null) {
				outcome.merge(ratcheted(schema.additional, field.getValue(), path + "." + name, field(before, name)));
			}
		}
		schema.properties.forEach((name, child) -> {
			JsonNode value = object.get(name);
			if (value != null) {
				String there = (path.isEmpty()) ? name : path + "." + name;
				outcome.merge(ratcheted(child, value, there, field(before, name)));
			}
		});
		schema.required.stream()
			.filter((name) -> !object.has(name))
			.forEach((name) -> outcome.add(FieldError.required(name(path + "." + name), "")));
		return outcome;
	}

	private static @Nullable Correlation field(@Nullable Correlation before, String name) {
		return (before != null) ? before.field(name) : null;
	}

	private Outcome alternatives(Structural schema, JsonNode value, String path, @Nullable Correlation before) {
		Outcome outcome = new Outcome();
		String quoted = GoText.quoted(path);
		if (!schema.anyOf.isEmpty()) {
			anyOf(schema, value, path, before, outcome);
		}
		if (!schema.oneOf.isEmpty()) {
			oneOf(schema, value, path, before, outcome);
		}
		if (!schema.allOf.isEmpty()) {
			List<Outcome> all = outcomes(schema.allOf, value, path, before);
			all.forEach(outcome::merge);
			long valid = all.stream().filter(Outcome::isValid).count();
			if (valid < all.size()) {
				outcome.add(FieldError.invalid(this.prefix, "",
						quoted + " must validate all the schemas (allOf)" + ((valid == 0) ? ". None validated" : "")));
			}
		}
		if (schema.not != null && plain(schema.not, value, path, before).isValid()) {
			outcome.add(FieldError.invalid(this.prefix, "", quoted + " must not validate the schema (not)"));
		}
		outcome.pass();
		return outcome;
	}

	private List<Outcome> outcomes(List<Structural> schemas, JsonNode value, String path,
			@Nullable Correlation before) {
		List<Outcome> outcomes = new ArrayList<>();
		schemas.forEach((schema) -> outcomes.add(plain(schema, value, path, before)));
		return outcomes;
	}

	private void anyOf(Structural schema, JsonNode value, String path, @Nullable Correlation before, Outcome outcome) {
		Outcome best = null;
		for (Structural alternative : schema.anyOf) {
			Outcome result = plain(alternative, value, path, before);
			if (result.isValid()) {
				outcome.merge(result);
				return;
			}
			if (best == null || result.passed() > best.passed()) {
				best = result;
			}
		}
		outcome.add(FieldError.invalid(this.prefix, "",
				GoText.quoted(path) + " must validate at least one schema (anyOf)"));
		outcome.merge(best);
	}

	private void oneOf(Structural schema, JsonNode value, String path, @Nullable Correlation before, Outcome outcome) {
		List<Outcome> all = outcomes(schema.oneOf, value, path, before);
		List<Outcome> valid = all.stream().filter(Outcome::isValid).toList();
		if (valid.size() == 1) {
			outcome.merge(valid.get(0));
			return;
		}
		String found = (valid.isEmpty()) ? "Found none valid" : "Found " + valid.size() + " valid alternatives";
		outcome.add(FieldError.invalid(this.prefix, "",
				GoText.quoted(path) + " must validate one and only one schema (oneOf). " + found));
		if (valid.isEmpty()) {
			Outcome best = Objects.requireNonNull(all.get(0));
			for (Outcome result : all) {
				best = (result.passed() > best.passed()) ? result : best;
			}
			outcome.merge(best);
		}
	}

}
