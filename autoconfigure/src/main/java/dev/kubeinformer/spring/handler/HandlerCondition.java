package dev.kubeinformer.spring.handler;

import java.util.Set;

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

import dev.kubeinformer.ResourceEvent;

/**
 * A SpEL expression over an event that decides whether a method is called.
 */
final class HandlerCondition {

	private static final Set<String> VARIABLES = Set.of("#event", "#object", "#root", "#this");

	private final Expression expression;

	private final BeanFactoryResolver beans;

	/**
	 * Parses a condition.
	 * @param condition the expression
	 * @param beanFactory the factory for references to beans
	 * @throws ParseException if it is no SpEL, or uses a variable that does not exist
	 */
	HandlerCondition(String condition, BeanFactory beanFactory) {
		SpelExpression parsed = new SpelExpressionParser().parseRaw(condition);
		requireKnownVariables(parsed.getAST(), condition);
		this.expression = parsed;
		this.beans = new BeanFactoryResolver(beanFactory);
	}

	private static void requireKnownVariables(SpelNode node, String condition) {
		boolean variable = node instanceof VariableReference;
		if ((variable && !VARIABLES.contains(node.toStringAST())) || node instanceof FunctionReference) {
			throw new ParseException(condition, node.getStartPosition(),
					"There is no '%s'".formatted(node.toStringAST()));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			requireKnownVariables(node.getChild(i), condition);
		}
	}

	boolean matches(ResourceEvent<?> event) {
		StandardEvaluationContext context = new StandardEvaluationContext(event);
		context.setBeanResolver(this.beans);
		context.setVariable("event", event);
		context.setVariable("object", event.object());
		try {
			return Boolean.TRUE.equals(this.expression.getValue(context, Boolean.class));
		}
		catch (RuntimeException ex) {
			throw new HandlerConditionException(this.expression.getExpressionString(), ex);
		}
	}

}
