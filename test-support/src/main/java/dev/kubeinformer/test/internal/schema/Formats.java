package dev.kubeinformer.test.internal.schema;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Formats of texts that kube-apiserver checks (pkg/apiserver/validation/formats.go of
 * k8s.io/apiextensions-apiserver, pkg/validation/strfmt of k8s.io/kube-openapi). Other
 * formats are ignored.
 */
final class Formats {

	private static final String SHORT_NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

	private static final Pattern TIME = Pattern
		.compile("([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))");

	private static final Pattern DURATION_PART = Pattern.compile("(\\d+)\\s*([A-Za-zµ]+)");

	private static final Pattern GO_DURATION = Pattern
		.compile("[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)");

	private static final List<String> UNITS = List.of("ns", "nano*", "us", "µs", "micro*", "ms", "milli*", "s", "sec*",
			"m", "min*", "h", "hr", "hour*", "d", "day*", "w", "wk", "week*");

	private static final Map<String, Predicate<String>> CHECKS = Map.ofEntries(
			matching("bsonobjectid", "[0-9a-fA-F]{24}"), Map.entry("uri", Formats::isUri),
			matching("email",
					"(?s)([^<>]*<)?\\s*[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+\\s*>?"),
			Map.entry("hostname", Formats::isHostname),
			Map.entry("ipv4", (text) -> Addresses.isAddress(text, true) && text.contains(".")),
			Map.entry("ipv6", (text) -> Addresses.isAddress(text, false) && text.contains(":")),
			Map.entry("cidr", Addresses::isCidr),
			matching("mac",
					"(?i)[0-9a-f]{2}(([:-])[0-9a-f]{2})(\\2[0-9a-f]{2}){4}((\\2[0-9a-f]{2}){2}((\\2[0-9a-f]{2}){12})?)?"
							+ "|[0-9a-f]{4}(\\.[0-9a-f]{4}){2}(\\.[0-9a-f]{4}((\\.[0-9a-f]{4}){6})?)?"),
			matching("uuid", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"),
			matching("uuid3", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}"),
			matching("uuid4", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}"),
			matching("uuid5", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}"),
			Map.entry("isbn", (text) -> CheckDigits.isIsbn10(text) || CheckDigits.isIsbn13(text)),
			Map.entry("isbn10", CheckDigits::isIsbn10), Map.entry("isbn13", CheckDigits::isIsbn13),
			Map.entry("creditcard", CheckDigits::isCreditCard), matching("ssn", "\\d{3}[- ]?\\d{2}[- ]?\\d{4}"),
			matching("hexcolor", "#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"), matching("rgbcolor", rgb()),
			matching("byte", "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"),
			Map.entry("password", (text) -> true), Map.entry("date", Formats::isDate),
			Map.entry("duration", Formats::isDuration), Map.entry("datetime", Formats::isDateTime),
			Map.entry("k8sshortname", (text) -> text.length() <= 63 && text.matches(SHORT_NAME)),
			Map.entry("k8slongname",
					(text) -> text.length() <= 253 && text.matches(SHORT_NAME + "(\\." + SHORT_NAME + ")*")));

	private Formats() {
	}

	private static Map.Entry<String, Predicate<String>> matching(String name, String expression) {
		Pattern pattern = Pattern.compile(expression);
		return Map.entry(name, (text) -> pattern.matcher(text).matches());
	}

	private static String rgb() {
		String part = "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
		return "rgb\\(" + part + "," + part + "," + part + "\\)";
	}

	/**
	 * Returns the format that is checked for a type.
	 * @param types the types of the schema
	 * @param format the format of the schema
	 * @return the format, empty if the server ignores it
	 */
	static String known(List<String> types, String format) {
		String type = (types.size() == 1) ? types.get(0) : "";
		boolean known = switch (type) {
			case "", "string" -> CHECKS.containsKey(normalized(format));
			case "integer" -> "int32".equals(format) || "int64".equals(format);
			case "number" -> "float".equals(format) || "double".equals(format);
			default -> false;
		};
		return (known) ? format : "";
	}

	private static String normalized(String format) {
		return format.replace("-", "");
	}

	static boolean isRegistered(String format) {
		return CHECKS.containsKey(normalized(format));
	}

	static boolean matches(String format, String text) {
		Predicate<String> check = CHECKS.get(normalized(format));
		return check == null || check.test(text);
	}

	private static boolean isUri(String text) {
		if (text.isEmpty() || text.chars().anyMatch((character) -> character < ' ' || character == 0x7f)) {
			return false;
		}
		if (text.matches("(?s).*%(?![0-9A-Fa-f]{2}).*") && !text.matches("(?s)[^%]*\\?.*")) {
			return false;
		}
		if (text.startsWith("/")) {
			return true;
		}
		Matcher absolute = Pattern.compile("(?s)[A-Za-z][A-Za-z0-9+.-]*:(.*)").matcher(text);
		if (!absolute.matches()) {
			return "*".equals(text);
		}
		return !absolute.group(1).startsWith("//") || absolute.group(1)
			.matches("(?s)//([^/?@]*@)?(\\[[0-9A-Fa-f:.%]+]|[^ /?\\[\\]<>\"\\\\^`{|}:]*)(:\\d*)?([/?].*)?");
	}

	private static boolean isHostname(String text) {
		String letter = "[a-zA-Z0-9\\p{S}\\p{L}]";
		boolean name = text.matches(letter + "((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|(" + letter
				+ "(([a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}" + letter + ")?)(\\.))+([a-zA-Z\\p{L}]){2,63}");
		return name && text.length() <= 255
				&& Pattern.compile("\\.").splitAsStream(text).allMatch((label) -> label.length() <= 63);
	}

	private static boolean isDate(String text) {
		try {
			return text.matches("\\d{4}-\\d{2}-\\d{2}") && LocalDate.parse(text) != null;
		}
		catch (DateTimeException ex) {
			return false;
		}
	}

	private static boolean isDateTime(String text) {
		String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
		if (text.length() < 4 || parts.length < 2 || !isDate(parts[0])) {
			return false;
		}
		Matcher time = TIME.matcher(parts[1]);
		return time.matches() && time.group(1).compareTo("23") <= 0 && time.group(2).compareTo("59") <= 0
				&& time.group(3).compareTo("59") <= 0;
	}

	// Also accepts a Scala duration, such as "3 days".
	private static boolean isDuration(String text) {
		if (GO_DURATION.matcher(text).matches()) {
			return true;
		}
		return DURATION_PART.matcher(text)
			.results()
			.map((part) -> part.group(2).toLowerCase(Locale.ROOT))
			.anyMatch((unit) -> UNITS.stream()
				.anyMatch((known) -> (known.endsWith("*")) ? unit.startsWith(known.substring(0, known.length() - 1))
						: unit.equals(known)));
	}

}
