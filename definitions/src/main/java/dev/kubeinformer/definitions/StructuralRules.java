package dev.kubeinformer.definitions;

import java.util.HashSet;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

/**
 * Rules of kube-apiserver for schemas ({@code validation.go} of k8s.io/apiextensions)
 * that annotations can break. CEL rules are compiled by the API server only.
 */
final class StructuralRules {

	private StructuralRules() {
	}

	/**
	 * Checks a schema and all schemas in it.
	 * @param schema the schema
	 * @param path the place of its value
	 * @throws InvalidDefinitionException if kube-apiserver would reject the schema
	 */
	static void check(V1JSONSchemaProps schema, FieldPath path) {
		checkBounds(schema, path);
		checkList(schema, path);
		if (schema.getxKubernetesMapType() != null && !"object".equals(schema.getType())) {
			throw path.invalid("has @Atomic and is neither a list nor an object", "remove @Atomic");
		}
		if (schema.getxKubernetesValidations() != null && schema.getType() == null
				&& !Boolean.TRUE.equals(schema.getxKubernetesIntOrString())) {
			throw path.invalid("has a @ValidationRule, and CEL cannot read a value of any type",
					"use a class with fields, or put the rule elsewhere");
		}
		if (Boolean.TRUE.equals(schema.getxKubernetesPreserveUnknownFields()) && schema.getType() != null
				&& !"object".equals(schema.getType())) {
			throw path.invalid("has @PreserveUnknownFields and is of type '%s'".formatted(schema.getType()),
					"use it on objects, or remove it");
		}
		Map<String, V1JSONSchemaProps> properties = schema.getProperties();
		if (properties != null) {
			properties.forEach((name, property) -> check(property, path.field(name)));
		}
		if (schema.getItems() instanceof V1JSONSchemaProps items) {
			check(items, path.element());
		}
		if (schema.getAdditionalProperties() instanceof V1JSONSchemaProps values) {
			check(values, path.value());
		}
		Object value = schema.getDefault();
		if (value != null) {
			checkDefault(value, schema, path);
		}
	}

	private static void checkBounds(V1JSONSchemaProps schema, FieldPath path) {
		if (isGreater(schema.getMinimum(), schema.getMaximum())
				|| isGreater(schema.getMinLength(), schema.getMaxLength())
				|| isGreater(schema.getMinItems(), schema.getMaxItems())
				|| isGreater(schema.getMinProperties(), schema.getMaxProperties())) {
			throw path.invalid("has a minimum that is greater than its maximum", "correct its constraints");
		}
	}

	private static <T extends Comparable<T>> boolean isGreater(@Nullable T minimum, @Nullable T maximum) {
		return minimum != null && maximum != null && minimum.compareTo(maximum) > 0;
	}

	private static void checkList(V1JSONSchemaProps schema, FieldPath path) {
		String type = schema.getxKubernetesListType();
		if (type == null) {
			return;
		}
		if (!(schema.getItems() instanceof V1JSONSchemaProps items)) {
			throw path.invalid("has @ListMapKeys or @ListSet and is not a list", "remove the annotation");
		}
		if (!type.equals("atomic") && Boolean.TRUE.equals(items.getNullable())) {
			throw path.invalid("has elements that may be null and are identified by their values or keys",
					"remove @Nullable from the elements, or make the list @Atomic");
		}
		if (type.equals("set") && !SchemaGenerator.isScalar(items)) {
			throw path.invalid("has @ListSet, and its elements are not scalar values",
					"use @ListMapKeys with the fields that identify an element, or @Atomic");
		}
		if (type.equals("map")) {
			checkKeys(schema.getxKubernetesListMapKeys(), items, path);
		}
	}

	private static void checkKeys(@Nullable List<String> keys, V1JSONSchemaProps items, FieldPath path) {
		Map<String, V1JSONSchemaProps> properties = items.getProperties();
		if (properties == null) {
			throw path.invalid("has @ListMapKeys, and its elements are not objects with fields",
					"use @ListSet for scalar values");
		}
		if (keys == null || keys.isEmpty() || new HashSet<>(keys).size() < keys.size()) {
			throw path.invalid("has @ListMapKeys with " + keys, "name each field that identifies an element once");
		}
		for (String key : keys) {
			V1JSONSchemaProps property = properties.get(key);
			if (property == null) {
				throw path.invalid("has the list map key '%s', which is not a field of its elements".formatted(key),
						"use one of " + properties.keySet().stream().sorted().toList());
			}
			if (!SchemaGenerator.isScalar(property)) {
				throw path.invalid("has the list map key '%s', which is not a scalar value".formatted(key),
						"use a field with a string, number or boolean");
			}
			boolean required = items.getRequired() != null && items.getRequired().contains(key);
			if (!required && property.getDefault() == null) {
				throw path.invalid(
						"has the list map key '%s', which is neither required nor has a default".formatted(key),
						"add @NotNull or @DefaultValue to the field");
			}
		}
	}

	private static void checkDefault(Object value, V1JSONSchemaProps schema, FieldPath path) {
		String problem = SchemaValues.problem(value, schema, "");
		if (problem != null) {
			throw path.invalid(
					"has the default %s, which its schema rejects: %s".formatted(SchemaValues.quoted(value), problem),
					"change the initial value or the constraint");
		}
	}

}
