package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks a CustomResourceDefinition as kube-apiserver does
 * (pkg/apis/apiextensions/validation of k8s.io/apiextensions-apiserver).
 */
public final class DefinitionCheck {

	private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");

	private static final List<String> COLUMN_FORMATS = List.of("byte", "date", "date-time", "double", "float", "int32",
			"int64", "password");

	private static final Set<String> AT_ROOT = Set.of("description", "type", "format", "title", "maximum",
			"exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems",
			"minItems", "uniqueItems", "multipleOf", "required", "items", "properties", "externalDocs", "example",
			Structural.PRESERVE, Structural.RULES);

	private static final String AT_ROOT_WORDS = "only [Description Type Format Title Maximum ExclusiveMaximum Minimum "
			+ "ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items "
			+ "Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of "
			+ "the schema if the status subresource is enabled";

	private final List<FieldError> errors = new ArrayList<>();

	private final RuleEngine engine;

	private DefinitionCheck(RuleEngine engine) {
		this.engine = engine;
	}

	/**
	 * Checks a definition.
	 * @param definition the definition, with its optional fields filled in
	 * @param before its state before an update, or {@code null} for a new one
	 * @param engine compiles its rules
	 * @return the failures
	 */
	public static List<FieldError> check(ObjectNode definition, @Nullable ObjectNode before, RuleEngine engine) {
		DefinitionCheck check = new DefinitionCheck(engine);
		JsonNode spec = definition.path("spec");
		if (before == null) {
			check.name(definition.path("metadata").path("name").asString(""), spec);
		}
		check.spec(spec);
		if (before != null) {
			check.unchanged(spec, before.path("spec"), "scope", "names.kind", "group", "names.plural");
		}
		check.storedVersions(definition, spec);
		return check.errors;
	}

	/**
	 * Finds the formats that kube-apiserver does not know and warns about.
	 * @param definition the definition
	 * @return the formats
	 */
	public static Set<String> unknownFormats(ObjectNode definition) {
		Set<String> formats = new TreeSet<>();
		definition.path("spec")
			.path("versions")
			.forEach((version) -> unknownFormats(version.path("schema").path("openAPIV3Schema"), formats));
		return formats;
	}

	private static void unknownFormats(JsonNode schema, Set<String> formats) {
		String format = schema.path("format").asString("");
		if (!format.isEmpty() && Structural.of(schema).format.isEmpty()) {
			formats.add(format);
		}
		for (String child : List.of("items", "additionalProperties", "not")) {
			if (schema.path(child).isObject()) {
				unknownFormats(schema.path(child), formats);
			}
		}
		for (String children : List.of("properties", "allOf", "anyOf", "oneOf")) {
			schema.path(children).forEach((child) -> unknownFormats(child, formats));
		}
	}

	private void name(String name, JsonNode spec) {
		String plural = spec.path("names").path("plural").asString("");
		if (!name.equals(plural + "." + spec.path("group").asString(""))) {
			this.errors.add(FieldError.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group"));
		}
	}

	private void spec(JsonNode spec) {
		String group = spec.path("group").asString("");
		if (group.isEmpty()) {
			this.errors.add(FieldError.required("spec.group", ""));
		}
		else if (!DnsNames.subdomain(group).isEmpty()) {
			this.errors.add(FieldError.invalid("spec.group", group, DnsNames.subdomain(group)));
		}
		else if (!group.contains(".")) {
			this.errors.add(FieldError.invalid("spec.group", group, "should be a domain with at least one dot"));
		}
		oneOf(spec.path("scope"), "spec.scope", List.of("Cluster", "Namespaced"));
		JsonNode versions = spec.path("versions");
		for (int i = 0; i < versions.size(); i++) {
			if (!versions.get(i).path("schema").path("openAPIV3Schema").isObject()) {
				this.errors.add(FieldError.required("spec.versions[" + i + "].schema.openAPIV3Schema", ""));
			}
		}
		boolean sameSchema = isSame(versions, "schema");
		boolean sameSubresources = isSame(versions, "subresources");
		boolean sameColumns = isSame(versions, "additionalPrinterColumns");
		for (int i = 0; i < versions.size(); i++) {
			String path = "spec.versions[" + i + "]";
			JsonNode version = versions.get(i);
			label(version.path("name").asString(""), path + ".name", "");
			deprecation(version, path);
			if (!sameSchema) {
				schema(version, path + ".schema");
			}
			if (!sameSubresources) {
				subresources(version.path("subresources"), path + ".subresources");
			}
			if (!sameColumns) {
				columns(version.path("additionalPrinterColumns"), path + ".additionalPrinterColumns");
			}
		}
		versions(versions);
		names(spec.path("names"), "spec.names");
		JsonNode first = versions.path(0);
		if (sameSchema) {
			schema(first, "spec.validation");
		}
		if (sameSubresources) {
			subresources(first.path("subresources"), "spec.subresources");
		}
		if (sameColumns) {
			columns(first.path("additionalPrinterColumns"), "spec.additionalPrinterColumns");
		}
		conversion(spec.path("conversion"));
	}

	// If a field has the same value in all versions, kube-apiserver moves it to the spec.
	private static boolean isSame(JsonNode versions, String field) {
		for (JsonNode version : versions) {
			if (!version.has(field) || !version.path(field).equals(versions.path(0).path(field))) {
				return false;
			}
		}
		return !versions.isEmpty();
	}

	private void oneOf(JsonNode value, String path, List<String> values) {
		if (value.asString("").isEmpty()) {
			this.errors.add(FieldError.required(path, ""));
		}
		else if (!values.contains(value.asString())) {
			this.errors.add(FieldError.unsupported(path, value, values));
		}
	}

	private void label(String name, String path, String before) {
		String wrong = DnsNames.label((before.isEmpty()) ? name : name.toLowerCase(Locale.ROOT));
		if (!wrong.isEmpty()) {
			this.errors.add(FieldError.invalid(path, name, before + wrong));
		}
	}

	private void deprecation(JsonNode version, String path) {
		JsonNode warning = version.path("deprecationWarning");
		if (!warning.isString()) {
			return;
		}
		if (!version.path("deprecated").asBoolean(false)) {
			this.errors.add(FieldError.invalid(path + ".deprecationWarning", warning,
					"can only be set for deprecated versions"));
		}
		else if (warning.stringValue().length() > 256) {
			this.errors
				.add(FieldError.invalid(path + ".deprecationWarning", warning, "must be <= 256 characters long"));
		}
		else if (warning.stringValue().isEmpty()) {
			this.errors.add(FieldError.invalid(path + ".deprecationWarning", warning, "must not be an empty string"));
		}
	}

	private void schema(JsonNode version, String path) {
		JsonNode schema = version.path("schema").path("openAPIV3Schema");
		String there = path + ".openAPIV3Schema";
		if (!schema.isObject()) {
			return;
		}
		if (version.path("subresources").path("status").isObject()) {
			root(schema, there);
		}
		if (schema.path("nullable").asBoolean(false)) {
			this.errors.add(FieldError.forbidden(there + ".nullable", "nullable cannot be true at the root"));
		}
		boolean rules = false;
		if (SchemaCheck.isSupported(schema)) {
			List<FieldError> found = StructuralCheck.check(schema, there);
			if (found.isEmpty()) {
				found = DefaultsCheck.check(Structural.of(schema), there);
			}
			this.errors.addAll(found);
			rules = found.isEmpty();
		}
		this.errors.addAll(SchemaCheck.check(schema, there, rules, this.engine));
	}

	private void root(JsonNode schema, String path) {
		String type = schema.path("type").asString("");
		if (!"object".equals(type) && !type.isEmpty()) {
			this.errors
				.add(FieldError.invalid(path + ".type", type, "only \"object\" is allowed as the type at the root "
						+ "of the schema if the status subresource is enabled"));
		}
		else if (!schema.propertyNames().stream().allMatch(AT_ROOT::contains)) {
			this.errors.add(FieldError.invalid(path, schema, AT_ROOT_WORDS));
		}
	}

	private void subresources(JsonNode subresources, String path) {
		if (!subresources.path("scale").isObject()) {
			return;
		}
		JsonNode scale = subresources.path("scale");
		replicasPath(scale, "specReplicasPath", ".spec", path);
		replicasPath(scale, "statusReplicasPath", ".status", path);
		String selector = scale.path("labelSelectorPath").asString("");
		if (!selector.isEmpty() && !selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
			this.errors.add(FieldError.invalid(path + ".scale.labelSelectorPath", selector,
					(selector.startsWith(".")) ? "should be a json path under either .spec or .status"
							: "must be a simple json path starting with ."));
		}
	}

	private void replicasPath(JsonNode scale, String name, String parent, String path) {
		String given = scale.path(name).asString("");
		String there = path + ".scale." + name;
		if (given.isEmpty()) {
			this.errors.add(FieldError.required(there, ""));
		}
		else if (!given.startsWith(".")) {
			this.errors.add(FieldError.invalid(there, given, "must be a simple json path starting with ."));
		}
		else if (!given.startsWith(parent + ".")) {
			this.errors.add(FieldError.invalid(there, given, "should be a json path under " + parent));
		}
	}

	private void columns(JsonNode columns, String path) {
		for (int i = 0; i < columns.size(); i++) {
			JsonNode column = columns.get(i);
			String there = path + "[" + i + "]";
			if (column.path("name").asString("").isEmpty()) {
				this.errors.add(FieldError.required(there + ".name", ""));
			}
			String types = "must be one of " + String.join(",", COLUMN_TYPES);
			String type = column.path("type").asString("");
			if (type.isEmpty()) {
				this.errors.add(FieldError.required(there + ".type", types));
			}
			else if (!COLUMN_TYPES.contains(type)) {
				this.errors.add(FieldError.invalid(there + ".type", type, types));
			}
			String format = column.path("format").asString("");
			if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
				this.errors.add(FieldError.invalid(there + ".format", format,
						"must be one of " + String.join(",", COLUMN_FORMATS)));
			}
			String json = column.path("jsonPath").asString("");
			if (json.isEmpty()) {
				this.errors.add(FieldError.required(there + ".JSONPath", ""));
			}
			else if (!json.startsWith(".")) {
				this.errors
					.add(FieldError.invalid(there + ".JSONPath", json, "must be a simple json path starting with ."));
			}
		}
	}

	private void versions(JsonNode versions) {
		Set<String> names = new HashSet<>();
		boolean unique = true;
		int stored = 0;
		for (JsonNode version : versions) {
			unique &= names.add(version.path("name").asString(""));
			stored += (version.path("storage").asBoolean(false)) ? 1 : 0;
		}
		if (!unique) {
			this.errors.add(FieldError.shown("spec.versions", shown(versions), "must contain unique version names"));
		}
		if (stored != 1) {
			this.errors.add(FieldError.shown("spec.versions", shown(versions),
					"must have exactly one version marked as storage version"));
		}
		String first = versions.path(0).path("name").asString("");
		if (!versions.isEmpty() && !first.isEmpty()) {
			label(first, "spec.version", "");
		}
	}

	// Returns the versions as Go prints their internal type, without the fields that
	// kube-apiserver moves to the spec.
	private static String shown(JsonNode versions) {
		StringBuilder text = new StringBuilder("[");
		for (JsonNode version : versions) {
			text.append((text.length() > 1) ? "," : "")
				.append("{\"Name\":")
				.append(GoText.json(version.path("name")))
				.append(",\"Served\":")
				.append(version.path("served").asBoolean(false))
				.append(",\"Storage\":")
				.append(version.path("storage").asBoolean(false))
				.append(",\"Deprecated\":")
				.append(version.path("deprecated").asBoolean(false))
				.append(",\"DeprecationWarning\":null,\"Schema\":null,\"Subresources\":null,")
				.append("\"AdditionalPrinterColumns\":null,\"SelectableFields\":null}");
		}
		return text.append("]").toString();
	}

	private void names(JsonNode names, String path) {
		for (String name : List.of("plural", "singular", "kind", "listKind")) {
			if (names.path(name).asString("").isEmpty()) {
				this.errors.add(FieldError.required(path + "." + name, ""));
			}
		}
		for (String name : List.of("plural", "singular", "kind", "listKind")) {
			String given = names.path(name).asString("");
			if (!given.isEmpty()) {
				label(given, path + "." + name, (name.toLowerCase(Locale.ROOT).endsWith("kind"))
						? "may have mixed case, but should otherwise match: " : "");
			}
		}
		labels(names.path("shortNames"), path + ".shortNames");
		String kind = names.path("kind").asString("");
		if (!kind.isEmpty() && kind.equals(names.path("listKind").asString(""))) {
			this.errors.add(FieldError.invalid(path + ".listKind", kind, "kind and listKind may not be the same"));
		}
		labels(names.path("categories"), path + ".categories");
	}

	private void labels(JsonNode names, String path) {
		for (int i = 0; i < names.size(); i++) {
			label(names.get(i).asString(""), path + "[" + i + "]", "");
		}
	}

	private void conversion(JsonNode conversion) {
		if (!conversion.isObject()) {
			return;
		}
		JsonNode strategy = conversion.path("strategy");
		oneOf(strategy, "spec.conversion.strategy", List.of("None", "Webhook"));
		boolean webhook = "Webhook".equals(strategy.asString(""));
		if (webhook && !conversion.path("webhook").path("clientConfig").isObject()) {
			this.errors.add(FieldError.required("spec.conversion.webhookClientConfig",
					"required when strategy is set to Webhook"));
		}
		if (!webhook && conversion.path("webhook").path("clientConfig").isObject()) {
			this.errors.add(FieldError.forbidden("spec.conversion.webhookClientConfig",
					"should not be set when strategy is not set to Webhook"));
		}
	}

	private void unchanged(JsonNode spec, JsonNode before, String... fields) {
		for (String field : fields) {
			JsonNode now = spec;
			JsonNode was = before;
			for (String name : field.split("\\.")) {
				now = now.path(name);
				was = was.path(name);
			}
			if (!now.equals(was)) {
				this.errors.add(FieldError.invalid("spec." + field, now, "field is immutable"));
			}
		}
	}

	private void storedVersions(ObjectNode definition, JsonNode spec) {
		Set<String> names = new HashSet<>();
		boolean storage = false;
		for (JsonNode version : spec.path("versions")) {
			names.add(version.path("name").asString(""));
			storage |= version.path("storage").asBoolean(false);
		}
		if (!(definition.path("status").path("storedVersions") instanceof ArrayNode stored)) {
			if (!storage) {
				this.errors
					.add(FieldError.shown("status.storedVersions", "null", "must have at least one stored version"));
			}
			return;
		}
		for (int i = 0; i < stored.size(); i++) {
			String name = stored.get(i).asString("");
			if (!names.contains(name)) {
				this.errors.add(FieldError.invalid("status.storedVersions[" + i + "]", name,
						"missing from spec.versions; " + name
								+ " was previously a storage version, and must remain in spec.versions until a storage "
								+ "migration ensures no data remains persisted in " + name + " and removes " + name
								+ " from status.storedVersions"));
			}
		}
	}

}
