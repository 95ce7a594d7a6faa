package dev.kubeinformer.test.internal.schema;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Evaluates the rules of custom resources, which are expressions in the Common Expression
 * Language.
 */
public interface RuleEngine {

	/**
	 * Engine that does not evaluate rules: all objects pass.
	 */
	RuleEngine NONE = new RuleEngine() {

		@Override
		public Program compile(String expression, JsonNode schema, boolean resource, boolean optional) {
			return new Program((self, before, optionally) -> Result.TRUE, false, null);
		}

	};

	/**
	 * Compiles an expression.
	 * @param expression the expression
	 * @param schema the schema of {@code self}
	 * @param resource {@code true} if {@code self} is an object with kind and metadata
	 * @param optional {@code true} if {@code oldSelf} is an optional value
	 * @return the program
	 */
	Program compile(String expression, JsonNode schema, boolean resource, boolean optional);

	/**
	 * Compiles an expression that evaluates to the message of a rule.
	 * @param expression the expression
	 * @param schema the schema of {@code self}
	 * @param resource {@code true} if {@code self} is an object with kind and metadata
	 * @param optional {@code true} if {@code oldSelf} is an optional value
	 * @return the program
	 */
	default Program compileText(String expression, JsonNode schema, boolean resource, boolean optional) {
		return compile(expression, schema, resource, optional);
	}

	/**
	 * Compiled expression.
	 *
	 * @param evaluation evaluates the expression
	 * @param usesBefore {@code true} if the expression reads {@code oldSelf}
	 * @param error the reason why the expression could not be compiled, or {@code null}
	 */
	record Program(Evaluation evaluation, boolean usesBefore, @Nullable String error) {
	}

	/**
	 * Evaluates one expression.
	 */
	@FunctionalInterface
	interface Evaluation {

		/**
		 * Evaluates the expression.
		 * @param self the value
		 * @param before the value before the update, or {@code null} if there was none
		 * @param optional {@code true} if {@code oldSelf} is an optional value
		 * @return the result
		 */
		Result evaluate(JsonNode self, @Nullable JsonNode before, boolean optional);

	}

	/**
	 * Result of an evaluation.
	 *
	 * @param value the value: a Boolean or a text
	 * @param error the reason why there is no value, or {@code null}
	 */
	record Result(Object value, @Nullable String error) {

		/** Result of a rule that the value satisfies. */
		public static final Result TRUE = new Result(true, null);

		boolean holds() {
			return Boolean.TRUE.equals(this.value);
		}

	}

}
