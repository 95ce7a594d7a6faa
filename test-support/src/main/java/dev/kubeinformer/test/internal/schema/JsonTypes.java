package dev.kubeinformer.test.internal.schema;

import tools.jackson.databind.JsonNode;

/**
 * Types of JSON values as Go decodes them.
 */
final class JsonTypes {

	private static final double LARGEST_WHOLE = (1L << 53) - 1;

	private static final double CLOSE = 1e-9;

	private JsonTypes() {
	}

	static String of(JsonNode value) {
		return switch (value.getNodeType()) {
			case ARRAY -> "array";
			case BOOLEAN -> "boolean";
			case NUMBER -> (GoText.isInteger(value)) ? "integer" : "number";
			case OBJECT -> "object";
			case NULL -> "null";
			default -> "string";
		};
	}

	// Returns the format that the JSON type of a value implies; empty if there is none.
	static String format(JsonNode value) {
		if (!value.isNumber()) {
			return "";
		}
		return (GoText.isInteger(value)) ? "int64" : "float64";
	}

	// Whether a float64 is a whole number within a relative error (IsFloat64AJSONInteger
	// of github.com/go-openapi/swag).
	static boolean isWhole(double value) {
		if (Double.isNaN(value) || Double.isInfinite(value) || Math.abs(value) > LARGEST_WHOLE) {
			return false;
		}
		double whole = (double) (long) value;
		if (whole == value) {
			return true;
		}
		double sum = Math.abs(value) + Math.abs(whole);
		return value != 0 && whole != 0 && Math.abs(value - whole) / sum < CLOSE;
	}

	// Whether a value equals a value of an enum. Numbers are compared after a conversion.
	static boolean isEnumValue(JsonNode value, JsonNode known) {
		if (known.isNull() || value.isNull()) {
			return false;
		}
		if (known.isNumber() && value.isNumber()) {
			return (GoText.isInteger(known)) ? (long) value.doubleValue() == known.longValue()
					: value.doubleValue() == known.doubleValue();
		}
		return known.equals(value);
	}

}
