package dev.kubeinformer.test.internal.schema;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Field that a schema rejects, in the words of k8s.io/apimachinery
 * (pkg/util/validation/field).
 *
 * @param field the path of the field, "&lt;nil&gt;" for the complete object
 * @param kind the kind of the failure
 * @param value the offending value as the message shows it, or {@code null} for none
 * @param detail the explanation, empty for none
 */
public record FieldError(String field, Kind kind, @Nullable String value, String detail) {

	/**
	 * Path of a failure that does not belong to a field.
	 */
	public static final String NO_FIELD = "<nil>";

	public static FieldError required(String field, String detail) {
		return new FieldError(named(field), Kind.REQUIRED, null, detail);
	}

	public static FieldError forbidden(String field, String detail) {
		return new FieldError(named(field), Kind.FORBIDDEN, null, detail);
	}

	public static FieldError invalid(String field, String value, String detail) {
		return new FieldError(named(field), Kind.INVALID, GoText.quoted(value), detail);
	}

	public static FieldError invalid(String field, @Nullable JsonNode value, String detail) {
		return new FieldError(named(field), Kind.INVALID, (value != null) ? GoText.of(value) : null, detail);
	}

	// Creates a failure whose message shows the value without quotes.
	static FieldError shown(String field, String value, String detail) {
		return new FieldError(named(field), Kind.INVALID, value, detail);
	}

	public static FieldError type(String field, String found, String detail) {
		return new FieldError(named(field), Kind.TYPE_INVALID, GoText.quoted(found), detail);
	}

	public static FieldError duplicate(String field, @Nullable JsonNode value) {
		return new FieldError(named(field), Kind.DUPLICATE, (value != null) ? GoText.of(value) : null, "");
	}

	public static FieldError tooLong(String field, long limit) {
		return new FieldError(named(field), Kind.TOO_LONG, null,
				"may not be more than " + limit + ((limit == 1) ? " byte" : " bytes"));
	}

	public static FieldError tooMany(String field, long actual, long limit) {
		return new FieldError(named(field), Kind.TOO_MANY, Long.toString(actual),
				"must have at most " + limit + ((limit == 1) ? " item" : " items"));
	}

	public static FieldError unsupported(String field, JsonNode value, List<String> supported) {
		return new FieldError(named(field), Kind.NOT_SUPPORTED, GoText.of(value),
				"supported values: " + supported.stream().map(GoText::quoted).collect(Collectors.joining(", ")));
	}

	private static String named(String field) {
		return (field.isEmpty()) ? NO_FIELD : field;
	}

	/**
	 * Returns the message, without the path of the field.
	 * @return the message, such as "Required value"
	 */
	public String message() {
		String text = (this.value != null) ? this.kind.text + ": " + this.value : this.kind.text;
		return (this.detail.isEmpty()) ? text : text + ": " + this.detail;
	}

	public String reason() {
		return this.kind.reason;
	}

	/**
	 * Returns whether this failure stops the evaluation of rules ({@code
	 * hasBlockingErr} in pkg/registry/customresource/strategy.go).
	 */
	boolean blocksRules() {
		return switch (this.kind) {
			case NOT_SUPPORTED, REQUIRED, TOO_LONG, TOO_MANY, TYPE_INVALID -> true;
			default -> false;
		};
	}

	@Override
	public String toString() {
		return this.field + ": " + message();
	}

	/**
	 * Kinds of failures.
	 */
	public enum Kind {

		/** A required field is missing. */
		REQUIRED("FieldValueRequired", "Required value"),

		/** A value is not valid. */
		INVALID("FieldValueInvalid", "Invalid value"),

		/** A value has another type. */
		TYPE_INVALID("FieldValueTypeInvalid", "Invalid value"),

		/** A value is not in the list of supported values. */
		NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),

		/** A text is too long. */
		TOO_LONG("FieldValueTooLong", "Too long"),

		/** A list or map has too many entries. */
		TOO_MANY("FieldValueTooMany", "Too many"),

		/** A list contains an item twice. */
		DUPLICATE("FieldValueDuplicate", "Duplicate value"),

		/** A field must not be set. */
		FORBIDDEN("FieldValueForbidden", "Forbidden");

		private final String reason;

		private final String text;

		Kind(String reason, String text) {
			this.reason = reason;
			this.text = text;
		}

	}

}
