package dev.kubeinformer.spring.handler.method;

import java.util.Map;
import java.util.Set;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.ParseException;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.bean.SpelCondition;

/**
 * SpEL expression over an event that decides whether a method is called.
 */
final class HandlerCondition {

	private final SpelCondition condition;

	/**
	 * Parses a condition.
	 * @param condition the expression
	 * @param beanFactory the bean factory for bean references
	 * @throws ParseException if the expression is not valid SpEL, or uses an unknown
	 * variable
	 */
	HandlerCondition(String condition, BeanFactory beanFactory) {
		this.condition = new SpelCondition(condition, Set.of("event", "object"), beanFactory);
	}

	boolean matches(ResourceEvent<?> event) {
		try {
			return this.condition.matches(event, Map.of("event", event, "object", event.object()));
		}
		catch (RuntimeException ex) {
			throw new HandlerConditionException(this.condition.toString(), ex);
		}
	}

}
