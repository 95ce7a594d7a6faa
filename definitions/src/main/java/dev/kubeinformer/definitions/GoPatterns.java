package dev.kubeinformer.definitions;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import org.jspecify.annotations.Nullable;

/**
 * Checks whether a regular expression has the same meaning in Java and in Go (RE2).
 * kube-apiserver compiles it in Go.
 */
final class GoPatterns {

	private static final String ESCAPES = "dDsSwWbBtnrfaAzx";

	private static final Pattern REPETITION = Pattern.compile("\\{(\\d+)(?:,(\\d*))?}");

	private final String regexp;

	private int index;

	private boolean inClass;

	private GoPatterns(String regexp) {
		this.regexp = regexp;
	}

	/**
	 * Returns the part of an expression that Go does not support.
	 * @param regexp the expression
	 * @return the part; {@code null} if Go supports all of it
	 * @throws PatternSyntaxException if Java does not support it either
	 */
	static @Nullable String unsupported(String regexp) {
		Pattern.compile(regexp);
		return new GoPatterns(regexp).scan();
	}

	private @Nullable String scan() {
		while (this.index < this.regexp.length()) {
			String problem = switch (this.regexp.charAt(this.index)) {
				case '\\' -> escape();
				case '[' -> open();
				case ']' -> close();
				case '&' -> (this.inClass && at("&&")) ? "&&" : step(1);
				case '(' -> this.inClass ? step(1) : group();
				case '*', '+', '?' -> this.inClass ? step(1) : quantifier(1);
				case '{' -> this.inClass ? step(1) : repetition();
				default -> step(1);
			};
			if (problem != null) {
				return problem;
			}
		}
		return null;
	}

	private @Nullable String step(int characters) {
		this.index += characters;
		return null;
	}

	private boolean at(String text) {
		return this.regexp.startsWith(text, this.index);
	}

	private @Nullable String escape() {
		char escaped = this.regexp.charAt(this.index + 1);
		if (escaped == 'Q') {
			int end = this.regexp.indexOf("\\E", this.index);
			return step(((end < 0) ? this.regexp.length() : end + 2) - this.index);
		}
		if (escaped == 'p' || escaped == 'P') {
			int end = at("\\" + escaped + "{") ? this.regexp.indexOf('}', this.index) + 1 : this.index + 3;
			String property = this.regexp.substring(this.index, end);
			// Go has the one and two letters of general categories, not Java's names.
			return (property.length() <= 6) ? step(property.length()) : property;
		}
		boolean known = !Character.isLetterOrDigit(escaped) || ESCAPES.indexOf(escaped) >= 0;
		return known ? step(2) : this.regexp.substring(this.index, this.index + 2);
	}

	private @Nullable String open() {
		if (this.inClass) {
			// A union in Java, a bracket in Go.
			return "[";
		}
		this.inClass = true;
		return step(at("[^") ? 2 : 1);
	}

	private @Nullable String close() {
		this.inClass = false;
		return step(1);
	}

	private @Nullable String group() {
		for (String construct : new String[] { "(?=", "(?!", "(?<=", "(?<!", "(?>" }) {
			if (at(construct)) {
				return construct;
			}
		}
		return step(at("(?") ? 2 : 1);
	}

	private @Nullable String quantifier(int length) {
		int next = this.index + length;
		if (next < this.regexp.length() && this.regexp.charAt(next) == '+') {
			return this.regexp.substring(this.index, next + 1);
		}
		return step(length + ((next < this.regexp.length() && this.regexp.charAt(next) == '?') ? 1 : 0));
	}

	private @Nullable String repetition() {
		Matcher matcher = REPETITION.matcher(this.regexp).region(this.index, this.regexp.length());
		if (!matcher.lookingAt()) {
			return step(1);
		}
		String most = (matcher.group(2) == null || matcher.group(2).isEmpty()) ? matcher.group(1) : matcher.group(2);
		return (most.length() > 4 || Integer.parseInt(most) > 1000) ? matcher.group()
				: quantifier(matcher.group().length());
	}

}
