package dev.kubeinformer.spi;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spi.LabelSelector.Requirement;

/**
 * Parses one label selector, token by token.
 */
final class LabelSelectorParser {

	private static final Pattern TOKEN = Pattern.compile("==|!=|[=!(),<>]|[^=!(),<>\\s]+");

	private static final Set<String> SYMBOLS = Set.of("==", "!=", "=", "!", "(", ")", ",", "<", ">");

	/**
	 * Format of a label value, and of the name in a label key: at most 63 letters,
	 * digits, {@code -}, {@code _} and {@code .}; the first and the last character is a
	 * letter or digit.
	 */
	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

	private static final Pattern PREFIX = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private static final int LONGEST_PREFIX = 253;

	private final String text;

	private final List<Token> tokens = new ArrayList<>();

	private int next;

	LabelSelectorParser(String text) {
		this.text = text;
		Matcher matcher = TOKEN.matcher(text);
		while (matcher.find()) {
			this.tokens.add(new Token(matcher.group(), matcher.start()));
		}
		this.tokens.add(new Token("", text.length()));
	}

	List<Requirement> requirements() {
		List<Requirement> requirements = new ArrayList<>();
		if (!peek().isEnd()) {
			requirements.add(requirement());
			while (peek().is(",")) {
				take();
				requirements.add(requirement());
			}
			if (!peek().isEnd()) {
				throw unexpected("',' or the end");
			}
		}
		return requirements;
	}

	private Requirement requirement() {
		if (peek().is("!")) {
			take();
			return new Requirement(key(), Objects::isNull);
		}
		if (!peek().isWord()) {
			throw unexpected("a key or '!'");
		}
		String key = key();
		return new Requirement(key, (peek().isEnd() || peek().is(",")) ? Objects::nonNull : restriction());
	}

	private Predicate<@Nullable String> restriction() {
		Token operator = peek();
		switch (operator.text()) {
			case "=", "==", "!=", "in", "notin", "<", ">" -> take();
			default -> throw unexpected("one of '=', '==', '!=', 'in', 'notin', '<', '>'");
		}
		return switch (operator.text()) {
			case "in" -> oneOf(values());
			case "notin" -> oneOf(values()).negate();
			case "!=" -> oneOf(Set.of(value())).negate();
			case "<" -> below(number());
			case ">" -> above(number());
			default -> oneOf(Set.of(value()));
		};
	}

	private static Predicate<@Nullable String> oneOf(Set<String> values) {
		return (value) -> value != null && values.contains(value);
	}

	private static Predicate<@Nullable String> below(long limit) {
		return (value) -> {
			Long number = numberOf(value);
			return number != null && number < limit;
		};
	}

	private static Predicate<@Nullable String> above(long limit) {
		return (value) -> {
			Long number = numberOf(value);
			return number != null && number > limit;
		};
	}

	private static @Nullable Long numberOf(@Nullable String text) {
		try {
			return (text != null) ? Long.valueOf(text) : null;
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	private String key() {
		Token token = peek();
		if (!token.isWord()) {
			throw unexpected("a key");
		}
		int slash = token.text().indexOf('/');
		String prefix = token.text().substring(0, Math.max(slash, 0));
		boolean prefixed = slash < 0 || (prefix.length() <= LONGEST_PREFIX && PREFIX.matcher(prefix).matches());
		if (!prefixed || !NAME.matcher(token.text().substring(slash + 1)).matches()) {
			throw unexpected("the key of a label, such as 'app' or 'example.com/app'");
		}
		return take().text();
	}

	private Set<String> values() {
		if (!peek().is("(")) {
			throw unexpected("'('");
		}
		take();
		Set<String> values = new HashSet<>();
		values.add(listedValue());
		while (peek().is(",")) {
			take();
			values.add(listedValue());
		}
		if (!peek().is(")")) {
			throw unexpected("',' or ')'");
		}
		take();
		return values;
	}

	private String listedValue() {
		return (peek().is(",") || peek().is(")")) ? "" : word();
	}

	private String value() {
		return (peek().is(",") || peek().isEnd()) ? "" : word();
	}

	private String word() {
		if (!peek().isWord() || !NAME.matcher(peek().text()).matches()) {
			throw unexpected("the value of a label, which has up to 63 letters, digits, '-', '_' and '.'");
		}
		return take().text();
	}

	private long number() {
		Token token = peek();
		Long number = token.isWord() ? numberOf(word()) : null;
		if (number == null) {
			throw unexpected(token, "a whole number");
		}
		return number;
	}

	private Token peek() {
		return this.tokens.get(this.next);
	}

	private Token take() {
		return this.tokens.get(this.next++);
	}

	private IllegalArgumentException unexpected(String expected) {
		return unexpected(peek(), expected);
	}

	private IllegalArgumentException unexpected(Token found, String expected) {
		return new IllegalArgumentException(
				"Invalid label selector '%s' at position %d: expected %s, found %s".formatted(this.text,
						found.position() + 1, expected, found.isEnd() ? "the end" : "'" + found.text() + "'"));
	}

	private record Token(String text, int position) {

		boolean is(String symbol) {
			return this.text.equals(symbol);
		}

		boolean isEnd() {
			return this.text.isEmpty();
		}

		boolean isWord() {
			return !isEnd() && !SYMBOLS.contains(this.text);
		}

	}

}
