package dev.kubeinformer.test.internal.schema;

/**
 * Checks numbers that contain a check digit, such as credit card numbers.
 */
final class CheckDigits {

	private static final String CARD = "4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}"
			+ "|27[01][0-9]|2720)[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}"
			+ "|(?:2131|1800|35\\d{3})\\d{11}|6[27][0-9]{14}";

	private CheckDigits() {
	}

	static boolean isIsbn10(String text) {
		String digits = text.replaceAll("[\\s-]+", "");
		if (!digits.matches("[0-9]{9}[X0-9]")) {
			return false;
		}
		int sum = 0;
		for (int i = 0; i < 9; i++) {
			sum += (i + 1) * (digits.charAt(i) - '0');
		}
		char last = digits.charAt(9);
		sum += 10 * ((last == 'X') ? 10 : last - '0');
		return sum % 11 == 0;
	}

	static boolean isIsbn13(String text) {
		String digits = text.replaceAll("[\\s-]+", "");
		if (!digits.matches("[0-9]{13}")) {
			return false;
		}
		int sum = 0;
		for (int i = 0; i < 12; i++) {
			sum += ((i % 2 == 0) ? 1 : 3) * (digits.charAt(i) - '0');
		}
		return (10 - sum % 10) % 10 == digits.charAt(12) - '0';
	}

	static boolean isCreditCard(String text) {
		String digits = text.replaceAll("[^0-9]+", "");
		if (!digits.matches(CARD)) {
			return false;
		}
		int sum = 0;
		boolean doubled = false;
		for (int i = digits.length() - 1; i >= 0; i--) {
			int digit = digits.charAt(i) - '0';
			int value = (doubled) ? 2 * digit : digit;
			sum += (value >= 10) ? value % 10 + 1 : value;
			doubled = !doubled;
		}
		return sum % 10 == 0;
	}

}
