package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules of a schema ({@code x-kubernetes-validations}), compiled once
 * (pkg/apiserver/schema/cel of k8s.io/apiextensions-apiserver).
 */
final class ObjectRules {

	private final Node root;

	ObjectRules(Structural schema, RuleEngine engine) {
		this.root = new Node(schema, engine, true);
	}

	List<FieldError> validate(ObjectNode object, @Nullable ObjectNode before) {
		List<FieldError> errors = new ArrayList<>();
		Ratchet ratchet = new Ratchet((before != null) ? new Correlation(this.root.schema, before, object, true) : null,
				false);
		this.root.validate(object, before, "", ratchet, errors);
		return errors;
	}

	/**
	 * Decides whether a failure of a value is ignored because the update has not changed
	 * the value.
	 *
	 * @param current the value and its predecessor at the same place, or {@code null} if
	 * they cannot be compared
	 * @param unchanged {@code true} if the nearest enclosing value that can be compared
	 * has not changed
	 */
	private record Ratchet(@Nullable Correlation current, boolean unchanged) {

		boolean forgives() {
			return (this.current != null) ? this.current.isUnchanged() : this.unchanged;
		}

		Ratchet field(String name) {
			return (this.current == null) ? this : new Ratchet(this.current.field(name), this.current.isUnchanged());
		}

		Ratchet item(int index) {
			return (this.current == null) ? this : new Ratchet(this.current.item(index), this.current.isUnchanged());
		}

	}

	/**
	 * Rules of one node of the schema, and of the nodes below it.
	 */
	private static final class Node {

		private final Structural schema;

		private final List<Rule> rules = new ArrayList<>();

		private final Map<String, Node> properties = new LinkedHashMap<>();

		private final @Nullable Node additional;

		private final @Nullable Node items;

		Node(Structural schema, RuleEngine engine, boolean resource) {
			this.schema = schema;
			schema.source.path(Structural.RULES)
				.forEach((rule) -> this.rules.add(Rule.of(rule, schema.source, engine, resource)));
			schema.properties.forEach((name, property) -> {
				if (property.hasRules) {
					this.properties.put(name, new Node(property, engine, property.embedded));
				}
			});
			this.additional = below(schema.additional, engine);
			this.items = below(schema.items, engine);
		}

		private static @Nullable Node below(@Nullable Structural schema, RuleEngine engine) {
			return (schema != null && schema.hasRules) ? new Node(schema, engine, schema.embedded) : null;
		}

		void validate(JsonNode value, @Nullable JsonNode before, String path, Ratchet ratchet,
				List<FieldError> errors) {
			if (value.isNull()) {
				return;
			}
			this.rules.forEach((rule) -> rule.validate(this.schema, value, before, path, ratchet.forgives(), errors));
			if (value instanceof ArrayNode list && this.items != null) {
				for (int i = 0; i < list.size(); i++) {
					this.items.validate(list.get(i), correlated(list.get(i), before), path + "[" + i + "]",
							ratchet.item(i), errors);
				}
			}
			else if (value instanceof ObjectNode object) {
				object.properties().forEach((field) -> {
					String name = field.getKey();
					Node property = this.properties.get(name);
					boolean known = this.schema.properties.containsKey(name);
					Node node = (known) ? property : this.additional;
					if (node != null) {
						String there = (known) ? ((path.isEmpty()) ? name : path + "." + name)
								: path + "[" + name + "]";
						node.validate(field.getValue(), (before != null) ? before.get(name) : null, there,
								ratchet.field(name), errors);
					}
				});
			}
		}

		private @Nullable JsonNode correlated(JsonNode item, @Nullable JsonNode before) {
			if (before == null || !"map".equals(this.schema.listType)) {
				return null;
			}
			for (JsonNode other : before) {
				if (ListTypes.key(this.schema, other).equals(ListTypes.key(this.schema, item))) {
					return other;
				}
			}
			return null;
		}

	}

	/**
	 * Compiled rule.
	 *
	 * @param source the rule in the schema
	 * @param program its program
	 * @param message the program of its message, or {@code null}
	 */
	private record Rule(JsonNode source, RuleEngine.Program program, RuleEngine.@Nullable Program message) {

		static Rule of(JsonNode rule, JsonNode schema, RuleEngine engine, boolean resource) {
			String message = rule.path("messageExpression").asString("");
			boolean optional = rule.path("optionalOldSelf").asBoolean(false);
			return new Rule(rule, engine.compile(rule.path("rule").asString(""), schema, resource, optional),
					(message.isEmpty()) ? null : engine.compileText(message, schema, resource, optional));
		}

		void validate(Structural schema, JsonNode value, @Nullable JsonNode before, String path, boolean forgiven,
				List<FieldError> errors) {
			String type = schema.source.path("type").asString("");
			if (this.program.error() != null) {
				errors.add(FieldError.invalid(path, type, "rule compile error: " + this.program.error()));
				return;
			}
			boolean optional = this.source.path("optionalOldSelf").asBoolean(false);
			if (this.program.usesBefore() && before == null && !optional) {
				return;
			}
			RuleEngine.Result result = this.program.evaluation().evaluate(value, before, optional);
			if (result.error() != null) {
				errors.add(FieldError.invalid(path, type, result.error() + " evaluating rule: " + text()));
				return;
			}
			if (result.holds() || (forgiven && !this.program.usesBefore())) {
				return;
			}
			String field = this.source.path("fieldPath").asString("");
			String there = (path.isEmpty() && field.startsWith(".")) ? field.substring(1) : path + field;
			boolean hidden = "object".equals(type) || "array".equals(type);
			errors.add(error(there, (hidden) ? null : value, explanation(value, before, optional)));
		}

		private FieldError error(String path, @Nullable JsonNode value, String detail) {
			return switch (this.source.path("reason").asString("")) {
				case "FieldValueForbidden" -> FieldError.forbidden(path, detail);
				case "FieldValueRequired" -> FieldError.required(path, detail);
				case "FieldValueDuplicate" -> FieldError.duplicate(path, value);
				default -> FieldError.invalid(path, value, detail);
			};
		}

		private String explanation(JsonNode value, @Nullable JsonNode before, boolean optional) {
			if (this.message != null && this.message.error() == null) {
				RuleEngine.Result result = this.message.evaluation().evaluate(value, before, optional);
				String text = (result.error() == null && result.value() instanceof String made) ? made.strip() : "";
				if (!text.isEmpty() && !text.contains("\n")) {
					return text;
				}
			}
			String message = this.source.path("message").asString("");
			return (message.isEmpty()) ? "failed rule: " + text() : message.strip();
		}

		private String text() {
			String message = this.source.path("message").asString("");
			return ((message.isEmpty()) ? this.source.path("rule").asString("") : message).strip();
		}

	}

}
