package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.kubernetes.client.openapi.models.V1CustomResourceColumnDefinition;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.PrinterColumn;

/**
 * Collects the printer columns of a class: those of the class first, then those of its
 * fields in their order. The age of the object is the last one, as in the tables of
 * built-in kinds.
 */
final class PrinterColumns {

	private static final String CREATION = ".metadata.creationTimestamp";

	private final List<V1CustomResourceColumnDefinition> columns = new ArrayList<>();

	PrinterColumns(Class<?> type) {
		for (PrinterColumn column : type.getAnnotationsByType(PrinterColumn.class)) {
			FieldPath path = FieldPath.of(type);
			if (column.jsonPath().isEmpty()) {
				throw path.invalid("has the printer column '%s' without a jsonPath".formatted(column.name()),
						"add one such as '.spec.replicas', or put the annotation on a field");
			}
			this.columns.add(column(column, column.jsonPath(), column.type().isEmpty() ? "string" : column.type(),
					text(column.format()), text(column.description())));
		}
	}

	void add(ModelField field, V1JSONSchemaProps schema, FieldPath path) {
		for (PrinterColumn column : field.annotations(PrinterColumn.class)) {
			if (column.jsonPath().isEmpty() && (path.path().contains("[]") || path.path().contains(".*"))) {
				throw path.invalid("has the printer column '%s' inside of a list or map".formatted(column.name()),
						"set its jsonPath, such as '.spec.ports[0].name'");
			}
			String jsonPath = column.jsonPath().isEmpty() ? "." + path.path() : column.jsonPath();
			String type = column.type().isEmpty() ? type(schema) : column.type();
			String description = column.description().isEmpty() ? schema.getDescription() : column.description();
			this.columns.add(column(column, jsonPath, type, text(column.format()), description));
		}
	}

	private static String type(V1JSONSchemaProps schema) {
		if ("date-time".equals(schema.getFormat())) {
			return "date";
		}
		return SchemaGenerator.isScalar(schema) ? schema.getType() : "string";
	}

	private static V1CustomResourceColumnDefinition column(PrinterColumn column, String jsonPath, String type,
			@Nullable String format, @Nullable String description) {
		return new V1CustomResourceColumnDefinition().name(column.name())
			.jsonPath(jsonPath)
			.type(type)
			.format(format)
			.priority((column.priority() != 0) ? column.priority() : null)
			.description(description);
	}

	private static @Nullable String text(String value) {
		return value.isEmpty() ? null : value;
	}

	List<V1CustomResourceColumnDefinition> all() {
		return this.columns.stream()
			.sorted(Comparator.comparing((column) -> CREATION.equals(column.getJsonPath())))
			.toList();
	}

}
