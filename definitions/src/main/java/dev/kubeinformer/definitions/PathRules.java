package dev.kubeinformer.definitions;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.models.V1CustomResourceColumnDefinition;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;

import dev.kubeinformer.definition.Scale;

/**
 * Rules for the JSONPaths of a definition: printer columns, selectable fields and scale.
 * A simple path, such as {@code .spec.replicas}, must lead to an existing field.
 * kube-apiserver does not check this for all paths.
 */
final class PathRules {

	private static final Set<String> COLUMN_TYPES = Set.of("boolean", "date", "integer", "number", "string");

	private static final Set<String> COLUMN_FORMATS = Set.of("byte", "date", "date-time", "double", "float", "int32",
			"int64", "password");

	private static final Set<String> SELECTABLE = Set.of("string", "boolean", "integer");

	private static final int MOST_SELECTABLE = 8;

	private final Class<?> type;

	private final V1JSONSchemaProps schema;

	PathRules(Class<?> type, V1JSONSchemaProps schema) {
		this.type = type;
		this.schema = schema;
	}

	void check(V1CustomResourceColumnDefinition column) {
		String role = "printer column '%s'".formatted(column.getName());
		if (column.getName().isEmpty()) {
			throw invalid("has a printer column without a name", "name it");
		}
		if (!COLUMN_TYPES.contains(column.getType())) {
			throw invalid("has the %s with the unknown type '%s'".formatted(role, column.getType()),
					"use one of " + COLUMN_TYPES.stream().sorted().toList());
		}
		if (column.getFormat() != null && !COLUMN_FORMATS.contains(column.getFormat())) {
			throw invalid("has the %s with the unknown format '%s'".formatted(role, column.getFormat()),
					"use one of " + COLUMN_FORMATS.stream().sorted().toList());
		}
		String path = column.getJsonPath();
		if (!path.startsWith(".")) {
			throw invalid("has the %s with the path '%s'".formatted(role, path),
					"let it begin with '.', such as '.spec.replicas'");
		}
		if (SchemaPaths.isSimple(path) && !path.startsWith(".metadata.")) {
			require(role, path, (field) -> true, "");
		}
	}

	void checkSelectable(List<String> paths) {
		if (paths.size() > MOST_SELECTABLE) {
			throw invalid("has %d selectable fields".formatted(paths.size()),
					"use at most %d".formatted(MOST_SELECTABLE));
		}
		Set<String> known = new HashSet<>();
		for (String path : paths) {
			if (!known.add(path)) {
				throw invalid("has the selectable field '%s' twice".formatted(path), "remove one of them");
			}
			if (!SchemaPaths.isSimple(path) || path.startsWith(".metadata")) {
				throw invalid("has the selectable field '%s'".formatted(path),
						"use a path of names such as '.spec.color', outside of metadata");
			}
			require("selectable field", path, (field) -> SELECTABLE.contains(String.valueOf(field.getType())),
					"a string, boolean or integer");
		}
	}

	void check(Scale scale) {
		requireUnder("specReplicas of @Scale", scale.specReplicas(), List.of(".spec."), "integer");
		requireUnder("statusReplicas of @Scale", scale.statusReplicas(), List.of(".status."), "integer");
		if (!scale.labelSelector().isEmpty()) {
			requireUnder("labelSelector of @Scale", scale.labelSelector(), List.of(".spec.", ".status."), "string");
		}
	}

	private void requireUnder(String role, String path, List<String> prefixes, String type) {
		if (!SchemaPaths.isSimple(path) || prefixes.stream().noneMatch(path::startsWith)) {
			throw invalid("has the %s '%s'".formatted(role, path),
					"use a path of names under " + String.join(" or ",
							prefixes.stream()
								.map((prefix) -> "'%s'".formatted(prefix.substring(0, prefix.length() - 1)))
								.toList()));
		}
		require(role, path, (field) -> field.getType() == null || field.getType().equals(type), "of type " + type);
	}

	private void require(String role, String path, Predicate<V1JSONSchemaProps> test, String wanted) {
		V1JSONSchemaProps field = SchemaPaths.find(this.schema, path);
		if (field == null) {
			throw invalid("has the %s with the path '%s', and there is no such field".formatted(role, path),
					"correct the path, or add the field");
		}
		if (!test.test(field)) {
			throw invalid("has the %s with the path '%s', which is not %s".formatted(role, path, wanted),
					"use another field");
		}
	}

	private InvalidDefinitionException invalid(String problem, String advice) {
		return new InvalidDefinitionException(this.type, "", "the class " + problem, advice);
	}

}
