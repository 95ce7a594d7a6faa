package dev.kubeinformer.spi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Checks the syntax of field selectors. A selector has requirements such as
 * {@code spec.nodeName=n1} with {@code =}, {@code ==} or {@code !=}, joined by commas. A
 * backslash escapes a comma, an equals sign or a backslash in a value. Rejects everything
 * that {@code fields.ParseSelector} of k8s.io/apimachinery rejects, and also requirements
 * without a field.
 */
public final class FieldSelectorSyntax {

	private static final Pattern REQUIREMENTS = Pattern.compile("(?:\\\\.|[^,])+");

	private static final Pattern REQUIREMENT = Pattern
		.compile("\\s*[^=!\\s]+\\s*(?:==|!=|=)(?:[^\\\\=]|\\\\[\\\\,=])*");

	private static final Pattern EXACT = Pattern.compile("([^=!]+)==?(.*)", Pattern.DOTALL);

	private FieldSelectorSyntax() {
	}

	/**
	 * Returns the value that a field must have so that an object can match a selector, as
	 * {@code RequiresExactMatch} of k8s.io/apimachinery does.
	 * @param text the selector
	 * @param field the field
	 * @return the value; {@code null} if the selector does not require exactly one value
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
	 * @param text the selector; a blank selector matches everything
	 * @throws IllegalArgumentException if the selector is not valid; the message quotes
	 * the invalid part
	 */
	public static void check(String text) {
		if (text.isBlank()) {
			return;
		}
		Matcher requirements = REQUIREMENTS.matcher(text);
		while (requirements.find()) {
			if (!REQUIREMENT.matcher(requirements.group()).matches()) {
				throw new IllegalArgumentException(
						("Invalid field selector '%s': '%s' is not of the form field=value or "
								+ "field!=value; put '\\' before '=', ',' and '\\' in a value")
							.formatted(text, requirements.group()));
			}
		}
	}

}
