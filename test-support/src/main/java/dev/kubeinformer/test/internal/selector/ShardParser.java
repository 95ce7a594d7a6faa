package dev.kubeinformer.test.internal.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the parameter {@code shardSelector}. It is an expression in a subset of CEL:
 * calls of {@code shardRange} that are joined by {@code ||}, optionally in parentheses.
 */
final class ShardParser {

	private static final Pattern TOKEN = Pattern
		.compile("\\s*(?:(\\|\\||&&|[(),])|([A-Za-z_][\\w.]*)|('[^']*'|\"[^\"]*\")|([^\\s(),|&]+|[|&]))");

	private static final int ARGUMENTS = 3;

	private static final Set<String> CONSTANTS = Set.of("true", "false", "null");

	private static final int NAME = 3;

	private static final int LITERAL = 5;

	private static final int SELECTION = 7;

	private static final String END = "";

	private final List<String> tokens = new ArrayList<>();

	private final List<ShardSelector.Range> ranges = new ArrayList<>();

	private ShardSelector.Field field = ShardSelector.Field.UID;

	private int position;

	ShardParser(String text) {
		Matcher matcher = TOKEN.matcher(text.strip());
		while (matcher.lookingAt()) {
			this.tokens.add(matcher.group().strip());
			matcher.region(matcher.end(), matcher.regionEnd());
		}
	}

	ShardSelector parse() {
		alternatives();
		if (!END.equals(peek())) {
			throw ShardSelector.invalid("CEL parse error: Syntax error: extraneous input '" + peek() + "'");
		}
		return new ShardSelector(this.field, List.copyOf(this.ranges));
	}

	private void alternatives() {
		term();
		while ("||".equals(peek())) {
			next();
			term();
		}
		if ("&&".equals(peek())) {
			throw ShardSelector.invalid("unsupported function \"_&&_\"; only shardRange() and || are allowed");
		}
	}

	private void term() {
		String token = next();
		if ("(".equals(token)) {
			alternatives();
			close();
		}
		else if ("(".equals(peek())) {
			next();
			call(token, arguments());
		}
		else {
			throw (END.equals(token)) ? ShardSelector.invalid("CEL parse error: Syntax error: mismatched input '<EOF>'")
					: ShardSelector.invalid("unexpected expression kind " + kind(token)
							+ "; expected shardRange() call or || operator");
		}
	}

	private void close() {
		if (!")".equals(peek())) {
			throw ShardSelector.invalid("CEL parse error: Syntax error: missing ')' at '"
					+ ((END.equals(peek())) ? "<EOF>" : peek()) + "'");
		}
		next();
	}

	private List<String> arguments() {
		List<String> arguments = new ArrayList<>();
		while (!")".equals(peek()) && !END.equals(peek())) {
			arguments.add(next());
			if (!",".equals(peek())) {
				break;
			}
			next();
		}
		close();
		return arguments;
	}

	private void call(String function, List<String> arguments) {
		if (!"shardRange".equals(function)) {
			throw ShardSelector
				.invalid("unsupported function \"" + function + "\"; only shardRange() and || are allowed");
		}
		if (arguments.size() != ARGUMENTS) {
			throw ShardSelector.invalid("shardRange() requires exactly 3 arguments, got " + arguments.size());
		}
		ShardSelector.Field asked = field(arguments.get(0));
		if (!this.ranges.isEmpty() && asked != this.field) {
			throw ShardSelector.invalid("all shard ranges must use the same field, got \"" + this.field.path()
					+ "\" and \"" + asked.path() + "\"");
		}
		this.field = asked;
		this.ranges.add(new ShardSelector.Range(text("hexStart", arguments.get(1)), text("hexEnd", arguments.get(2))));
	}

	private static ShardSelector.Field field(String argument) {
		if (kind(argument) == LITERAL) {
			throw ShardSelector.invalid(
					"shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind "
							+ LITERAL);
		}
		return ShardSelector.Field.of(argument);
	}

	private static String text(String name, String argument) {
		if (!isText(argument)) {
			throw ShardSelector.invalid(name + " must be a string literal"
					+ ((isNumber(argument)) ? ", got int64" : " (e.g. '0xff'), got expression kind " + kind(argument)));
		}
		return argument.substring(1, argument.length() - 1);
	}

	private static boolean isText(String token) {
		return token.length() > 1 && (token.startsWith("'") || token.startsWith("\""));
	}

	private static boolean isNumber(String token) {
		return !token.isEmpty() && Character.isDigit(token.charAt(0));
	}

	// Returns the kind of an expression as the library of kube-apiserver counts it.
	private static int kind(String token) {
		if (isText(token) || isNumber(token) || CONSTANTS.contains(token)) {
			return LITERAL;
		}
		return (token.contains(".")) ? SELECTION : NAME;
	}

	private String peek() {
		return (this.position < this.tokens.size()) ? this.tokens.get(this.position) : END;
	}

	private String next() {
		String token = peek();
		this.position++;
		return token;
	}

}
