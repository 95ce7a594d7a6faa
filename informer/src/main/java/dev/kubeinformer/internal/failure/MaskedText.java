package dev.kubeinformer.internal.failure;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes values of objects from messages of kube-apiserver. The start of a value shows
 * its format (k8s.io/apimachinery, {@code Error} in util/validation/field/errors.go): a
 * quoted string or, depending on the version, JSON or a Go literal. Pure functions.
 */
final class MaskedText {

	private static final String CUT = "…";

	/** Kinds of field errors whose message continues with the value of the field. */
	private static final List<String> VALUED = List.of("Invalid value", "Unsupported value", "Duplicate value",
			"Not found");

	private static final Pattern VALUE = Pattern.compile("(?:" + String.join("|", VALUED) + "): ");

	/** Beginning of a message: the kind of the object, before its name. */
	private static final Pattern KIND = Pattern.compile("[A-Z]\\w*(?:\\.[a-z0-9.-]+)? ");

	/** Part of a message after the name of the object. */
	private static final Pattern SAID = Pattern.compile("\" (?:is invalid|not found|is forbidden|already exists)\\b");

	/** Text before a quoted name, a quoted path or quoted text from the schema. */
	private static final Pattern NAMED = Pattern.compile("(?:webhook |unknown field |duplicate field |in version "
			+ "|Post |Get |[\\[,]\\w{1,64}=|supported values: (?:\"[^\"]*\", )*)$");

	private static final Pattern NUMBER = Pattern.compile("unmarshal number \\S+ into");

	private static final int LONGEST_CONTEXT = 200;

	private MaskedText() {
	}

	/**
	 * Returns the message of a field error without the value.
	 * @param message such as {@code Invalid value: "x": field is immutable}
	 * @return such as {@code Invalid value: field is immutable}
	 */
	static String ofFieldError(String message) {
		String line = firstLine(message);
		for (String kind : VALUED) {
			if (line.startsWith(kind + ": ")) {
				String detail = afterValue(line.substring(kind.length() + 2));
				// Mask the whole text with the kind before it, because the detail alone
				// does not begin like a message.
				return detail.isEmpty() ? kind : ofQuoted(kind + ": " + detail);
			}
		}
		return ofQuoted(line);
	}

	// The message for an immutable field continues with the lines of a diff.
	private static String firstLine(String message) {
		int end = message.indexOf('\n');
		return (end < 0) ? message : message.substring(0, end).strip();
	}

	private static String afterValue(String text) {
		int end = valueEnd(text, 0, false);
		if (isSentence(text.substring(0, end))) {
			return text;
		}
		return (end < text.length()) ? text.substring(end + 2) : "";
	}

	// Newer servers omit a value that is an object.
	private static boolean isSentence(String value) {
		return value.indexOf(' ') > 0 && value.chars().noneMatch((c) -> "\"{[(".indexOf(c) >= 0)
				&& !Character.isDigit(value.charAt(0));
	}

	/**
	 * Returns the end of a value: a colon and a blank outside quotes and brackets.
	 * @param text the text
	 * @param from the start of the value
	 * @param listed {@code true} if the value may end without a colon, because other
	 * errors follow: at a comma and a blank, at a line break, or at the closing bracket
	 * of a list of errors
	 * @return the index of the end; the length of the text if there is no end
	 */
	private static int valueEnd(String text, int from, boolean listed) {
		int depth = 0;
		for (int i = from; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '"') {
				i = quoteEnd(text, i);
			}
			else if (c == '{' || c == '[' || c == '(') {
				depth++;
			}
			else if (c == '}' || c == ']' || c == ')') {
				depth--;
			}
			else if (c == ':' && depth <= 0 && text.startsWith(": ", i)) {
				return i;
			}
			if (listed && (depth < 0 || (depth == 0 && (c == '\n' || text.startsWith(", ", i))))) {
				return i;
			}
		}
		return text.length();
	}

	private static int quoteEnd(String text, int from) {
		for (int i = from + 1; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '\\') {
				i++;
			}
			else if (c == '"') {
				return i;
			}
		}
		return text.length();
	}

	/**
	 * Returns a text without the values of field errors. Other quoted texts stay, because
	 * the author of the webhook or policy has decided to show them.
	 * @param text the message of a webhook or a policy
	 * @return the text
	 */
	static String ofFreeText(String text) {
		StringBuilder masked = new StringBuilder();
		Matcher matcher = VALUE.matcher(text);
		int at = 0;
		while (matcher.find(at)) {
			masked.append(text, at, matcher.end());
			int end = valueEnd(text, matcher.end(), true);
			if (isSentence(text.substring(matcher.end(), end))) {
				at = matcher.end();
			}
			else if (text.startsWith(": ", end)) {
				at = end + 2;
			}
			else {
				masked.append(CUT);
				at = end;
			}
		}
		return masked.append(text, at, text.length()).toString();
	}

	/**
	 * Returns a text without the parts in double quotes or braces. The name of the object
	 * at the start of the message, field names, keys of lists and values from the schema
	 * are kept.
	 * @param text the text
	 * @return the text
	 */
	static String ofQuoted(String text) {
		StringBuilder masked = new StringBuilder();
		int i = 0;
		while (i < text.length()) {
			char c = text.charAt(i);
			int end = i;
			if (c == '"') {
				end = quoteEnd(text, i);
				boolean shown = isNamed(masked) || isObject(text, i, end);
				masked.append(shown ? text.substring(i, Math.min(end + 1, text.length())) : "\"" + CUT + "\"");
			}
			else if (c == '{' || text.startsWith("map[", i)) {
				end = bracketsEnd(text, (c == '{') ? i : i + 3);
				masked.append((c == '{') ? "{" + CUT + "}" : "map[" + CUT + "]");
			}
			else {
				masked.append(c);
			}
			i = end + 1;
		}
		return NUMBER.matcher(masked).replaceAll("unmarshal number into");
	}

	private static boolean isObject(String text, int from, int end) {
		return KIND.matcher(text).region(0, from).matches()
				&& SAID.matcher(text).region(end, text.length()).lookingAt();
	}

	private static boolean isNamed(StringBuilder before) {
		return NAMED.matcher(before.substring(Math.max(0, before.length() - LONGEST_CONTEXT))).find();
	}

	private static int bracketsEnd(String text, int from) {
		int depth = 0;
		for (int i = from; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '"') {
				i = quoteEnd(text, i);
			}
			else if (c == '{' || c == '[') {
				depth++;
			}
			else if ((c == '}' || c == ']') && --depth == 0) {
				return i;
			}
		}
		return text.length();
	}

}
