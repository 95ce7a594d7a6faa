package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Node of a structural schema, read once from its JSON. A node describes one field or the
 * items of a list.
 */
final class Structural {

	static final String EMBEDDED = "x-kubernetes-embedded-resource";

	static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";

	static final String INT_OR_STRING = "x-kubernetes-int-or-string";

	static final String LIST_TYPE = "x-kubernetes-list-type";

	static final String MAP_KEYS = "x-kubernetes-list-map-keys";

	static final String MAP_TYPE = "x-kubernetes-map-type";

	static final String RULES = "x-kubernetes-validations";

	final JsonNode source;

	/** Allowed types of a value; empty if any type is allowed. */
	final List<String> types;

	final String format;

	final boolean nullable;

	final boolean preserve;

	final boolean embedded;

	final Map<String, Structural> properties = new LinkedHashMap<>();

	final @Nullable Structural items;

	final @Nullable Structural additional;

	/**
	 * Whether the schema contains {@code additionalProperties}, no matter with which
	 * value.
	 */
	final boolean open;

	final boolean closed;

	final List<String> required;

	final List<JsonNode> values;

	final @Nullable JsonNode defaultValue;

	final List<Structural> allOf;

	final List<Structural> anyOf;

	final List<Structural> oneOf;

	final @Nullable Structural not;

	final @Nullable Pattern pattern;

	final String listType;

	final List<String> mapKeys;

	final boolean hasRules;

	private final JsonNode limits;

	private Structural(JsonNode source) {
		this.source = source;
		String type = source.path("type").asString("");
		this.types = source.path(INT_OR_STRING).asBoolean(false) ? List.of("integer", "string")
				: (type.isEmpty()) ? List.of() : List.of(type);
		this.format = Formats.known(this.types, source.path("format").asString(""));
		this.nullable = source.path("nullable").asBoolean(false);
		this.preserve = source.path(PRESERVE).asBoolean(false);
		this.embedded = source.path(EMBEDDED).asBoolean(false);
		source.path("properties")
			.properties()
			.forEach((property) -> this.properties.put(property.getKey(), new Structural(property.getValue())));
		this.items = child(source, "items");
		this.additional = child(source, "additionalProperties");
		JsonNode others = source.path("additionalProperties");
		this.open = others.isObject() || others.isBoolean();
		this.closed = others.isBoolean() && !others.booleanValue();
		this.required = texts(source.path("required"));
		this.values = new ArrayList<>();
		source.path("enum").forEach(this.values::add);
		JsonNode given = source.path("default");
		this.defaultValue = (given.isMissingNode() || given.isNull()) ? null : given;
		this.allOf = all(source.path("allOf"));
		this.anyOf = all(source.path("anyOf"));
		this.oneOf = all(source.path("oneOf"));
		this.not = child(source, "not");
		this.pattern = pattern(source.path("pattern").asString(""));
		this.listType = source.path(LIST_TYPE).asString("");
		this.mapKeys = texts(source.path(MAP_KEYS));
		this.limits = source;
		this.hasRules = hasRules(source);
	}

	static Structural of(JsonNode schema) {
		return new Structural(schema);
	}

	private boolean hasRules(JsonNode schema) {
		return !schema.path(RULES).isEmpty() || this.properties.values().stream().anyMatch((field) -> field.hasRules)
				|| (this.items != null && this.items.hasRules) || (this.additional != null && this.additional.hasRules);
	}

	private static @Nullable Structural child(JsonNode schema, String name) {
		JsonNode child = schema.path(name);
		return (child.isObject()) ? new Structural(child) : null;
	}

	private static List<Structural> all(JsonNode schemas) {
		List<Structural> all = new ArrayList<>();
		schemas.forEach((schema) -> all.add(new Structural(schema)));
		return List.copyOf(all);
	}

	static List<String> texts(JsonNode array) {
		List<String> texts = new ArrayList<>();
		array.forEach((text) -> texts.add(text.asString("")));
		return List.copyOf(texts);
	}

	private static @Nullable Pattern pattern(String expression) {
		try {
			return (expression.isEmpty()) ? null : GoPattern.compile(expression);
		}
		catch (PatternSyntaxException ex) {
			// The check of the definition rejects an invalid pattern.
			return null;
		}
	}

	/**
	 * Returns the schema of a field.
	 * @param name the name of the field
	 * @return the schema, or {@code null} if the schema does not limit the field
	 */
	@Nullable Structural field(String name) {
		Structural property = this.properties.get(name);
		return (property != null) ? property : this.additional;
	}

	// Returns a limit, or null if there is none.
	@Nullable Long limit(String name) {
		JsonNode limit = this.limits.path(name);
		return (limit.isNumber()) ? (long) limit.doubleValue() : null;
	}

	@Nullable Double number(String name) {
		JsonNode limit = this.limits.path(name);
		return (limit.isNumber()) ? limit.doubleValue() : null;
	}

	boolean flag(String name) {
		return this.limits.path(name).asBoolean(false);
	}

	// Whether this schema never prunes, defaults or rejects a value.
	boolean takesAnything() {
		return this.preserve && this.source.properties()
			.stream()
			.allMatch((field) -> PRESERVE.equals(field.getKey()) || "type".equals(field.getKey())
					|| "description".equals(field.getKey()));
	}

}
