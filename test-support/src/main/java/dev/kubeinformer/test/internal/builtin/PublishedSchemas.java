package dev.kubeinformer.test.internal.builtin;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.Field;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ObjectType;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ValueType;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * Writes the schemas of built-in types as OpenAPI version 3, without descriptions.
 * {@code kubectl explain} reads them.
 */
public final class PublishedSchemas {

	private static final String REFERENCE = "#/components/schemas/";

	private static final String FORMAT = "format";

	private static final String TYPE = "type";

	private final BuiltInSchemas schemas = BuiltInSchemas.shared();

	private final ObjectNode target;

	private PublishedSchemas(ObjectNode target) {
		this.target = target;
	}

	/**
	 * Writes the schemas of resources.
	 * @param types the resources; custom ones are left out
	 * @param target the object to which schemas are added by their names
	 */
	public static void write(List<ResourceDefinition> types, ObjectNode target) {
		PublishedSchemas published = new PublishedSchemas(target);
		types.forEach(published::root);
	}

	private void root(ResourceDefinition type) {
		ObjectType schema = this.schemas.of(type);
		if (schema != null) {
			ObjectNode written = (ObjectNode) this.target.get(object(schema));
			if (!written.has("x-kubernetes-group-version-kind")) {
				written.putArray("x-kubernetes-group-version-kind")
					.addObject()
					.put("group", type.group())
					.put("kind", type.kind())
					.put("version", type.version());
			}
		}
	}

	private String object(ObjectType type) {
		String name = BuiltInSchemas.fullName(type.name());
		if (this.target.has(name)) {
			return name;
		}
		ObjectNode schema = this.target.putObject(name).put(TYPE, "object");
		ObjectNode properties = schema.objectNode();
		for (Field field : type.all()) {
			if (field.required()) {
				schema.withArray("required").add(field.name());
			}
			properties.set(field.name(), field(field));
		}
		if (!properties.isEmpty()) {
			schema.set("properties", properties);
		}
		return name;
	}

	private ObjectNode field(Field field) {
		ObjectNode written = value(field.type());
		if (written.has("$ref")) {
			ObjectNode reference = written;
			written = reference.objectNode();
			written.putArray("allOf").add(reference);
		}
		ObjectNode schema = written;
		JsonNode standard = field.defaultValue();
		if (standard != null) {
			schema.set("default", standard);
		}
		Map<String, String> attributes = field.attributes();
		list(schema, "enum", attributes.get("enum"));
		text(schema, "x-kubernetes-list-type", attributes.get("list"));
		list(schema, "x-kubernetes-list-map-keys", attributes.get("keys"));
		text(schema, "x-kubernetes-map-type", attributes.get("map"));
		return schema;
	}

	private static void text(ObjectNode schema, String name, @Nullable String value) {
		if (value != null) {
			schema.put(name, value);
		}
	}

	private static void list(ObjectNode schema, String name, @Nullable String values) {
		if (values != null) {
			for (String value : values.split(",")) {
				schema.withArray(name).add(value);
			}
		}
	}

	private ObjectNode value(ValueType type) {
		ObjectNode schema = this.target.objectNode();
		return switch (type.form()) {
			case STRING -> schema.put(TYPE, "string");
			case BYTES -> schema.put(TYPE, "string").put(FORMAT, "byte");
			case TIME, MICRO_TIME -> schema.put(TYPE, "string").put(FORMAT, "date-time");
			case INT32 -> schema.put(TYPE, "integer").put(FORMAT, "int32");
			case INT64 -> schema.put(TYPE, "integer").put(FORMAT, "int64");
			case FLOAT64 -> schema.put(TYPE, "number").put(FORMAT, "double");
			case BOOL -> schema.put(TYPE, "boolean");
			case QUANTITY -> schema.put(TYPE, "string");
			case INT_OR_STRING -> schema.put(TYPE, "string").put(FORMAT, "int-or-string");
			case RAW -> schema.put(TYPE, "object");
			case ANY -> schema;
			case LIST -> schema.put(TYPE, "array").set("items", value(type.item()));
			case MAP -> schema.put(TYPE, "object").set("additionalProperties", value(type.item()));
			case OBJECT -> schema.put("$ref", REFERENCE + object(this.schemas.type(type.name())));
		};
	}

}
