package dev.kubeinformer.spring.handler;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

import dev.kubeinformer.ResourceEvent;

/**
 * A SpEL expression over an event that decides whether a method is called.
 */
final class HandlerCondition {

	private final Expression expression;

	private final BeanFactoryResolver beans;

	/**
	 * Parses a condition.
	 * @param condition the expression
	 * @param beanFactory the factory for references to beans
	 * @throws org.springframework.expression.ParseException if it is no SpEL
	 */
	HandlerCondition(String condition, BeanFactory beanFactory) {
		this.expression = new SpelExpressionParser().parseExpression(condition);
		this.beans = new BeanFactoryResolver(beanFactory);
	}

	boolean matches(ResourceEvent<?> event) {
		StandardEvaluationContext context = new StandardEvaluationContext(event);
		context.setBeanResolver(this.beans);
		context.setVariable("event", event);
		context.setVariable("object", event.object());
		return Boolean.TRUE.equals(this.expression.getValue(context, Boolean.class));
	}

}
