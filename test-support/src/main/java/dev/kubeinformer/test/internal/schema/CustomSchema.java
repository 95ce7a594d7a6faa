package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Schema of one version of a custom resource. Removes unknown fields from objects, sets
 * their defaults and validates them.
 */
public final class CustomSchema {

	private static final String UNCHECKED = "some validation rules were not checked because the object was invalid; "
			+ "correct the existing errors to complete validation";

	private final JsonNode source;

	private final Structural root;

	private final boolean open;

	private final @Nullable ScalePaths scale;

	private final RuleEngine engine;

	private @Nullable ObjectRules rules;

	private CustomSchema(JsonNode source, @Nullable ScalePaths scale, RuleEngine engine) {
		this.source = source;
		this.root = Structural.of(source);
		this.open = this.root.takesAnything() && scale == null;
		this.scale = scale;
		this.engine = engine;
	}

	/**
	 * Reads the schema of a version.
	 * @param version the version of a definition
	 * @param engine evaluates its rules
	 * @return the schema
	 */
	public static CustomSchema of(JsonNode version, RuleEngine engine) {
		return new CustomSchema(version.path("schema").path("openAPIV3Schema"), ScalePaths.of(version), engine);
	}

	// Returns the JSON of the schema.
	public JsonNode source() {
		return this.source;
	}

	// Whether the schema accepts any object without changes.
	public boolean isOpen() {
		return this.open;
	}

	// Returns the schema of a field; a missing node if the schema leaves it open.
	public static JsonNode field(JsonNode schema, String name) {
		JsonNode property = schema.path("properties").path(name);
		if (!property.isMissingNode()) {
			return property;
		}
		JsonNode additional = schema.path("additionalProperties");
		return (additional.isObject()) ? additional : MissingNode.getInstance();
	}

	/**
	 * Removes the fields that the schema does not have.
	 * @param object the object, which is changed
	 * @return the paths of the removed fields
	 * @throws MalformedObject if metadata cannot be decoded
	 */
	public List<String> prune(ObjectNode object) {
		if (this.open) {
			return List.of();
		}
		List<String> unknown = new ArrayList<>();
		MetadataFields.coerce(
				object.path("metadata").isMissingNode() ? object.putObject("metadata") : object.path("metadata"),
				"metadata", unknown);
		unknown.addAll(Pruning.prune(this.root, object));
		JsonNode metadata = object.remove("metadata");
		Defaulting.dropNulls(this.root, object);
		unknown.addAll(EmbeddedObjects.coerce(this.root, object));
		object.set("metadata", metadata);
		return unknown;
	}

	/**
	 * Sets a field to its default if it is absent, or null although it is not nullable.
	 * @param object the object, which is changed
	 */
	public void addDefaults(ObjectNode object) {
		if (!this.open) {
			Defaulting.addDefaults(this.root, object);
		}
	}

	/**
	 * Validates a complete object.
	 * @param object the object with its kind and metadata
	 * @param before its state before an update, or {@code null} for a new one
	 * @return the failures
	 */
	public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode before) {
		if (this.open) {
			return List.of();
		}
		Correlation correlation = (before != null) ? new Correlation(this.root, before, object, true) : null;
		List<FieldError> errors = new ArrayList<>(Validation.validate(this.root, object, "", correlation));
		if (this.scale != null) {
			errors.addAll(this.scale.validate(object, false));
		}
		errors.addAll(EmbeddedObjects.validate(this.root, object));
		if (before == null || ListTypes.validate(this.root, before).isEmpty()) {
			errors.addAll(ListTypes.validate(this.root, object));
		}
		addRules(object, before, errors);
		return errors;
	}

	/**
	 * Validates an object after a write of its status.
	 * @param object the object with its kind and metadata
	 * @param before its state before the update
	 * @return the failures
	 */
	public List<FieldError> validateStatus(ObjectNode object, ObjectNode before) {
		if (this.open) {
			return List.of();
		}
		List<FieldError> errors = new ArrayList<>();
		Structural status = this.root.field("status");
		JsonNode value = object.get("status");
		if (status != null && value != null) {
			Correlation correlation = new Correlation(this.root, before, object, true).field("status");
			errors.addAll(Validation.validate(status, value, "status", correlation));
		}
		if (this.scale != null) {
			errors.addAll(this.scale.validate(object, true));
		}
		if (ListTypes.validate(this.root, before).isEmpty()) {
			errors.addAll(ListTypes.validate(this.root, object));
		}
		addRules(object, before, errors);
		return errors;
	}

	private void addRules(ObjectNode object, @Nullable ObjectNode before, List<FieldError> errors) {
		if (!this.root.hasRules) {
			return;
		}
		if (errors.stream().anyMatch(FieldError::blocksRules)) {
			errors.add(FieldError.shown("", "null", UNCHECKED));
			return;
		}
		errors.addAll(rules().validate(object, before));
	}

	private synchronized ObjectRules rules() {
		ObjectRules compiled = this.rules;
		if (compiled == null) {
			compiled = new ObjectRules(this.root, this.engine);
			this.rules = compiled;
		}
		return compiled;
	}

	/**
	 * Returns why server-side apply cannot read a configuration.
	 * @param configuration the configuration
	 * @return the reasons; empty if server-side apply can read it
	 */
	public List<String> typeErrors(ObjectNode configuration) {
		return (this.open) ? List.of() : AppliedTypes.errors(this.root, configuration);
	}

	/**
	 * Returns an object as Go writes it into messages.
	 * @param object the object
	 * @return the JSON with sorted keys
	 */
	public static String text(JsonNode object) {
		return GoText.json(object);
	}

	/**
	 * Writes whole numbers without decimal places: 1.0 is stored as 1.
	 * @param value the value, which is changed
	 */
	public static void canonicalize(JsonNode value) {
		if (value instanceof ObjectNode object) {
			for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
				JsonNode whole = whole(field.getValue());
				if (whole != null) {
					object.set(field.getKey(), whole);
				}
				canonicalize(field.getValue());
			}
		}
		else if (value instanceof ArrayNode list) {
			for (int i = 0; i < list.size(); i++) {
				JsonNode whole = whole(list.get(i));
				if (whole != null) {
					list.set(i, whole);
				}
				canonicalize(list.get(i));
			}
		}
	}

	private static @Nullable JsonNode whole(JsonNode value) {
		if (!value.isNumber() || GoText.isInteger(value)) {
			return null;
		}
		double number = value.doubleValue();
		if (number != Math.rint(number) || Math.abs(number) >= 0x1p63) {
			return null;
		}
		ObjectNode holder = dev.kubeinformer.test.internal.json.Json.object();
		long whole = (long) number;
		return ((whole == (int) whole) ? holder.put("n", (int) whole) : holder.put("n", whole)).path("n");
	}

}
