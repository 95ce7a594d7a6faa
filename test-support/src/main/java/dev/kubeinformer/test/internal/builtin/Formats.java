package dev.kubeinformer.test.internal.builtin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Formats of texts, such as DNS names and keys of labels. The methods return the reasons
 * why a text does not have a format, in the words of apimachinery (util/validation); the
 * list is empty if the text is valid.
 */
public final class Formats {

	private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

	private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";

	private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

	private static final String PARTS = "must consist of alphanumeric characters, '-', '_' or '.', and must start and "
			+ "end with an alphanumeric character";

	private static final Format DNS_LABEL = Format.of(63, LABEL,
			"a lowercase RFC 1123 label must consist of lower "
					+ "case alphanumeric characters or '-', and must start and end with an alphanumeric character",
			"my-name", "123-abc");

	private static final Format DNS_SUBDOMAIN = Format.of(253, SUBDOMAIN,
			"a lowercase RFC 1123 subdomain must consist "
					+ "of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
					+ "character",
			"example.com");

	private static final Format WILDCARD = Format.of(253, "\\*\\." + SUBDOMAIN, "a wildcard DNS-1123 subdomain must "
			+ "start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric "
			+ "characters, '-' or '.' and end with an alphanumeric character", "*.example.com");

	private static final Format LABEL_KEY = Format.of(63, KEY, PARTS, "MyName", "my.name", "123-abc");

	private static final Format LABEL_VALUE = Format.of(63, "(" + KEY + ")?",
			"a valid label must be an empty string or consist of " + PARTS.substring("must consist of ".length()),
			"MyValue", "my_value", "12345");

	private static final Format CONFIG_KEY = Format.of(253, "[-._a-zA-Z0-9]+",
			"a valid config key must consist of alphanumeric characters, '-', '_' or '.'", "key.name", "KEY_NAME",
			"key-name");

	private static final Format HEADER = Format.of(Integer.MAX_VALUE, "[-A-Za-z0-9]+",
			"a valid HTTP header must consist of alphanumeric characters or '-'", "X-Header-Name");

	private static final Format PERCENT = Format.of(Integer.MAX_VALUE, "[0-9]+%",
			"a valid percent string must be a numeric string followed by an ending '%'", "1%", "93%");

	private static final Pattern PORT_NAME = Pattern.compile("[-a-z0-9]+");

	private static final Pattern LETTER = Pattern.compile(".*[a-z].*");

	private Formats() {
	}

	static List<String> dnsLabel(String text) {
		if (text.contains(".") && DNS_SUBDOMAIN.matches(text)) {
			List<String> wrong = new ArrayList<>();
			if (text.length() > 63) {
				wrong.add(tooLong(63));
			}
			wrong.add("must not contain dots");
			return wrong;
		}
		return DNS_LABEL.check(text);
	}

	static List<String> dnsSubdomain(String text) {
		return DNS_SUBDOMAIN.check(text);
	}

	static List<String> wildcard(String text) {
		return WILDCARD.check(text);
	}

	static List<String> labelValue(String text) {
		return LABEL_VALUE.check(text);
	}

	static List<String> headerName(String text) {
		return HEADER.check(text);
	}

	static List<String> percent(String text) {
		return PERCENT.check(text);
	}

	static List<String> labelKey(String text) {
		String[] parts = text.split("/", -1);
		if (parts.length > 2) {
			return List.of("a valid label key " + LABEL_KEY.message()
					+ " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
		}
		List<String> wrong = new ArrayList<>();
		if (parts.length == 2) {
			if (parts[0].isEmpty()) {
				wrong.add("prefix part must be non-empty");
			}
			else {
				dnsSubdomain(parts[0]).forEach((reason) -> wrong.add("prefix part " + reason));
			}
		}
		String name = parts[parts.length - 1];
		if (name.isEmpty()) {
			wrong.add("name part must be non-empty");
		}
		LABEL_KEY.check(name).forEach((reason) -> wrong.add("name part " + reason));
		return wrong;
	}

	// Annotations may have upper-case letters in their prefix.
	static List<String> annotationKey(String text) {
		return labelKey(text.toLowerCase(Locale.ROOT));
	}

	static List<String> configKey(String text) {
		List<String> wrong = new ArrayList<>(CONFIG_KEY.check(text));
		if (".".equals(text)) {
			wrong.add("must not be '.'");
		}
		else if ("..".equals(text)) {
			wrong.add("must not be '..'");
		}
		else if (text.startsWith("..")) {
			wrong.add("must not start with '..'");
		}
		return wrong;
	}

	static List<String> environmentName(String text) {
		if (text.chars().anyMatch((letter) -> letter < ' ' || letter > '~' || letter == '=')) {
			return List.of("a valid environment variable name must consist only of printable ASCII characters other "
					+ "than '='");
		}
		return List.of();
	}

	static List<String> portName(String text) {
		List<String> wrong = new ArrayList<>();
		if (text.length() > 15) {
			wrong.add(tooLong(15));
		}
		if (!PORT_NAME.matcher(text).matches()) {
			wrong.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
		}
		if (!LETTER.matcher(text).matches()) {
			wrong.add("must contain at least one letter (a-z)");
		}
		if (text.contains("--")) {
			wrong.add("must not contain consecutive hyphens");
		}
		if (text.startsWith("-") || text.endsWith("-")) {
			wrong.add("must not begin or end with a hyphen");
		}
		return wrong;
	}

	static List<String> pathSegment(String text) {
		if (".".equals(text) || "..".equals(text)) {
			return List.of("may not be '" + text + "'");
		}
		List<String> wrong = new ArrayList<>();
		for (String letter : List.of("/", "%")) {
			if (text.contains(letter)) {
				wrong.add("may not contain '" + letter + "'");
			}
		}
		return wrong;
	}

	// Checks a prefix of names, which may end with a dash.
	static List<String> prefix(String text, Function<String, List<String>> format) {
		boolean dash = text.length() > 1 && text.endsWith("-");
		return format.apply((dash) ? text.substring(0, text.length() - 2) + "a" : text);
	}

	static String tooLong(int limit) {
		return "must be no more than " + limit + " characters";
	}

	// As in apimachinery, an empty value equals an absent value.
	static boolean same(JsonNode one, JsonNode other) {
		if (isAbsent(one) || isAbsent(other)) {
			return isAbsent(one) && isAbsent(other);
		}
		return one.equals(other);
	}

	private static boolean isAbsent(JsonNode node) {
		return node.isMissingNode() || node.isNull() || (node.isContainer() && node.isEmpty())
				|| (node.isString() && node.asString().isEmpty());
	}

	static JsonNode without(JsonNode node, String... fields) {
		return (node instanceof ObjectNode object) ? object.deepCopy().without(List.of(fields)) : node;
	}

	/**
	 * Format of a text.
	 *
	 * @param limit the maximum number of characters
	 * @param pattern the pattern of the text
	 * @param message the message for a text that does not match
	 */
	private record Format(int limit, Pattern pattern, String message) {

		static Format of(int limit, String pattern, String message, String... examples) {
			return new Format(limit, Pattern.compile(pattern), message + " (e.g. '" + String.join("',  or '", examples)
					+ "', regex used for validation is '" + pattern + "')");
		}

		boolean matches(String text) {
			return this.pattern.matcher(text).matches();
		}

		List<String> check(String text) {
			boolean fits = text.length() <= this.limit;
			boolean matches = matches(text);
			if (fits && matches) {
				return List.of();
			}
			List<String> wrong = new ArrayList<>();
			if (!fits) {
				wrong.add(tooLong(this.limit));
			}
			if (!matches) {
				wrong.add(this.message);
			}
			return wrong;
		}

	}

}
