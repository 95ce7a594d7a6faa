package dev.kubeinformer.test.internal.schema;

import java.math.BigDecimal;
import java.util.TreeSet;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Prints values as Go does in messages.
 */
final class GoText {

	// Smallest exponents with which the verb %v and JSON print a float64 in scientific
	// notation.
	private static final int LARGE = 6;

	private static final int LARGE_IN_JSON = 21;

	private static final int SMALL = -4;

	private static final double LEAST_PLAIN = 1e-6;

	private GoText() {
	}

	/**
	 * Formats a value for a message about a field: a text in quotes, an object as JSON.
	 * @param value the value
	 * @return the text
	 */
	static String of(JsonNode value) {
		if (value.isString()) {
			return quoted(value.stringValue());
		}
		return (value.isNumber()) ? number(value) : json(value);
	}

	static String number(JsonNode value) {
		return isInteger(value) ? Long.toString(value.longValue()) : number(value.doubleValue());
	}

	// Whether Go decodes a number as int64 (k8s.io/apimachinery/pkg/util/json).
	static boolean isInteger(JsonNode value) {
		return value.isInt() || value.isLong();
	}

	// Prints a float64 with the verb %v.
	static String number(double value) {
		return number(value, LARGE);
	}

	private static String number(double value, int large) {
		if (value == 0) {
			return "0";
		}
		BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
		int exponent = decimal.precision() - decimal.scale() - 1;
		if (exponent >= SMALL && exponent < large) {
			return decimal.toPlainString();
		}
		String digits = decimal.unscaledValue().abs().toString();
		String mantissa = (digits.length() > 1) ? digits.charAt(0) + "." + digits.substring(1) : digits;
		String power = (Math.abs(exponent) < 10) ? "0" + Math.abs(exponent) : Integer.toString(Math.abs(exponent));
		return ((value < 0) ? "-" : "") + mantissa + ((exponent < 0) ? "e-" : "e+") + power;
	}

	// Prints a text with the verb %q.
	static String quoted(String text) {
		StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
		text.codePoints().forEach((point) -> append(quoted, point));
		return quoted.append('"').toString();
	}

	private static void append(StringBuilder quoted, int point) {
		switch (point) {
			case '"' -> quoted.append("\\\"");
			case '\\' -> quoted.append("\\\\");
			case '\n' -> quoted.append("\\n");
			case '\r' -> quoted.append("\\r");
			case '\t' -> quoted.append("\\t");
			default -> {
				if (point < ' ' || point == 0x7f) {
					quoted.append(String.format("\\x%02x", point));
				}
				else {
					quoted.appendCodePoint(point);
				}
			}
		}
	}

	// Prints JSON with sorted keys, as Go writes maps.
	static String json(JsonNode value) {
		StringBuilder json = new StringBuilder();
		write(value, json);
		return json.toString();
	}

	private static void write(JsonNode value, StringBuilder json) {
		if (value instanceof ObjectNode object) {
			String separator = "{";
			for (String name : new TreeSet<>(object.propertyNames())) {
				json.append(separator).append(text(StringNode.valueOf(name))).append(':');
				write(object.path(name), json);
				separator = ",";
			}
			json.append((object.isEmpty()) ? "{}" : "}");
		}
		else if (value instanceof ArrayNode array) {
			String separator = "[";
			for (JsonNode item : array) {
				json.append(separator);
				write(item, json);
				separator = ",";
			}
			json.append((array.isEmpty()) ? "[]" : "]");
		}
		else {
			json.append((value.isNumber()) ? jsonNumber(value) : text(value));
		}
	}

	private static String text(JsonNode value) {
		return value.toString().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
	}

	// Prints a number in JSON, which uses scientific notation for other numbers than the
	// verb %v.
	private static String jsonNumber(JsonNode value) {
		double number = value.doubleValue();
		boolean plain = isInteger(value) || number == 0 || Math.abs(number) >= LEAST_PLAIN;
		String text = (isInteger(value)) ? number(value) : number(number, LARGE_IN_JSON);
		return (plain && Math.abs(number) < 1e-4 && !isInteger(value) && number != 0)
				? new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString() : text;
	}

	// Prints a value with the verb %v.
	static String plain(JsonNode value) {
		if (value instanceof ObjectNode object) {
			return new TreeSet<>(object.propertyNames()).stream()
				.map((name) -> name + ":" + plain(object.path(name)))
				.collect(Collectors.joining(" ", "map[", "]"));
		}
		if (value instanceof ArrayNode list) {
			return list.valueStream().map(GoText::plain).collect(Collectors.joining(" ", "[", "]"));
		}
		return (value.isNull()) ? "<nil>" : (value.isString()) ? value.stringValue() : of(value);
	}

	// Prints a value with the verb %#v.
	static String literal(JsonNode value) {
		if (value instanceof ObjectNode object) {
			return new TreeSet<>(object.propertyNames()).stream()
				.map((name) -> quoted(name) + ":" + literal(object.path(name)))
				.collect(Collectors.joining(", ", "map[string]interface {}{", "}"));
		}
		if (value instanceof ArrayNode list) {
			return list.valueStream().map(GoText::literal).collect(Collectors.joining(", ", "[]interface {}{", "}"));
		}
		return (value.isNull()) ? "interface {}(nil)" : of(value);
	}

	// Prints a value in the key of a list item (value.ToString of structured-merge-diff).
	static String key(JsonNode value) {
		if (value instanceof ObjectNode object) {
			return object.properties()
				.stream()
				.map((field) -> field.getKey() + "=" + key(field.getValue()))
				.collect(Collectors.joining());
		}
		if (value instanceof ArrayNode list) {
			return list.valueStream().map(GoText::key).collect(Collectors.joining(",", "[", "]"));
		}
		return of(value);
	}

}
