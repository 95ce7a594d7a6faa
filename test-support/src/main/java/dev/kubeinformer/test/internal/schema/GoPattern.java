package dev.kubeinformer.test.internal.schema;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Regular expressions of Go (RE2) as patterns of Java.
 */
final class GoPattern {

	// Constructs that Java supports and Go rejects.
	private static final List<String> LOOKS = List.of("(?=", "(?!", "(?<=", "(?<!", "(?>");

	private GoPattern() {
	}

	/**
	 * Compiles an expression.
	 * @param expression the expression in the syntax of Go
	 * @return the pattern, which matches the same texts as Go's {@code MatchString}
	 * @throws PatternSyntaxException if the expression is not valid
	 */
	static Pattern compile(String expression) {
		return Pattern.compile(translated(expression));
	}

	/**
	 * Explains why an expression is not valid, in the words of Go where they are known.
	 * @param expression the expression
	 * @param exception the failure
	 * @return the explanation
	 */
	static String explain(String expression, PatternSyntaxException exception) {
		String why = String.valueOf(exception.getDescription());
		String words = why;
		if (why.startsWith("Unclosed character class")) {
			words = "missing closing ]: `" + expression.substring(Math.max(0, expression.lastIndexOf('['))) + "`";
		}
		else if (why.startsWith("Unclosed group")) {
			words = "missing closing ): `" + expression + "`";
		}
		else if (why.startsWith("Unmatched closing ')'")) {
			words = "unexpected ): `" + expression + "`";
		}
		else if (why.startsWith("Dangling meta character")) {
			words = "missing argument to repetition operator: `" + why.replaceAll(".*'(.)'.*", "$1") + "`";
		}
		return "error parsing regexp: " + words;
	}

	private static String translated(String expression) {
		StringBuilder java = new StringBuilder(expression.length() + 8);
		boolean multiline = expression.contains("(?m");
		int classDepth = 0;
		for (int i = 0; i < expression.length(); i++) {
			int at = i;
			char character = expression.charAt(i);
			if (character == '\\' && i + 1 < expression.length()) {
				if (Character.isDigit(expression.charAt(i + 1)) && expression.charAt(i + 1) != '0') {
					throw new PatternSyntaxException(
							"invalid escape sequence: `" + expression.substring(i, i + 2) + "`", expression, i);
				}
				java.append(character).append(expression.charAt(++i));
			}
			else if (classDepth > 0) {
				int end = posixEnd(expression, i);
				if (end > 0) {
					java.append(posix(expression.substring(i + 2, end)));
					i = end + 1;
				}
				else if (character == ']') {
					classDepth--;
					java.append(character);
				}
				else if (character == '[' || character == '&') {
					// Escape the character: Java would begin a nested class, or intersect
					// two classes.
					java.append('\\').append(character);
				}
				else {
					java.append(character);
				}
			}
			else if (character == '[') {
				classDepth++;
				java.append(character);
				i = copyFirst(expression, i, java);
			}
			else if (character == '$' && !multiline) {
				// In Java, '$' would also match before a line break at the end.
				java.append("\\z");
			}
			else if (LOOKS.stream().anyMatch((look) -> expression.startsWith(look, at))) {
				throw new PatternSyntaxException(
						"invalid or unsupported Perl syntax: `" + expression.substring(i, i + 3) + "`", expression, i);
			}
			else if (expression.startsWith("(?P<", i)) {
				java.append("(?<");
				i += 3;
			}
			else {
				java.append(character);
			}
		}
		return java.toString();
	}

	// Copies a bracket at the start of a class, where it is a member of the class.
	private static int copyFirst(String expression, int open, StringBuilder java) {
		int next = open + 1;
		if (next < expression.length() && expression.charAt(next) == '^') {
			java.append('^');
			next++;
		}
		if (next < expression.length() && expression.charAt(next) == ']') {
			java.append("\\]");
			next++;
		}
		return next - 1;
	}

	private static int posixEnd(String expression, int at) {
		return expression.startsWith("[:", at) ? expression.indexOf(":]", at) : -1;
	}

	private static String posix(String name) {
		boolean negated = name.startsWith("^");
		String plain = negated ? name.substring(1) : name;
		String java = switch (plain) {
			case "alnum" -> "Alnum";
			case "alpha" -> "Alpha";
			case "ascii" -> "ASCII";
			case "blank" -> "Blank";
			case "cntrl" -> "Cntrl";
			case "digit" -> "Digit";
			case "graph" -> "Graph";
			case "lower" -> "Lower";
			case "print" -> "Print";
			case "punct" -> "Punct";
			case "space" -> "Space";
			case "upper" -> "Upper";
			case "xdigit" -> "XDigit";
			default -> "Alnum}_\\p{Digit";
		};
		return (negated ? "\\P{" : "\\p{") + java + "}";
	}

}
