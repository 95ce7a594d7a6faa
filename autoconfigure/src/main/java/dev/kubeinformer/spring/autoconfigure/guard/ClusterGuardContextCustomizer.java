package dev.kubeinformer.spring.autoconfigure.guard;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * {@link ContextCustomizer} that adds a {@link ClusterGuard} to a test context. All
 * instances are equal, so that tests still share cached contexts.
 */
record ClusterGuardContextCustomizer() implements ContextCustomizer {

	private static final String BEAN_NAME = "kubernetesClusterGuard";

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		if (context.getBeanFactory() instanceof BeanDefinitionRegistry registry) {
			RootBeanDefinition definition = new RootBeanDefinition(ClusterGuard.class);
			definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
			registry.registerBeanDefinition(BEAN_NAME, definition);
		}
	}

}
