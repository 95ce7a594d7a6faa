package dev.kubeinformer.definitions;

import java.util.Map;
import java.util.regex.Pattern;

import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

/**
 * Finds the schemas of the fields to which JSONPaths lead.
 */
final class SchemaPaths {

	private static final Pattern SIMPLE = Pattern.compile("(\\.[A-Za-z_$][-A-Za-z0-9_$]*)+");

	private SchemaPaths() {
	}

	/**
	 * Returns whether a path consists of names only, without indexes and filters.
	 * @param path the path
	 * @return {@code true} for a path such as {@code .spec.replicas}
	 */
	static boolean isSimple(String path) {
		return SIMPLE.matcher(path).matches();
	}

	/**
	 * Finds the schema of a field.
	 * @param root the schema of the objects
	 * @param path a simple path
	 * @return the schema; {@code null} if there is no such field
	 */
	static @Nullable V1JSONSchemaProps find(V1JSONSchemaProps root, String path) {
		V1JSONSchemaProps schema = root;
		for (String name : path.substring(1).split("\\.")) {
			Map<String, V1JSONSchemaProps> properties = schema.getProperties();
			V1JSONSchemaProps inner = (properties != null) ? properties.get(name) : null;
			if (inner == null && schema.getAdditionalProperties() instanceof V1JSONSchemaProps values) {
				inner = values;
			}
			if (inner == null) {
				return isOpen(schema) ? ScalarSchemas.any() : null;
			}
			schema = inner;
		}
		return schema;
	}

	private static boolean isOpen(V1JSONSchemaProps schema) {
		return Boolean.TRUE.equals(schema.getxKubernetesPreserveUnknownFields());
	}

}
