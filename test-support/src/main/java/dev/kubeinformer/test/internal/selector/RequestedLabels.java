package dev.kubeinformer.test.internal.selector;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Parses the parameter {@code labelSelector}: conditions with {@code =}, {@code ==},
 * {@code !=}, {@code in}, {@code notin}, {@code >} and {@code <}, and conditions that a
 * label exists or does not. Commas separate them. Accepts and rejects the same texts as
 * the parser of Kubernetes, with the same messages.
 */
final class RequestedLabels {

	private static final Pattern TOKEN = Pattern.compile("\\s*(!=|==|[=!,()<>]|[^\\s=!,()<>]+)\\s*");

	private static final Set<String> SIGNS = Set.of("", ",", "(", ")", "=", "==", "!=", "!", "<", ">");

	private static final String UNPARSABLE = "unable to parse requirement: ";

	private final List<String> tokens;

	private int next;

	private RequestedLabels(List<String> tokens) {
		this.tokens = tokens;
	}

	/**
	 * Parses a selector.
	 * @param text the selector, empty for everything
	 * @return the predicate
	 * @throws RequestFailure 400 if the text is not a selector
	 */
	static Predicate<PersistedObject> parse(String text) {
		Matcher matcher = TOKEN.matcher(text);
		List<String> tokens = matcher.results().map((token) -> token.group(1)).toList();
		return new RequestedLabels(tokens).requirements();
	}

	private Predicate<PersistedObject> requirements() {
		Predicate<PersistedObject> all = (object) -> true;
		while (!atEnd()) {
			if (!isWord(peek()) && !"!".equals(peek())) {
				throw found("!, identifier, or 'end of string'");
			}
			all = all.and(requirement());
			if (!atEnd()) {
				separator();
			}
		}
		return all;
	}

	private void separator() {
		if (!",".equals(peek())) {
			throw found("',' or 'end of string'");
		}
		take();
		if (!isWord(peek()) && !"!".equals(peek())) {
			throw found("identifier after ','");
		}
	}

	private Predicate<PersistedObject> requirement() {
		if ("!".equals(peek())) {
			take();
			return exists(key()).negate();
		}
		String key = key();
		if (atEnd() || ",".equals(peek())) {
			return exists(key);
		}
		String operator = take();
		return switch (operator) {
			case "=", "==" -> oneOf(key, Set.of(value(key)));
			case "!=" -> oneOf(key, Set.of(value(key))).negate();
			case "in" -> oneOf(key, values(key));
			case "notin" -> oneOf(key, values(key)).negate();
			case ">" -> {
				long bound = number();
				yield compared(key, (number) -> number > bound);
			}
			case "<" -> {
				long bound = number();
				yield compared(key, (number) -> number < bound);
			}
			default -> {
				this.next--;
				throw misunderstood("in, notin, =, ==, !=, gt, lt");
			}
		};
	}

	private static Predicate<PersistedObject> exists(String key) {
		return (object) -> object.labels().containsKey(key);
	}

	private static Predicate<PersistedObject> oneOf(String key, Set<String> values) {
		return (object) -> {
			String value = object.labels().get(key);
			return value != null && values.contains(value);
		};
	}

	private static Predicate<PersistedObject> compared(String key, LongPredicate comparison) {
		return (object) -> {
			Long number = parse(object.labels(), key);
			return number != null && comparison.test(number);
		};
	}

	private static @Nullable Long parse(Map<String, String> labels, String key) {
		try {
			return Long.valueOf(labels.getOrDefault(key, ""));
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	private String key() {
		String key = identifier();
		String wrong = LabelSyntax.wrongKey(key);
		if (wrong != null) {
			throw invalid("<nil>", key, wrong);
		}
		return key;
	}

	private Set<String> values(String key) {
		if (!"(".equals(peek())) {
			throw Statuses.badRequest(UNPARSABLE + "found '" + peek() + "' expected: '('");
		}
		take();
		Set<String> values = new TreeSet<>();
		if (!isWord(peek()) && !Set.of(",", ")").contains(peek())) {
			throw misunderstood("',', ')' or identifier");
		}
		if (!")".equals(peek())) {
			values.add(element());
			while (",".equals(peek())) {
				take();
				values.add(element());
			}
		}
		if (!")".equals(peek())) {
			throw misunderstood("',' or ')'");
		}
		take();
		int index = 0;
		for (String value : values) {
			check(key, value, index++);
		}
		return values;
	}

	// Reads an element of a set, which may be empty.
	private String element() {
		return (Set.of(",", ")").contains(peek())) ? "" : identifier();
	}

	private String value(String key) {
		String value = word();
		check(key, value, 0);
		return value;
	}

	private long number() {
		String value = word();
		try {
			return Long.parseLong(value);
		}
		catch (NumberFormatException ex) {
			throw invalid("values[0]", value, "for 'Gt', 'Lt' operators, the value must be an integer");
		}
	}

	// Reads the text after an operator, which may be empty.
	private String word() {
		return (atEnd() || ",".equals(peek())) ? "" : identifier();
	}

	private static void check(String key, String value, int index) {
		String wrong = LabelSyntax.wrongValue(value);
		if (wrong != null) {
			throw invalid("values[" + index + "][" + key + "]", value, wrong);
		}
	}

	private String identifier() {
		if (!isWord(peek())) {
			throw misunderstood("identifier");
		}
		return take();
	}

	private static boolean isWord(String token) {
		return !SIGNS.contains(token);
	}

	private boolean atEnd() {
		return this.next >= this.tokens.size();
	}

	private String peek() {
		return (atEnd()) ? "" : this.tokens.get(this.next);
	}

	private String take() {
		return this.tokens.get(this.next++);
	}

	private static RequestFailure invalid(String field, String value, String why) {
		return Statuses.badRequest(UNPARSABLE + field + ": Invalid value: \"" + value + "\": " + why);
	}

	private RequestFailure misunderstood(String expected) {
		return Statuses.badRequest(UNPARSABLE + "found '" + peek() + "', expected: " + expected);
	}

	private RequestFailure found(String expected) {
		return Statuses.badRequest("found '" + peek() + "', expected: " + expected);
	}

}
