package dev.kubeinformer.test.internal.builtin;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Computes the number that a quantity represents, such as 500 million for {@code 500M}
 * ({@code resource.Quantity} of k8s.io/apimachinery).
 */
final class QuantityValue {

	private static final Pattern SYNTAX = Pattern
		.compile("([+-]?[0-9]*(?:\\.[0-9]*)?)(?:([KMGTPE])i|([numkMGTPE]?)|[eE]([+-]?[0-9]{1,4}))");

	private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");

	private static final String BINARY = "KMGTPE";

	private QuantityValue() {
	}

	// Returns the number, or null if the text is not a quantity.
	static @Nullable BigDecimal parse(String text) {
		Matcher matcher = SYNTAX.matcher(text);
		if (!matcher.matches()) {
			return null;
		}
		if (text.isEmpty()) {
			return null;
		}
		// A quantity without digits is 0.
		String digits = matcher.group(1);
		BigDecimal number = (digits.chars().anyMatch(Character::isDigit)) ? new BigDecimal(digits) : BigDecimal.ZERO;
		if (matcher.group(2) != null) {
			return number.multiply(new BigDecimal(BigInteger.valueOf(1024).pow(BINARY.indexOf(matcher.group(2)) + 1)));
		}
		if (matcher.group(4) != null) {
			return number.scaleByPowerOfTen(Integer.parseInt(matcher.group(4)));
		}
		return number.scaleByPowerOfTen((DECIMAL.indexOf(matcher.group(3)) * 3) - 9);
	}

	static BigDecimal of(JsonNode value) {
		BigDecimal number = parse(value.asString(""));
		return (number != null) ? number : BigDecimal.ZERO;
	}

}
