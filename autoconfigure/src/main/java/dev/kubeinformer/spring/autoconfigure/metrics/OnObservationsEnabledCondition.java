package dev.kubeinformer.spring.autoconfigure.metrics;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition that matches if observations are enabled. A blank value counts as not set, as for all properties of the starter.
 */
class OnObservationsEnabledCondition extends SpringBootCondition {

	private static final String KEY = "kubernetes.informers.observations.enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean enabled = Binder.get(context.getEnvironment()).bind(KEY, Boolean.class).orElse(true);
		return new ConditionOutcome(enabled, ConditionMessage.forCondition("Observations of handlers and reconcilers")
			.because("'%s' is %s".formatted(KEY, enabled)));
	}

}
