package dev.kubeinformer.test.internal.schema;

import tools.jackson.databind.JsonNode;

/**
 * Checks a number against the limits in its schema.
 *
 * @param schema the schema
 * @param field the path of the number in the causes of the response
 * @param path the path of the number in messages, relative to the prefix
 * @param prefix the path of the validated value that contains the number, empty for a
 * complete object
 */
record NumberRules(Structural schema, String field, String path, String prefix) {

	Outcome validate(JsonNode value) {
		Outcome outcome = new Outcome();
		boolean whole = GoText.isInteger(value);
		if ((whole) ? !isInRange(value.longValue()) : !isInRange(value.doubleValue())) {
			outcome.add(outOfRange("Checked"));
		}
		Double factor = this.schema.number("multipleOf");
		if (factor != null) {
			if (checkBoundary("MultipleOf", factor, outcome) && whole) {
				multiple(value.longValue(), factor.longValue(), outcome);
			}
			else {
				multiple(value.doubleValue(), factor, outcome);
			}
		}
		Double least = this.schema.number("minimum");
		if (least != null) {
			boolean exact = checkBoundary("Minimum boundary", least, outcome) && whole;
			boolean exclusive = this.schema.flag("exclusiveMinimum");
			int order = compare(value, least, exact);
			if (order < 0 || (exclusive && order == 0)) {
				outcome.add(limit(value, least, exact, (exclusive) ? "greater than" : "greater than or equal to"));
			}
		}
		Double most = this.schema.number("maximum");
		if (most != null) {
			boolean exact = checkBoundary("Maximum boundary", most, outcome) && whole;
			boolean exclusive = this.schema.flag("exclusiveMaximum");
			int order = compare(value, most, exact);
			if (order > 0 || (exclusive && order == 0)) {
				outcome.add(limit(value, most, exact, (exclusive) ? "less than" : "less than or equal to"));
			}
		}
		outcome.pass();
		return outcome;
	}

	private String type() {
		return (this.schema.types.size() == 1) ? this.schema.types.get(0) : "";
	}

	private boolean isInRange(long value) {
		boolean narrow = "integer".equals(type()) && "int32".equals(this.schema.format);
		return !narrow || value == (int) value;
	}

	private boolean isInRange(double value) {
		if ("integer".equals(type())) {
			return value == Math.rint(value) && Math.abs(value) < 0x1p63 && isInRange((long) value);
		}
		return !("number".equals(type()) && "float".equals(this.schema.format)) || Math.abs(value) <= Float.MAX_VALUE;
	}

	// Rejects a limit that does not fit the type, for each value.
	private boolean checkBoundary(String what, double limit, Outcome outcome) {
		if (isInRange(limit)) {
			return true;
		}
		outcome.add(outOfRange(what));
		return false;
	}

	private FieldError outOfRange(String what) {
		String format = (this.schema.format.isEmpty()) ? " (default format)" : " with format " + this.schema.format;
		return FieldError.invalid(this.prefix, "",
				what + " value must be of type " + type() + format + " in " + this.path);
	}

	private static int compare(JsonNode value, double limit, boolean exact) {
		return (exact) ? Long.compare(value.longValue(), (long) limit) : Double.compare(value.doubleValue(), limit);
	}

	private FieldError limit(JsonNode value, double limit, boolean exact, String words) {
		String text = (exact) ? Long.toString((long) limit) : GoText.number(limit);
		return FieldError.invalid(this.field, value, this.path + " in body should be " + words + " " + text);
	}

	private void multiple(long value, long factor, Outcome outcome) {
		if (factor <= 0) {
			outcome.add(notPositive(Long.toString(factor)));
		}
		else if (value % factor != 0) {
			outcome.add(notMultiple(Long.toString(value), Long.toString(factor)));
		}
	}

	private void multiple(double value, double factor, Outcome outcome) {
		if (factor <= 0) {
			outcome.add(notPositive(GoText.number(factor)));
		}
		else if (!JsonTypes.isWhole((factor < 1) ? 1 / factor * value : value / factor)) {
			outcome.add(notMultiple(GoText.number(value), GoText.number(factor)));
		}
	}

	private FieldError notPositive(String factor) {
		return FieldError.shown(this.field, factor,
				"factor MultipleOf declared for " + this.path + " must be positive: " + factor);
	}

	private FieldError notMultiple(String value, String factor) {
		return FieldError.shown(this.field, value, this.path + " in body should be a multiple of " + factor);
	}

}
