package dev.kubeinformer.definitions;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import com.google.gson.Gson;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

/**
 * Checks values, which are the defaults of a definition, by their schemas.
 */
final class SchemaValues {

	private SchemaValues() {
	}

	/**
	 * Finds the first problem of a value.
	 * @param value the value: a map, a list, or a plain value
	 * @param schema the schema
	 * @param path the place of the value below the default
	 * @return the problem; {@code null} if the schema accepts the value
	 */
	static @Nullable String problem(@Nullable Object value, V1JSONSchemaProps schema, String path) {
		if (value == null) {
			return Boolean.TRUE.equals(schema.getNullable()) ? null : at(path, "must not be null");
		}
		if (Boolean.TRUE.equals(schema.getxKubernetesIntOrString())) {
			return intOrString(value, schema, path);
		}
		if (schema.getType() == null) {
			return null;
		}
		if (schema.getEnum() != null && !schema.getEnum().contains(value)) {
			return at(path, "must be one of " + schema.getEnum());
		}
		return switch (schema.getType()) {
			case "string" -> (value instanceof String text) ? text(text, schema, path) : wrongType(schema, path);
			case "boolean" -> (value instanceof Boolean) ? null : wrongType(schema, path);
			case "integer", "number" ->
				(value instanceof Number number) ? number(number, schema, path) : wrongType(schema, path);
			case "array" -> (value instanceof List<?> list) ? list(list, schema, path) : wrongType(schema, path);
			default -> (value instanceof Map<?, ?> map) ? map(map, schema, path) : wrongType(schema, path);
		};
	}

	static String quoted(Object value) {
		return "'%s'".formatted((value instanceof Map || value instanceof List) ? new Gson().toJson(value) : value);
	}

	private static String at(String path, String problem) {
		return path.isEmpty() ? "it " + problem : "'%s' %s".formatted(path, problem);
	}

	private static String wrongType(V1JSONSchemaProps schema, String path) {
		return at(path, "must be of type " + schema.getType());
	}

	private static @Nullable String intOrString(Object value, V1JSONSchemaProps schema, String path) {
		if (value instanceof String text) {
			return text(text, schema, path);
		}
		return (value instanceof Integer || value instanceof Long) ? null : at(path, "must be an integer or a string");
	}

	private static @Nullable String text(String value, V1JSONSchemaProps schema, String path) {
		int length = value.codePointCount(0, value.length());
		if (isOutside((long) length, schema.getMinLength(), schema.getMaxLength())) {
			return at(path, "must have %s characters".formatted(range(schema.getMinLength(), schema.getMaxLength())));
		}
		if (!matches(value, schema.getPattern())) {
			return at(path, "must match '%s'".formatted(schema.getPattern()));
		}
		for (V1JSONSchemaProps each : Objects.requireNonNullElse(schema.getAllOf(), List.<V1JSONSchemaProps>of())) {
			if (!matches(value, each.getPattern())) {
				return at(path, "must match '%s'".formatted(each.getPattern()));
			}
		}
		return hasFormat(value, schema.getFormat()) ? null : at(path, "must have the format " + schema.getFormat());
	}

	private static boolean matches(String value, @Nullable String pattern) {
		return pattern == null || Pattern.compile(pattern).matcher(value).find();
	}

	private static boolean hasFormat(String value, @Nullable String format) {
		if (format == null) {
			return true;
		}
		try {
			switch (format) {
				case "date-time" -> OffsetDateTime.parse(value);
				case "date" -> LocalDate.parse(value);
				case "byte" -> Base64.getDecoder().decode(value);
				case "email" -> {
					return value.indexOf('@') > 0 && value.indexOf('@') < value.length() - 1;
				}
				default -> {
					// The API server does not check others that this generator writes.
				}
			}
			return true;
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			return false;
		}
	}

	private static @Nullable String number(Number value, V1JSONSchemaProps schema, String path) {
		double number = value.doubleValue();
		if (schema.getType().equals("integer") && number != Math.rint(number)) {
			return wrongType(schema, path);
		}
		if ("int32".equals(schema.getFormat()) && number != (int) number) {
			return at(path, "must be of 32 bits");
		}
		boolean below = schema.getMinimum() != null && (number < schema.getMinimum()
				|| (Boolean.TRUE.equals(schema.getExclusiveMinimum()) && number == schema.getMinimum()));
		boolean above = schema.getMaximum() != null && (number > schema.getMaximum()
				|| (Boolean.TRUE.equals(schema.getExclusiveMaximum()) && number == schema.getMaximum()));
		return (below || above) ? at(path, "must be in the range of " + range(schema.getMinimum(), schema.getMaximum()))
				: null;
	}

	private static @Nullable String list(List<?> list, V1JSONSchemaProps schema, String path) {
		if (isOutside((long) list.size(), schema.getMinItems(), schema.getMaxItems())) {
			return at(path, "must have %s elements".formatted(range(schema.getMinItems(), schema.getMaxItems())));
		}
		if ("set".equals(schema.getxKubernetesListType()) && new HashSet<Object>(list).size() < list.size()) {
			return at(path, "must have distinct elements");
		}
		for (int i = 0; i < list.size() && schema.getItems() instanceof V1JSONSchemaProps items; i++) {
			String problem = problem(list.get(i), items, path + "[" + i + "]");
			if (problem != null) {
				return problem;
			}
		}
		return null;
	}

	private static @Nullable String map(Map<?, ?> map, V1JSONSchemaProps schema, String path) {
		if (isOutside((long) map.size(), schema.getMinProperties(), schema.getMaxProperties())) {
			return at(path,
					"must have %s entries".formatted(range(schema.getMinProperties(), schema.getMaxProperties())));
		}
		for (String name : Objects.requireNonNullElse(schema.getRequired(), List.<String>of())) {
			if (map.get(name) == null) {
				return at(path, "must have the field '%s'".formatted(name));
			}
		}
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			String name = String.valueOf(entry.getKey());
			V1JSONSchemaProps inner = (schema.getProperties() != null) ? schema.getProperties().get(name) : null;
			if (inner == null && schema.getAdditionalProperties() instanceof V1JSONSchemaProps values) {
				inner = values;
			}
			if (inner == null && !Boolean.TRUE.equals(schema.getxKubernetesPreserveUnknownFields())) {
				return at(path, "must not have the unknown field '%s'".formatted(name));
			}
			String problem = (inner != null)
					? problem(entry.getValue(), inner, path.isEmpty() ? name : path + "." + name) : null;
			if (problem != null) {
				return problem;
			}
		}
		return null;
	}

	private static boolean isOutside(Long size, @Nullable Long min, @Nullable Long max) {
		return (min != null && size < min) || (max != null && size > max);
	}

	private static String range(@Nullable Number min, @Nullable Number max) {
		return "%s to %s".formatted((min != null) ? min : "0", (max != null) ? max : "…");
	}

}
