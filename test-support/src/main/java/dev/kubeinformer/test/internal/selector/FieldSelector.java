package dev.kubeinformer.test.internal.selector;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.SelectableFields;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Parses the parameter {@code fieldSelector}: conditions with {@code =}, {@code ==} and
 * {@code !=}, separated by commas. In values, commas, equals signs and backslashes are
 * escaped with a backslash.
 */
final class FieldSelector {

	private static final Pattern TERMS = Pattern.compile("(?:\\\\.|[^,\\\\])+");

	private static final Pattern TERM = Pattern.compile("([^=!]*)(!=|==|=)(.*)");

	private static final Pattern ESCAPED = Pattern.compile("\\\\([\\\\,=])|([\\\\,=])");

	private FieldSelector() {
	}

	/**
	 * Parses a selector.
	 * @param type the resource, which determines the fields that a selector may use
	 * @param text the selector, empty for everything
	 * @return the predicate
	 * @throws RequestFailure 400 if the text is not a valid selector
	 */
	static Predicate<PersistedObject> parse(ResourceDefinition type, String text) {
		return TERMS.matcher(text)
			.results()
			.map((term) -> term(type, term.group(), text))
			.reduce((object) -> true, Predicate::and);
	}

	private static Predicate<PersistedObject> term(ResourceDefinition type, String term, String text) {
		Matcher matcher = TERM.matcher(term);
		if (!matcher.matches()) {
			throw Statuses.badRequest("invalid selector: '" + text + "'; can't understand '" + term + "'");
		}
		String field = matcher.group(1);
		String value = unescaped(matcher.group(3));
		SelectableFields fields = SelectableFields.of(type.resource());
		if (!fields.contains(field)) {
			throw Statuses.badRequest(fields.unknown(type, field));
		}
		String absent = fields.whenAbsent(field);
		Predicate<PersistedObject> equal = (object) -> {
			String actual = object.field(field);
			return value.equals((actual.isEmpty()) ? absent : actual);
		};
		return ("!=".equals(matcher.group(2))) ? equal.negate() : equal;
	}

	private static String unescaped(String value) {
		return ESCAPED.matcher(value).replaceAll((match) -> {
			if (match.group(1) == null) {
				throw Statuses.badRequest(
						"invalid field selector: unescaped character in value: " + (int) match.group().charAt(0));
			}
			return Matcher.quoteReplacement(match.group(1));
		});
	}

}
