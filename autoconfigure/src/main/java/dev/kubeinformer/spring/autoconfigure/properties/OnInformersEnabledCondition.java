package dev.kubeinformer.spring.autoconfigure.properties;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition that matches if informers are enabled. Reads the property like
 * {@link InformersProperties}: a blank value counts as not set.
 */
public class OnInformersEnabledCondition extends SpringBootCondition {

	private static final String KEY = InformersProperties.PREFIX + ".enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean enabled = isEnabled(context.getEnvironment());
		return new ConditionOutcome(enabled,
				ConditionMessage.forCondition("Informers enabled").because("'%s' is %s".formatted(KEY, enabled)));
	}

	/**
	 * Returns whether informers are enabled.
	 * @param environment the environment with the property
	 * @return {@code true} if informers are enabled
	 */
	public static boolean isEnabled(Environment environment) {
		return Binder.get(environment).bind(KEY, Boolean.class).orElse(true);
	}

}
