package dev.kubeinformer.spring.bean;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Boolean SpEL expression with variables. Internal to the starter.
 */
public final class SpelCondition {

	private static final Set<String> ALWAYS = Set.of("root", "this");

	private final Expression expression;

	private final BeanFactoryResolver beans;

	/**
	 * Parses a condition.
	 * @param condition the expression
	 * @param variables the variables that the expression may use in addition to
	 * {@code #root} and {@code #this}
	 * @param beanFactory the bean factory for bean references
	 * @throws ParseException if the expression is not valid SpEL or uses an unknown
	 * variable
	 */
	public SpelCondition(String condition, Set<String> variables, BeanFactory beanFactory) {
		SpelExpression parsed = new SpelExpressionParser().parseRaw(condition);
		requireKnownVariables(parsed.getAST(), condition, variables);
		this.expression = parsed;
		this.beans = new BeanFactoryResolver(beanFactory);
	}

	private static void requireKnownVariables(SpelNode node, String condition, Set<String> variables) {
		boolean variable = node instanceof VariableReference;
		if ((variable && !isKnown(node.toStringAST().substring(1), variables)) || node instanceof FunctionReference) {
			throw new ParseException(condition, node.getStartPosition(),
					"There is no '%s'".formatted(node.toStringAST()));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			requireKnownVariables(node.getChild(i), condition, variables);
		}
	}

	private static boolean isKnown(String name, Set<String> variables) {
		return ALWAYS.contains(name) || variables.contains(name);
	}

	/**
	 * Evaluates the condition.
	 * @param root the root object
	 * @param variables the values of the variables
	 * @return {@code true} if the condition is met
	 * @throws RuntimeException if the condition cannot be evaluated. The message may
	 * quote contents of the objects; the message of a {@link ConditionFailedException}
	 * does not
	 */
	public boolean matches(Object root, Map<String, ? extends @Nullable Object> variables) {
		StandardEvaluationContext context = new StandardEvaluationContext(root);
		context.setBeanResolver(this.beans);
		variables.forEach(context::setVariable);
		return Boolean.TRUE.equals(this.expression.getValue(context, Boolean.class));
	}

	@Override
	public String toString() {
		return this.expression.getExpressionString();
	}

}
