package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/**
 * Checks whether the defaults in a schema are valid values of the schema
 * (pkg/apiserver/schema/defaulting/validation.go of k8s.io/apiextensions-apiserver).
 */
final class DefaultsCheck {

	private static final Set<String> META = Set.of("metadata", "apiVersion", "kind");

	private final List<FieldError> errors = new ArrayList<>();

	private DefaultsCheck() {
	}

	static List<FieldError> check(Structural schema, String path) {
		DefaultsCheck check = new DefaultsCheck();
		check.node(schema, path, true, false);
		return check.errors;
	}

	private void node(Structural schema, String path, boolean resource, boolean meta) {
		if (schema.defaultValue != null && !meta) {
			value(schema, schema.defaultValue, path + ".default");
		}
		if (schema.items != null) {
			node(schema.items, path + ".items", schema.items.embedded, meta);
		}
		schema.properties.forEach((name, field) -> node(field, path + ".properties[" + name + "]", field.embedded,
				meta || (resource && META.contains(name))));
	}

	private void value(Structural schema, JsonNode value, String path) {
		JsonNode pruned = value.deepCopy();
		Pruning.pruneValue(schema, pruned);
		if (!pruned.equals(value)) {
			this.errors.add(FieldError.invalid(path, value, "must not have unknown fields"));
		}
		try {
			EmbeddedObjects.coerce(schema, value.deepCopy());
		}
		catch (MalformedObject ex) {
			this.errors.add(FieldError.invalid(path, value, ex.words()));
			return;
		}
		List<FieldError> embedded = EmbeddedObjects.validate(schema, value)
			.stream()
			.map((error) -> new FieldError(path
					+ ((error.field().startsWith(".") || error.field().startsWith("[")) ? "" : ".") + error.field(),
					error.kind(), error.value(), error.detail()))
			.toList();
		this.errors.addAll((embedded.isEmpty()) ? Validation.validateDefault(schema, value, path) : embedded);
	}

}
