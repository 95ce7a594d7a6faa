package dev.kubeinformer.internal.client.kubeconfig;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Finds the types and values of YAML scalars as kubectl does ({@code resolve.go} of
 * {@code go.yaml.in/yaml/v2}): as in YAML 1.1, but without numbers of base 60, and with
 * dates as texts.
 */
final class YamlScalar {

	/** Prefix of the tags that YAML itself defines. */
	private static final String PREFIX = "tag:yaml.org,2002:";

	private static final Map<String, Boolean> FLAGS = Map.ofEntries(Map.entry("y", true), Map.entry("Y", true),
			Map.entry("yes", true), Map.entry("Yes", true), Map.entry("YES", true), Map.entry("true", true),
			Map.entry("True", true), Map.entry("TRUE", true), Map.entry("on", true), Map.entry("On", true),
			Map.entry("ON", true), Map.entry("n", false), Map.entry("N", false), Map.entry("no", false),
			Map.entry("No", false), Map.entry("NO", false), Map.entry("false", false), Map.entry("False", false),
			Map.entry("FALSE", false), Map.entry("off", false), Map.entry("Off", false), Map.entry("OFF", false));

	private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

	private static final Pattern NOT_FINITE = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

	private static final Pattern FLOAT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

	private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*");

	private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);

	/** Largest integer: unsigned integers have 64 bits. */
	private static final BigInteger GREATEST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

	private YamlScalar() {
	}

	/**
	 * Finds the value of a scalar without quotes and without a tag.
	 * @param text the text of the scalar
	 * @return a text, flag, number or {@code null}
	 * @throws IllegalArgumentException if JSON cannot represent the number
	 */
	static @Nullable Object resolve(String text) {
		if (NULLS.contains(text)) {
			return null;
		}
		Boolean flag = FLAGS.get(text);
		if (flag != null) {
			return flag;
		}
		if (NOT_FINITE.matcher(text).matches()) {
			throw new IllegalArgumentException("holds a number that is not finite");
		}
		char first = text.charAt(0);
		boolean number = first == '+' || first == '-' || first == '.' || (first >= '0' && first <= '9');
		Number value = number ? number((first == '.') ? text : text.replace("_", "")) : null;
		return (value != null) ? value : text;
	}

	private static @Nullable Number number(String text) {
		BigInteger whole = whole(text);
		if (whole != null) {
			return (whole.bitLength() < Long.SIZE) ? (Number) whole.longValueExact() : whole;
		}
		if (!FLOAT.matcher(text).matches()) {
			return null;
		}
		double value = Double.parseDouble(text);
		// Go cannot parse a number that is too large, so the value stays a text.
		return Double.isFinite(value) ? value : null;
	}

	private static @Nullable BigInteger whole(String text) {
		boolean signed = text.startsWith("+") || text.startsWith("-");
		String digits = signed ? text.substring(1) : text;
		int radix = radix(digits);
		String rest = digits.substring((radix == 10) ? 0 : (radix == 8 && isOctal(digits)) ? 1 : 2);
		if (rest.isEmpty() || rest.chars().anyMatch((digit) -> digit > 'z' || Character.digit(digit, radix) < 0)) {
			return null;
		}
		BigInteger value = new BigInteger(rest, radix);
		BigInteger number = text.startsWith("-") ? value.negate() : value;
		boolean fits = number.compareTo(LEAST) >= 0
				&& ((signed) ? number.bitLength() < Long.SIZE : number.compareTo(GREATEST) <= 0);
		return fits ? number : null;
	}

	private static boolean isOctal(String digits) {
		return Character.isDigit(digits.charAt(1));
	}

	private static int radix(String digits) {
		if (digits.length() < 2 || digits.charAt(0) != '0') {
			return 10;
		}
		return switch (digits.charAt(1)) {
			case 'x', 'X' -> 16;
			case 'b', 'B' -> 2;
			default -> (isOctal(digits) || "oO".indexOf(digits.charAt(1)) >= 0) ? 8 : 10;
		};
	}

	/**
	 * Finds the value of a scalar with a tag.
	 * @param tag the tag in its long form
	 * @param text the text of the scalar
	 * @return a text, flag, number or {@code null}
	 * @throws IllegalArgumentException if the text does not match the tag
	 */
	static @Nullable Object resolve(String tag, String text) {
		if (!tag.startsWith(PREFIX)) {
			return text;
		}
		return switch (tag.substring(PREFIX.length())) {
			case "binary" -> new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8);
			case "timestamp" -> fitting(TIMESTAMP.matcher(text).matches(), text);
			case "int" -> {
				Object value = resolve(text);
				yield fitting(value instanceof Long || value instanceof BigInteger, value);
			}
			case "float" -> {
				Object value = resolve(text);
				yield (fitting(value instanceof Number, value) instanceof Number number) ? number.doubleValue() : value;
			}
			case "bool" -> {
				Object value = resolve(text);
				yield fitting(value instanceof Boolean, value);
			}
			case "null" -> fitting(resolve(text) == null, null);
			default -> text;
		};
	}

	private static @Nullable Object fitting(boolean fits, @Nullable Object value) {
		if (!fits) {
			throw new IllegalArgumentException("has a tag that does not match its value");
		}
		return value;
	}

}
