package dev.kubeinformer.internal.text;

/**
 * Text from outside as it goes into log lines and messages: bounded, and on one line. A
 * name or a message may hold anything where an API server, or what poses as one, sends
 * it; a line feed in it would forge a line of the log, a bidirectional override would
 * change how the rest of the line reads.
 */
public final class PrintableText {

	/** Names of real objects are shorter, nearly all of them. */
	private static final int LENGTH = 200;

	private static final String CUT = "…";

	private PrintableText() {
	}

	/**
	 * Returns a text of at most 200 characters, for keys and names.
	 * @param text the text
	 * @return the text as it may be printed
	 */
	public static String of(String text) {
		return of(text, LENGTH);
	}

	/**
	 * Returns a text of at most so many characters. Control and format characters,
	 * separators of lines and paragraphs, and halves of surrogate pairs are escaped as in
	 * Java; what is too long ends with an ellipsis.
	 * @param text the text
	 * @param length the number of characters, above 0
	 * @return the text as it may be printed; the same instance if it may be as it is
	 */
	public static String of(String text, int length) {
		if (text.length() <= length && text.codePoints().allMatch(PrintableText::isPrintable)) {
			return text;
		}
		StringBuilder printable = new StringBuilder();
		// Where the text is cut if more comes than there is room for.
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
