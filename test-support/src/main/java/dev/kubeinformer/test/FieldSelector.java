package dev.kubeinformer.test;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The language of the {@code fieldSelector} parameter.
 */
final class FieldSelector {

	private static final Pattern TERM = Pattern.compile("([^=!]+)(!=|==|=)(.*)");

	private FieldSelector() {
	}

	/**
	 * Parse a selector.
	 * @param resource the resource, which knows only some fields
	 * @param text the selector, empty for everything
	 * @return the predicate
	 * @throws StatusException 400 if it cannot be understood
	 */
	static Predicate<StoredObject> parse(GroupResource resource, String text) {
		Predicate<StoredObject> all = (object) -> true;
		for (String term : text.split(",")) {
			if (!term.isBlank()) {
				all = all.and(term(resource, term.trim(), text));
			}
		}
		return all;
	}

	private static Predicate<StoredObject> term(GroupResource resource, String term, String text) {
		Matcher matcher = TERM.matcher(term);
		if (!matcher.matches()) {
			throw Statuses.badRequest("invalid selector: '" + text + "'; can't understand '" + term + "'");
		}
		String field = matcher.group(1).trim();
		String value = matcher.group(3).trim();
		if (!SelectableFields.of(resource).contains(field)) {
			throw Statuses.badRequest("field label not supported: " + field);
		}
		Predicate<StoredObject> equal = (object) -> value.equals(object.field(field));
		return ("!=".equals(matcher.group(2))) ? equal.negate() : equal;
	}

}
