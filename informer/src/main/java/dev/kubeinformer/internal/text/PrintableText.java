package dev.kubeinformer.internal.text;

/**
 * Converts untrusted text into one line of limited length, for log lines and messages. A
 * name or message from an API server, or from a process that pretends to be one, may
 * contain any characters. For example, a line feed would forge a log line, and a
 * bidirectional override would change how the rest of the line is displayed.
 */
public final class PrintableText {

	/**
	 * Maximum length for keys and names; nearly all names of real objects are shorter.
	 */
	private static final int LENGTH = 200;

	private static final String CUT = "…";

	private PrintableText() {
	}

	/**
	 * Returns a text of at most 200 characters, for keys and names.
	 * @param text the text
	 * @return the printable text
	 */
	public static String of(String text) {
		return of(text, LENGTH);
	}

	/**
	 * Returns a text of at most the given length. Control and format characters,
	 * separators of lines and paragraphs, and halves of surrogate pairs are escaped as in
	 * Java; a text that is too long ends with an ellipsis.
	 * @param text the text
	 * @param length the number of characters, above 0
	 * @return the printable text; the same instance if it needs no change
	 */
	public static String of(String text, int length) {
		if (text.length() <= length && (isPlain(text) || text.codePoints().allMatch(PrintableText::isPrintable))) {
			return text;
		}
		StringBuilder printable = new StringBuilder();
		// End of the text if it must be cut.
		int end = 0;
		for (int i = 0; i < text.length();) {
			int codePoint = text.codePointAt(i);
			append(printable, codePoint);
			if (printable.length() > length) {
				printable.setLength(end);
				return printable.append(CUT).toString();
			}
			if (printable.length() <= length - CUT.length()) {
				end = printable.length();
			}
			i += Character.charCount(codePoint);
		}
		return printable.toString();
	}

	// Most texts are names of objects, which need no change. The logging context has one
	// for each delivery.
	private static boolean isPlain(String text) {
		for (int i = 0; i < text.length(); i++) {
			char each = text.charAt(i);
			if (each < ' ' || each > '~') {
				return false;
			}
		}
		return true;
	}

	private static boolean isPrintable(int codePoint) {
		return switch (Character.getType(codePoint)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				false;
			default -> true;
		};
	}

	private static void append(StringBuilder printable, int codePoint) {
		switch (codePoint) {
			case '\n' -> printable.append("\\n");
			case '\r' -> printable.append("\\r");
			case '\t' -> printable.append("\\t");
			default -> {
				if (isPrintable(codePoint)) {
					printable.appendCodePoint(codePoint);
				}
				else {
					for (char each : Character.toChars(codePoint)) {
						printable.append("\\u%04X".formatted((int) each));
					}
				}
			}
		}
	}

}
