package dev.kubeinformer.spi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Syntax of field selectors: requirements such as {@code spec.nodeName=n1} with
 * {@code =}, {@code ==} or {@code !=}, joined by commas; a backslash stands before a
 * comma, an equals sign or a backslash of a value. It refuses what
 * {@code fields.ParseSelector} of k8s.io/apimachinery refuses, and a requirement without
 * field.
 */
public final class FieldSelectorSyntax {

	private static final Pattern REQUIREMENTS = Pattern.compile("(?:\\\\.|[^,])+");

	private static final Pattern REQUIREMENT = Pattern
		.compile("\\s*[^=!\\s]+\\s*(?:==|!=|=)(?:[^\\\\=]|\\\\[\\\\,=])*");

	private static final Pattern EXACT = Pattern.compile("([^=!]+)==?(.*)", Pattern.DOTALL);

	private FieldSelectorSyntax() {
	}

	/**
	 * Returns the value that a selector requires a field to have, as
	 * {@code RequiresExactMatch} of k8s.io/apimachinery.
	 * @param text the selector
	 * @param field the field
	 * @return the value; {@code null} if any other will do
	 */
	public static @Nullable String exactValue(String text, String field) {
		Matcher requirements = REQUIREMENTS.matcher(text);
		while (requirements.find()) {
			Matcher exact = EXACT.matcher(requirements.group());
			if (exact.matches() && exact.group(1).equals(field)) {
				return exact.group(2).replaceAll("\\\\(.)", "$1");
			}
		}
		return null;
	}

	/**
	 * Checks a selector.
	 * @param text the selector; blank for one that everything matches
	 * @throws IllegalArgumentException if it is no selector; the message quotes the part
	 * that is none
	 */
	public static void check(String text) {
		if (text.isBlank()) {
			return;
		}
		Matcher requirements = REQUIREMENTS.matcher(text);
		while (requirements.find()) {
			if (!REQUIREMENT.matcher(requirements.group()).matches()) {
				throw new IllegalArgumentException(
						("Field selector '%s' cannot be read: '%s' is not of the form field=value or field!=value, "
								+ "where '\\' stands before '=', ',' and '\\' in the value")
							.formatted(text, requirements.group()));
			}
		}
	}

}
