package dev.kubeinformer.test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The language of the {@code labelSelector} parameter: {@code =}, {@code ==}, {@code !=},
 * {@code in}, {@code notin}, existence and its negation, joined by commas.
 */
final class LabelSelector {

	private static final Pattern TOKEN = Pattern.compile("\\s*(!=|==|[=!,()]|[^\\s=!,()]+)\\s*");

	private final List<String> tokens;

	private int next;

	private LabelSelector(List<String> tokens) {
		this.tokens = tokens;
	}

	/**
	 * Parse a selector.
	 * @param text the selector, empty for everything
	 * @return the predicate
	 * @throws StatusException 400 if it cannot be understood
	 */
	static Predicate<StoredObject> parse(String text) {
		Matcher matcher = TOKEN.matcher(text);
		List<String> tokens = matcher.results().map((token) -> token.group(1)).toList();
		return new LabelSelector(tokens).requirements();
	}

	private Predicate<StoredObject> requirements() {
		Predicate<StoredObject> all = (object) -> true;
		while (!atEnd()) {
			all = all.and(requirement());
			if (!atEnd()) {
				expect(",");
				if (atEnd()) {
					throw misunderstood("identifier after ','");
				}
			}
		}
		return all;
	}

	private Predicate<StoredObject> requirement() {
		if ("!".equals(peek())) {
			take();
			return exists(identifier()).negate();
		}
		String key = identifier();
		return switch (peek()) {
			case "", "," -> exists(key);
			case "=", "==" -> {
				take();
				yield oneOf(key, Set.of(value()));
			}
			case "!=" -> {
				take();
				yield oneOf(key, Set.of(value())).negate();
			}
			case "in" -> {
				take();
				yield oneOf(key, values());
			}
			case "notin" -> {
				take();
				yield oneOf(key, values()).negate();
			}
			default -> throw misunderstood("in, notin, =, ==, !=");
		};
	}

	private static Predicate<StoredObject> exists(String key) {
		return (object) -> object.labels().containsKey(key);
	}

	private static Predicate<StoredObject> oneOf(String key, Set<String> values) {
		return (object) -> {
			String value = object.labels().get(key);
			return value != null && values.contains(value);
		};
	}

	private Set<String> values() {
		expect("(");
		Set<String> values = new HashSet<>();
		values.add(value());
		while (",".equals(peek())) {
			take();
			values.add(value());
		}
		expect(")");
		return values;
	}

	// A value, which may be empty.
	private String value() {
		return switch (peek()) {
			case "", ",", ")" -> "";
			default -> identifier();
		};
	}

	private String identifier() {
		if (Set.of("", ",", "(", ")", "=", "==", "!=", "!").contains(peek())) {
			throw misunderstood("identifier");
		}
		return take();
	}

	private void expect(String token) {
		if (!token.equals(peek())) {
			throw misunderstood("'" + token + "'");
		}
		take();
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

	private StatusException misunderstood(String expected) {
		return Statuses.badRequest("unable to parse requirement: found '" + peek() + "', expected: " + expected);
	}

}
