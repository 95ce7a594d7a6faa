package dev.kubeinformer.definitions;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import com.google.gson.annotations.JsonAdapter;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.Atomic;
import dev.kubeinformer.definition.ListMapKeys;
import dev.kubeinformer.definition.ListSet;
import dev.kubeinformer.definition.PreserveUnknownFields;
import dev.kubeinformer.definition.ValidationRule;

/**
 * Generates the structural schema of a class. Its properties are the fields that Gson
 * writes.
 */
final class SchemaGenerator {

	private static final Set<String> TYPE_META = Set.of("apiVersion", "kind", "metadata");

	private final Descriptions descriptions = new Descriptions();

	private final PrinterColumns columns;

	/**
	 * Creates a generator.
	 * @param columns the collector of the printer columns that annotations of fields
	 * declare
	 */
	SchemaGenerator(PrinterColumns columns) {
		this.columns = columns;
	}

	/**
	 * Generates the schema of objects.
	 * @param type the class of the objects
	 * @return the schema
	 */
	V1JSONSchemaProps generate(Class<?> type) {
		FieldPath path = FieldPath.of(type);
		V1JSONSchemaProps schema = model(TypeShape.of(type), path);
		Map<String, V1JSONSchemaProps> properties = new LinkedHashMap<>();
		properties.put("apiVersion", ScalarSchemas.typed("string", null));
		properties.put("kind", ScalarSchemas.typed("string", null));
		properties.put("metadata", ScalarSchemas.typed("object", null));
		properties.putAll(schema.getProperties());
		schema.setProperties(properties);
		StructuralRules.check(schema, path);
		return schema;
	}

	private V1JSONSchemaProps schema(TypeShape shape, FieldPath path) {
		V1JSONSchemaProps scalar = ScalarSchemas.find(shape.type());
		if (scalar != null) {
			if (shape.type().isEnum() && scalar.getEnum().isEmpty()) {
				throw path.invalid("is of the enum '%s', which has no constants".formatted(shape.type().getName()),
						"add one");
			}
			return scalar;
		}
		if (shape.type().isArray()) {
			return list(
					shape.arguments().isEmpty() ? TypeShape.of(shape.type().componentType()) : shape.arguments().get(0),
					path);
		}
		List<TypeShape> elements = shape.argumentsOf(Collection.class);
		if (elements != null) {
			V1JSONSchemaProps list = list(elements.isEmpty() ? TypeShape.of(Object.class) : elements.get(0), path);
			boolean set = Set.class.isAssignableFrom(shape.type())
					&& isScalar((V1JSONSchemaProps) Objects.requireNonNull(list.getItems()));
			return set ? list.xKubernetesListType("set") : list;
		}
		List<TypeShape> entries = shape.argumentsOf(Map.class);
		if (entries != null) {
			return map(entries, path);
		}
		if (shape.type().isAnnotationPresent(JsonAdapter.class)) {
			return ScalarSchemas.any();
		}
		return model(shape, path);
	}

	private V1JSONSchemaProps list(TypeShape element, FieldPath path) {
		V1JSONSchemaProps items = part(element, path.element());
		V1JSONSchemaProps list = ScalarSchemas.typed("array", null).items(items);
		List<String> keys = OfficialModels.keys(element.type());
		return keys.isEmpty() ? list : list.xKubernetesListType("map").xKubernetesListMapKeys(keys);
	}

	private V1JSONSchemaProps map(List<TypeShape> entries, FieldPath path) {
		TypeShape value = entries.isEmpty() ? TypeShape.of(Object.class) : entries.get(1);
		if (value.type() == Object.class) {
			return ScalarSchemas.anyObject();
		}
		return ScalarSchemas.typed("object", null).additionalProperties(part(value, path.value()));
	}

	// An element of a list, or a value of a map.
	private V1JSONSchemaProps part(TypeShape shape, FieldPath path) {
		V1JSONSchemaProps schema = schema(shape, path);
		Constraints.apply(schema, shape.annotations(), path);
		if (Nullness.isNullable(shape.annotations())) {
			schema.setNullable(true);
		}
		return schema;
	}

	private V1JSONSchemaProps model(TypeShape shape, FieldPath outer) {
		Class<?> type = shape.type();
		requireModel(type, outer);
		FieldPath path = outer.in(shape);
		V1JSONSchemaProps schema = ScalarSchemas.typed("object", null).description(this.descriptions.of(type));
		Map<String, V1JSONSchemaProps> properties = new LinkedHashMap<>();
		List<String> required = new ArrayList<>();
		Nullness nullness = new Nullness(type);
		List<ModelField> fields = ModelField.of(shape, path)
			.stream()
			.filter((field) -> !(path.isRoot() && TYPE_META.contains(field.name())) && !OfficialModels.isHidden(field))
			.toList();
		fields.forEach((field) -> properties.put(field.name(), property(field, path.field(field.name()))));
		Map<String, Optional<Object>> initial = OfficialModels.contains(type) ? Map.of()
				: Defaults.initial(shape, properties, path);
		initial.forEach((name, value) -> setDefault(properties.get(name), value.orElse(null)));
		for (ModelField field : fields) {
			// A status is not there when an object is created.
			boolean status = path.isRoot() && field.name().equals("status");
			boolean defaulted = Objects.requireNonNull(properties.get(field.name())).getDefault() != null;
			if (!status && !defaulted && !initial.containsKey(field.name()) && nullness.isRequired(field)) {
				required.add(field.name());
			}
		}
		schema.setProperties(properties);
		if (!required.isEmpty()) {
			schema.setRequired(required);
		}
		if (OfficialModels.isAtomic(type)) {
			schema.setxKubernetesMapType("atomic");
		}
		if (type.isAnnotationPresent(PreserveUnknownFields.class)) {
			schema.setxKubernetesPreserveUnknownFields(true);
		}
		Rules.add(schema, List.of(type.getAnnotationsByType(ValidationRule.class)), path);
		return schema;
	}

	private static void requireModel(Class<?> type, FieldPath path) {
		boolean platform = type.getName().startsWith("java.") || type.getName().startsWith("kotlin.");
		if (!path.isRoot() && (platform || type.isInterface() || Modifier.isAbstract(type.getModifiers()))) {
			throw path.invalid("is of type '%s', which Gson cannot read".formatted(type.getName()),
					"use a class with fields, a String, or @JsonAdapter");
		}
	}

	private static void setDefault(@Nullable V1JSONSchemaProps schema, @Nullable Object value) {
		if (value != null && schema != null && schema.getDefault() == null) {
			schema.setDefault(value);
		}
	}

	private V1JSONSchemaProps property(ModelField field, FieldPath path) {
		boolean adapted = field.field().isAnnotationPresent(JsonAdapter.class);
		V1JSONSchemaProps schema = adapted ? ScalarSchemas.any() : schema(field.shape(), path);
		Constraints.apply(schema, field.annotations(), path);
		String description = this.descriptions.of(field);
		if (description != null) {
			schema.setDescription(description);
		}
		if (OfficialModels.contains(field.field().getDeclaringClass())) {
			OfficialModels.complete(schema, field);
		}
		Object value = Defaults.declared(field, schema, path);
		if (value != null) {
			schema.setDefault(value);
		}
		topology(schema, field, path);
		if (field.has(PreserveUnknownFields.class)) {
			schema.setxKubernetesPreserveUnknownFields(true);
		}
		Rules.add(schema, field.annotations(ValidationRule.class), path);
		this.columns.add(field, schema, path);
		return schema;
	}

	private static void topology(V1JSONSchemaProps schema, ModelField field, FieldPath path) {
		ListMapKeys keys = field.annotation(ListMapKeys.class);
		boolean set = field.has(ListSet.class);
		boolean atomic = field.has(Atomic.class);
		if ((keys != null && set) || (atomic && (set || keys != null))) {
			throw path.invalid("has more than one of @ListMapKeys, @ListSet and @Atomic", "keep one of them");
		}
		if (keys != null) {
			schema.xKubernetesListType("map").xKubernetesListMapKeys(List.of(keys.value()));
		}
		if (set) {
			schema.xKubernetesListType("set").xKubernetesListMapKeys(null);
		}
		if (atomic && "array".equals(schema.getType())) {
			schema.xKubernetesListType("atomic").xKubernetesListMapKeys(null);
		}
		else if (atomic) {
			schema.setxKubernetesMapType("atomic");
		}
	}

	static boolean isScalar(V1JSONSchemaProps schema) {
		return Boolean.TRUE.equals(schema.getxKubernetesIntOrString())
				|| (schema.getType() != null && !Set.of("object", "array").contains(schema.getType()));
	}

}
