package dev.kubeinformer.spring.test;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * {@link Condition} that matches if no parent context has an embedded API. So the
 * uppermost context of a hierarchy owns the server, and the other contexts use this
 * server.
 */
class NotInParentCondition implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		return beans == null || !(beans.getParentBeanFactory() instanceof ListableBeanFactory parent)
				|| BeanFactoryUtils.beanNamesForTypeIncludingAncestors(parent, EmbeddedKubernetesReset.class, true,
						false).length == 0;
	}

}
