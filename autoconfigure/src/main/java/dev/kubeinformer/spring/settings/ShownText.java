package dev.kubeinformer.spring.settings;

import java.util.PrimitiveIterator;

/**
 * Safe form of untrusted text for endpoint and health, such as names from an API server
 * or from a request. It is bounded, and characters that change the display in a terminal
 * or log are escaped, as in the log of the engine. Internal to the starter.
 */
public final class ShownText {

	private static final int LONGEST = 200;

	private ShownText() {
	}

	/**
	 * Returns the safe form of a text.
	 * @param text the text
	 * @return the text, with control and format characters, separators of lines and
	 * paragraphs and halves of surrogate pairs escaped as in Java; with an ellipsis at
	 * the end if it is longer than 200 characters
	 */
	public static String of(String text) {
		return of(text, LONGEST);
	}

	/**
	 * Returns the safe form of a text.
	 * @param text the text
	 * @param longest the number of characters of the safe form, at most
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
