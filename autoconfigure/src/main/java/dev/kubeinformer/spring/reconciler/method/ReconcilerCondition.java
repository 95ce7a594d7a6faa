package dev.kubeinformer.spring.reconciler.method;

import java.util.Map;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.ParseException;

import dev.kubeinformer.controller.UpdateCondition;
import dev.kubeinformer.spring.bean.SpelCondition;

/**
 * SpEL expression that decides whether an update of an object triggers a run. The
 * expression can use the object before and after the update.
 */
public final class ReconcilerCondition implements UpdateCondition<KubernetesObject> {

	private final SpelCondition condition;

	/**
	 * Parses a condition.
	 * @param condition the expression
	 * @param beanFactory the bean factory for bean references
	 * @throws ParseException if the expression is not valid SpEL or uses an unknown
	 * variable
	 */
	public ReconcilerCondition(String condition, BeanFactory beanFactory) {
		this.condition = new SpelCondition(condition, Set.of("object", "old"), beanFactory);
	}

	@Override
	public boolean test(KubernetesObject before, KubernetesObject after) {
		try {
			return this.condition.matches(after, Map.of("object", after, "old", before));
		}
		catch (RuntimeException ex) {
			throw new ReconcilerConditionException(this.condition.toString(), ex);
		}
	}

	@Override
	public String toString() {
		return this.condition.toString();
	}

}
