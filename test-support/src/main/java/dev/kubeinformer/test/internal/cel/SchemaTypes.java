package dev.kubeinformer.test.internal.cel;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import tools.jackson.databind.JsonNode;

/**
 * Types that the fields of a schema have in the Common Expression Language (pkg/cel of
 * k8s.io/apiserver).
 */
final class SchemaTypes implements CelTypeProvider {

	private final Map<String, CelType> structs = new HashMap<>();

	private final CelType root;

	SchemaTypes(JsonNode schema, boolean resource) {
		this.root = type(schema, "selfType", resource);
	}

	CelType root() {
		return this.root;
	}

	@Override
	public ImmutableCollection<CelType> types() {
		return ImmutableList.copyOf(this.structs.values());
	}

	@Override
	public Optional<CelType> findType(String name) {
		return Optional.ofNullable(this.structs.get(name));
	}

	private CelType type(JsonNode schema, String name, boolean resource) {
		if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
			return SimpleType.DYN;
		}
		return switch (schema.path("type").asString("")) {
			case "string" -> switch (schema.path("format").asString("")) {
				case "byte" -> SimpleType.BYTES;
				case "duration" -> SimpleType.DURATION;
				case "date", "date-time" -> SimpleType.TIMESTAMP;
				default -> SimpleType.STRING;
			};
			case "integer" -> SimpleType.INT;
			case "number" -> SimpleType.DOUBLE;
			case "boolean" -> SimpleType.BOOL;
			case "array" ->
				ListType.create(type(schema.path("items"), name + ".@items", embedded(schema.path("items"))));
			case "object" -> object(schema, name, resource);
			default -> SimpleType.DYN;
		};
	}

	private static boolean embedded(JsonNode schema) {
		return schema.path("x-kubernetes-embedded-resource").asBoolean(false);
	}

	private CelType object(JsonNode schema, String name, boolean resource) {
		JsonNode additional = schema.path("additionalProperties");
		if (additional.isObject()) {
			return MapType.create(SimpleType.STRING, type(additional, name + ".@elem", embedded(additional)));
		}
		if (additional.asBoolean(false)) {
			return MapType.create(SimpleType.STRING, SimpleType.DYN);
		}
		Map<String, CelType> fields = new LinkedHashMap<>();
		schema.path("properties")
			.properties()
			.forEach((field) -> fields.put(CelValues.escaped(field.getKey()),
					type(field.getValue(), name + "." + field.getKey(), embedded(field.getValue()))));
		if (resource) {
			fields.put("apiVersion", SimpleType.STRING);
			fields.put("kind", SimpleType.STRING);
			fields.put("metadata",
					struct(name + ".metadata", Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING)));
		}
		return struct(name, fields);
	}

	private CelType struct(String name, Map<String, CelType> fields) {
		CelType struct = StructType.create(name, ImmutableSet.copyOf(fields.keySet()),
				(field) -> Optional.ofNullable(fields.get(field)));
		this.structs.put(name, struct);
		return struct;
	}

}
