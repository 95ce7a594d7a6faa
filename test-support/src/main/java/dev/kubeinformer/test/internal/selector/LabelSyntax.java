package dev.kubeinformer.test.internal.selector;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Rules of label keys and values, with the messages of Kubernetes for violations.
 */
final class LabelSyntax {

	private static final int LONGEST_NAME = 63;

	private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");

	private static final Pattern VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");

	private static final Pattern PREFIX = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private static final String NAME_RULE = "must consist of alphanumeric characters, '-', '_' or '.', and must start "
			+ "and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
			+ "validation is '" + NAME + "')";

	private static final String VALUE_RULE = "a valid label must be an empty string or consist of alphanumeric "
			+ "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
			+ "'my_value',  or '12345', regex used for validation is '" + VALUE + "')";

	private static final String PREFIX_RULE = "prefix part a lowercase RFC 1123 subdomain must consist of lower case "
			+ "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. "
			+ "'example.com', regex used for validation is '" + PREFIX + "')";

	private LabelSyntax() {
	}

	/**
	 * Returns the problem with a key.
	 * @param key the key
	 * @return the message, or {@code null} if the key is valid
	 */
	static @Nullable String wrongKey(String key) {
		String[] parts = key.split("/", -1);
		if (parts.length > 2) {
			return "a valid label key " + NAME_RULE
					+ " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
		}
		if (parts.length == 2 && parts[0].isEmpty()) {
			return "prefix part must be non-empty";
		}
		if (parts.length == 2 && !PREFIX.matcher(parts[0]).matches()) {
			return PREFIX_RULE;
		}
		String name = parts[parts.length - 1];
		if (name.isEmpty()) {
			return "name part must be non-empty";
		}
		if (name.length() > LONGEST_NAME) {
			return "name part must be no more than 63 bytes";
		}
		return (NAME.matcher(name).matches()) ? null : "name part " + NAME_RULE;
	}

	/**
	 * Returns the problem with a value.
	 * @param value the value
	 * @return the message, or {@code null} if the value is valid
	 */
	static @Nullable String wrongValue(String value) {
		if (value.length() > LONGEST_NAME) {
			return "must be no more than 63 bytes";
		}
		return (VALUE.matcher(value).matches()) ? null : VALUE_RULE;
	}

}
