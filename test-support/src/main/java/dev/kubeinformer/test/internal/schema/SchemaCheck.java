package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks whether the schema in a CustomResourceDefinition is allowed
 * (pkg/apis/apiextensions/validation of k8s.io/apiextensions-apiserver).
 */
final class SchemaCheck {

	private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");

	private static final List<String> UNSUPPORTED = List.of("id", "additionalItems", "patternProperties", "definitions",
			"dependencies", "$ref");

	private static final Set<String> META = Set.of("metadata", "kind", "apiVersion");

	private final List<FieldError> errors = new ArrayList<>();

	private final List<FieldError> ruleErrors = new ArrayList<>();

	private final RuleEngine engine;

	private SchemaCheck(RuleEngine engine) {
		this.engine = engine;
	}

	/**
	 * Checks a schema.
	 * @param schema the schema of a version
	 * @param path its path
	 * @param rules {@code true} to compile its rules
	 * @param engine compiles the rules
	 * @return the failures
	 */
	static List<FieldError> check(JsonNode schema, String path, boolean rules, RuleEngine engine) {
		SchemaCheck check = new SchemaCheck(engine);
		check.node(schema, path, new Place("", false, true, rules, ""));
		check.errors.addAll(check.ruleErrors);
		return check.errors;
	}

	// Whether the schema can be read as a structural schema.
	static boolean isSupported(JsonNode schema) {
		boolean supported = UNSUPPORTED.stream().noneMatch(schema::has) && !schema.path("items").isArray()
				&& !(schema.has(Structural.PRESERVE) && !schema.path(Structural.PRESERVE).asBoolean(true));
		if (!supported) {
			return false;
		}
		for (String child : List.of("items", "additionalProperties", "not")) {
			if (schema.path(child).isObject() && !isSupported(schema.path(child))) {
				return false;
			}
		}
		for (String children : List.of("properties", "allOf", "anyOf", "oneOf")) {
			for (JsonNode child : schema.path(children)) {
				if (!isSupported(child)) {
					return false;
				}
			}
		}
		return true;
	}

	private void node(JsonNode schema, String path, Place place) {
		int before = this.errors.size();
		standard(schema, path, place);
		if (schema.path("uniqueItems").asBoolean(false)) {
			forbid(path + ".uniqueItems",
					"uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
		}
		additional(schema, path, place);
		boolean resource = place.root || schema.path(Structural.EMBEDDED).asBoolean(false);
		schema.path("properties").properties().forEach((field) -> {
			Place inside = place.below();
			if (resource && META.contains(field.getKey())) {
				inside = inside.insideMeta();
				inside = (place.root) ? inside.withoutDefaults("in top-level " + field.getKey()) : inside;
			}
			node(field.getValue(), path + ".properties[" + field.getKey() + "]", inside);
		});
		if (schema.path("not").isObject()) {
			node(schema.path("not"), path + ".not", place.below().withoutRules());
		}
		for (String junctor : List.of("allOf", "oneOf", "anyOf")) {
			JsonNode alternatives = schema.path(junctor);
			for (int i = 0; i < alternatives.size(); i++) {
				node(alternatives.get(i), path + "." + junctor + "[" + i + "]", place.below().withoutRules());
			}
		}
		if (schema.path("items").isObject()) {
			boolean correlated = "map".equals(schema.path(Structural.LIST_TYPE).asString(""));
			node(schema.path("items"), path + ".items",
					(correlated) ? place.below() : place.below().uncorrelated(path));
		}
		extensions(schema, path);
		rules(schema, path, place, this.errors.size() == before);
	}

	private void standard(JsonNode schema, String path, Place place) {
		JsonNode type = schema.path("type");
		if (!type.asString("").isEmpty() && !TYPES.contains(type.asString())) {
			this.errors.add(FieldError.unsupported(path + ".type", type, TYPES));
		}
		if (schema.has("default") && !schema.path("default").isNull() && !place.defaults.isEmpty()) {
			forbid(path + ".default", "must not be set " + place.defaults);
		}
		UNSUPPORTED.stream()
			.filter(schema::has)
			.forEach((name) -> forbid(path + "." + name, name + " is not supported"));
		if ("null".equals(type.asString(""))) {
			forbid(path + ".type", "type cannot be set to null, use nullable as an alternative");
		}
		if (schema.path("items").isArray()) {
			forbid(path + ".items", "items must be a schema object and not an array");
		}
		if (place.meta && schema.path(Structural.EMBEDDED).asBoolean(false)) {
			forbid(path + "." + Structural.EMBEDDED, "must not be used inside of resource meta");
		}
	}

	private void forbid(String path, String why) {
		this.errors.add(FieldError.forbidden(path, why));
	}

	private void additional(JsonNode schema, String path, Place place) {
		JsonNode additional = schema.path("additionalProperties");
		boolean open = additional.isBoolean() && additional.booleanValue();
		if (!additional.isMissingNode() && !open && !schema.path("properties").isEmpty()) {
			forbid(path + ".additionalProperties", "additionalProperties and properties are mutual exclusive");
		}
		if (additional.isObject()) {
			Place inside = (place.meta)
					? place.withoutDefaults("inside additionalProperties applying to object metadata") : place;
			node(additional, path + ".additionalProperties", inside.below());
		}
	}

	private void extensions(JsonNode schema, String path) {
		if (schema.has(Structural.PRESERVE) && !schema.path(Structural.PRESERVE).asBoolean(true)) {
			this.errors.add(FieldError.shown(path + "." + Structural.PRESERVE, "false", "must be true or undefined"));
		}
		expectType(schema, Structural.MAP_TYPE, "object", path);
		expectOneOf(schema, Structural.MAP_TYPE, List.of("atomic", "granular"), path);
		if (expectType(schema, Structural.LIST_TYPE, "array", path)
				&& "set".equals(schema.path(Structural.LIST_TYPE).asString(""))) {
			setItems(schema.path("items"), path + ".items");
		}
		expectOneOf(schema, Structural.LIST_TYPE, List.of("atomic", "set", "map"), path);
		String list = schema.path(Structural.LIST_TYPE).asString("");
		if (!schema.path(Structural.MAP_KEYS).isEmpty() && !"map".equals(list)) {
			String why = "must be map if x-kubernetes-list-map-keys is non-empty";
			this.errors.add((schema.has(Structural.LIST_TYPE))
					? FieldError.invalid(path + "." + Structural.LIST_TYPE, list, why)
					: FieldError.required(path + "." + Structural.LIST_TYPE, why));
		}
		if ("map".equals(list)) {
			mapKeys(schema, path);
		}
		if (("map".equals(list) || "set".equals(list)) && schema.path("items").isObject()) {
			mapItems(schema, list, path + ".items");
		}
	}

	private boolean expectType(JsonNode schema, String extension, String type, String path) {
		String given = schema.path("type").asString("");
		if (!schema.has(extension) || type.equals(given)) {
			return true;
		}
		String why = "must be " + type + " if " + extension + " is specified";
		this.errors.add((given.isEmpty()) ? FieldError.required(path + ".type", why)
				: FieldError.invalid(path + ".type", given, why));
		return false;
	}

	private void expectOneOf(JsonNode schema, String extension, List<String> values, String path) {
		JsonNode given = schema.path(extension);
		if (given.isString() && !values.contains(given.stringValue())) {
			this.errors.add(FieldError.unsupported(path + "." + extension, given, values));
		}
	}

	private void setItems(JsonNode items, String path) {
		String why = "must be atomic as item of a list with x-kubernetes-list-type=set";
		JsonNode listType = items.path(Structural.LIST_TYPE);
		switch (items.path("type").asString("")) {
			case "array" -> {
				if (listType.isString() && !"atomic".equals(listType.stringValue())) {
					this.errors.add(FieldError.invalid(path + "." + Structural.LIST_TYPE, listType, why));
				}
			}
			case "object" -> {
				if (!"atomic".equals(items.path(Structural.MAP_TYPE).asString(""))) {
					this.errors.add(FieldError.shown(path + "." + Structural.MAP_TYPE, "null", why));
				}
			}
			default -> {
			}
		}
	}

	private void mapKeys(JsonNode schema, String path) {
		JsonNode keys = schema.path(Structural.MAP_KEYS);
		JsonNode items = schema.path("items");
		if (keys.isEmpty()) {
			this.errors.add(FieldError.required(path + "." + Structural.MAP_KEYS,
					"must not be empty if x-kubernetes-list-type is map"));
		}
		if (items.isMissingNode()) {
			this.errors
				.add(FieldError.required(path + ".items", "must have a schema if x-kubernetes-list-type is map"));
			return;
		}
		String type = items.path("type").asString("");
		if (!"object".equals(type)) {
			this.errors.add(FieldError.invalid(path + ".items.type", type,
					"must be object if parent array's x-kubernetes-list-type is map"));
			return;
		}
		Set<String> seen = new HashSet<>();
		for (JsonNode key : keys) {
			JsonNode property = items.path("properties").path(key.asString(""));
			if (property.isMissingNode()) {
				this.errors.add(FieldError.invalid(path + "." + Structural.MAP_KEYS, keys,
						"entries must all be names of item properties"));
			}
			else if (Set.of("array", "object").contains(property.path("type").asString(""))) {
				this.errors.add(FieldError.invalid(path + ".items.properties[" + key.asString("") + "].type", type,
						"must be a scalar type if parent array's x-kubernetes-list-type is map"));
			}
			if (!seen.add(key.asString(""))) {
				this.errors.add(FieldError.invalid(path + "." + Structural.MAP_KEYS, keys,
						"must not contain duplicate entries"));
			}
		}
	}

	private void mapItems(JsonNode schema, String list, String path) {
		JsonNode items = schema.path("items");
		if (items.path("nullable").asBoolean(false)) {
			forbid(path + ".nullable", "cannot be nullable when x-kubernetes-list-type is " + list);
		}
		List<String> required = Structural.texts(items.path("required"));
		for (JsonNode key : schema.path(Structural.MAP_KEYS)) {
			JsonNode property = items.path("properties").path(key.asString(""));
			String there = path + ".properties[" + key.asString("") + "]";
			boolean defaulted = property.has("default") && !property.path("default").isNull();
			if (property.isObject() && "map".equals(list) && !required.contains(key.asString("")) && !defaulted) {
				this.errors
					.add(FieldError.required(there + ".default", "this property is in x-kubernetes-list-map-keys, "
							+ "so it must have a default or be a required property"));
			}
			if (property.path("nullable").asBoolean(false)) {
				forbid(there + ".nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
			}
		}
	}

	private void rules(JsonNode schema, String path, Place place, boolean valid) {
		JsonNode rules = schema.path(Structural.RULES);
		boolean compiled = valid && place.rules;
		for (int i = 0; i < rules.size(); i++) {
			JsonNode rule = rules.get(i);
			String there = path + "." + Structural.RULES + "[" + i + "]";
			int before = this.errors.size();
			String expression = rule.path("rule").asString("").strip();
			String message = rule.path("message").asString("");
			if (expression.isEmpty()) {
				this.errors.add(FieldError.required(there + ".rule", "rule is not specified"));
			}
			else if (!message.isEmpty() && message.isBlank()) {
				this.errors.add(FieldError.invalid(there + ".message", message, "must be non-empty if specified"));
			}
			else if (isSplit(message.strip())) {
				this.errors.add(FieldError.invalid(there + ".message", message, "must not contain line breaks"));
			}
			else if (isSplit(expression) && message.isBlank()) {
				this.errors.add(FieldError.required(there + ".message",
						"message must be specified if rule contains line breaks"));
			}
			JsonNode reason = rule.path("reason");
			List<String> reasons = List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid",
					"FieldValueRequired");
			if (reason.isString() && !reasons.contains(reason.stringValue())) {
				this.errors.add(FieldError.unsupported(there + ".reason", reason, reasons));
			}
			if (compiled && this.errors.size() == before) {
				compile(schema, rule, there, place);
			}
		}
	}

	private static boolean isSplit(String text) {
		return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
	}

	private void compile(JsonNode schema, JsonNode rule, String path, Place place) {
		boolean resource = place.root || schema.path(Structural.EMBEDDED).asBoolean(false);
		boolean optional = rule.path("optionalOldSelf").asBoolean(false);
		RuleEngine.Program program = this.engine.compile(rule.path("rule").asString(""), schema, resource, optional);
		if (program.error() != null) {
			this.ruleErrors.add(FieldError.shown(path + ".rule", shown(rule), program.error()));
		}
		String message = rule.path("messageExpression").asString("");
		String wrong = (message.isEmpty()) ? null
				: this.engine.compileText(message, schema, resource, optional).error();
		if (wrong != null) {
			this.ruleErrors.add(FieldError.shown(path + ".messageExpression", shown(rule), wrong));
		}
		if (program.usesBefore() && !place.uncorrelated.isEmpty()) {
			this.ruleErrors.add(FieldError.invalid(path + ".rule", rule.path("rule").asString(""),
					"oldSelf cannot be used on the uncorrelatable portion of the schema within " + place.uncorrelated));
		}
		else if (!program.usesBefore() && program.error() == null && rule.has("optionalOldSelf")) {
			this.ruleErrors.add(FieldError.invalid(path + ".optionalOldSelf", rule.path("optionalOldSelf"),
					"may not be set if oldSelf is not used in rule"));
		}
	}

	// Returns the rule as Go prints its internal type.
	private static String shown(JsonNode rule) {
		return "{\"Rule\":" + GoText.json(rule.path("rule")) + ",\"Message\":" + text(rule, "message")
				+ ",\"MessageExpression\":" + text(rule, "messageExpression") + ",\"Reason\":"
				+ nullable(rule.get("reason")) + ",\"FieldPath\":" + text(rule, "fieldPath") + ",\"OptionalOldSelf\":"
				+ nullable(rule.get("optionalOldSelf")) + "}";
	}

	private static String text(JsonNode rule, String name) {
		return (rule.has(name)) ? GoText.json(rule.path(name)) : "\"\"";
	}

	private static String nullable(@Nullable JsonNode value) {
		return (value != null) ? GoText.json(value) : "null";
	}

	/**
	 * Conditions for a nested schema, which depend on its place in the schema of a
	 * version. They determine which keywords are allowed.
	 *
	 * @param defaults the reason why defaults are not allowed; empty if they are allowed
	 * @param meta {@code true} inside {@code metadata}
	 * @param root {@code true} at the root of the schema
	 * @param rules {@code true} if rules at this place are compiled
	 * @param uncorrelated the path of the enclosing list whose items cannot be compared
	 * with those before an update, empty for none
	 */
	private record Place(String defaults, boolean meta, boolean root, boolean rules, String uncorrelated) {

		Place below() {
			return new Place(this.defaults, this.meta, false, this.rules, this.uncorrelated);
		}

		Place insideMeta() {
			return new Place(this.defaults, true, this.root, this.rules, this.uncorrelated);
		}

		Place withoutDefaults(String why) {
			return new Place(why, this.meta, this.root, this.rules, this.uncorrelated);
		}

		Place withoutRules() {
			return new Place(this.defaults, this.meta, this.root, false, this.uncorrelated);
		}

		Place uncorrelated(String path) {
			return (this.uncorrelated.isEmpty()) ? new Place(this.defaults, this.meta, this.root, this.rules, path)
					: this;
		}

	}

}
