package dev.kubeinformer.test.internal.cel;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import tools.jackson.databind.JsonNode;

/**
 * Converts JSON to values of the Common Expression Language, with the types in the schema
 * of the JSON.
 */
final class CelValues {

	private static final Set<String> RESERVED = Set.of("true", "false", "null", "in", "as", "break", "const",
			"continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace", "return",
			"var", "void", "while");

	private static final Pattern DURATION = Pattern.compile("([0-9.]+)(ns|us|µs|ms|s|m|h)");

	private CelValues() {
	}

	// Name of a field in an expression (pkg/cel/escaping.go of k8s.io/apiserver).
	static String escaped(String name) {
		if (RESERVED.contains(name)) {
			return "__" + name + "__";
		}
		return name.replace("__", "__underscores__")
			.replace(".", "__dot__")
			.replace("-", "__dash__")
			.replace("/", "__slash__");
	}

	static Object of(JsonNode value, JsonNode schema) {
		return switch (value.getNodeType()) {
			case ARRAY -> {
				List<Object> list = new ArrayList<>();
				value.forEach((item) -> list.add(of(item, schema.path("items"))));
				yield list;
			}
			case OBJECT -> object(value, schema);
			case BOOLEAN -> value.booleanValue();
			case NUMBER -> number(value, schema.path("type").asString(""));
			case STRING -> text(value.stringValue(), schema);
			default -> NullValue.NULL_VALUE;
		};
	}

	private static Object object(JsonNode value, JsonNode schema) {
		Map<Object, Object> object = new LinkedHashMap<>();
		JsonNode properties = schema.path("properties");
		JsonNode additional = schema.path("additionalProperties");
		value.properties().forEach((field) -> {
			boolean property = !properties.path(field.getKey()).isMissingNode();
			String name = (property) ? escaped(field.getKey()) : field.getKey();
			// For a rule, a null field of an object is absent unless the field is
			// nullable.
			JsonNode child = (property) ? properties.path(field.getKey()) : additional;
			object.put(name, of(field.getValue(), child));
		});
		return object;
	}

	private static Object number(JsonNode value, String type) {
		boolean whole = value.isInt() || value.isLong();
		if ("number".equals(type)) {
			return value.doubleValue();
		}
		if ("integer".equals(type) && !whole) {
			throw new IllegalArgumentException("invalid data, expected int, got float64");
		}
		return (whole) ? (Object) value.longValue() : (Object) value.doubleValue();
	}

	private static Object text(String text, JsonNode schema) {
		if (!"string".equals(schema.path("type").asString(""))) {
			return text;
		}
		return switch (schema.path("format").asString("")) {
			case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
			case "date" -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
			case "date-time" -> instant(text);
			case "duration" -> duration(text);
			default -> text;
		};
	}

	private static Instant instant(String text) {
		return OffsetDateTime.parse(text).toInstant();
	}

	private static Duration duration(String text) {
		Duration duration = Duration.ZERO;
		Matcher part = DURATION.matcher(text);
		while (part.find()) {
			double nanos = Double.parseDouble(part.group(1)) * switch (part.group(2)) {
				case "ns" -> 1d;
				case "us", "µs" -> 1e3;
				case "ms" -> 1e6;
				case "s" -> 1e9;
				case "m" -> 60e9;
				default -> 3600e9;
			};
			duration = duration.plusNanos(Math.round(nanos));
		}
		return (text.startsWith("-")) ? duration.negated() : duration;
	}

}
