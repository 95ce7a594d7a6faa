package dev.kubeinformer.spring.settings;

import java.util.PrimitiveIterator;

/**
 * Safe form of untrusted text for endpoint and health, such as names from an API server
 * or from a request. The text has a maximum length, and characters that change the
 * display of a terminal or a log are escaped. The informers log such text in the same
 * form. Internal to the starter.
 */
public final class ShownText {

	private static final int LONGEST = 200;

	private ShownText() {
	}

	/**
	 * Returns the safe form of a text. These characters are escaped as in Java: control
	 * and format characters, separators of lines and paragraphs, and single halves of
	 * surrogate pairs. A text of more than 200 characters is cut and ends with an
	 * ellipsis.
	 * @param text the text
	 * @return the escaped and shortened text
	 */
	public static String of(String text) {
		return of(text, LONGEST);
	}

	/**
	 * Returns the safe form of a text.
	 * @param text the text
	 * @param longest the maximum number of characters of the safe form
	 * @return the text, escaped and shortened as by {@link #of(String)}
	 */
	public static String of(String text, int longest) {
		StringBuilder shown = new StringBuilder();
		PrimitiveIterator.OfInt codePoints = text.codePoints().iterator();
		while (codePoints.hasNext()) {
			String next = shown(codePoints.nextInt());
			boolean last = !codePoints.hasNext();
			if (shown.length() + next.length() + (last ? 0 : 1) > longest) {
				return shown.append('\u2026').toString();
			}
			shown.append(next);
		}
		return shown.toString();
	}

	private static String shown(int codePoint) {
		return switch (Character.getType(codePoint)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				escaped(codePoint);
			default -> Character.toString(codePoint);
		};
	}

	private static String escaped(int codePoint) {
		StringBuilder escaped = new StringBuilder();
		for (char each : Character.toChars(codePoint)) {
			escaped.append("\\u%04X".formatted((int) each));
		}
		return escaped.toString();
	}

}
