package dev.kubeinformer.spring.test;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * {@link ContextCustomizer} that defines the server and the clients of it. Those of equal
 * annotations are equal, so that contexts are shared.
 *
 * @param bookmarkMillis the period of bookmarks in milliseconds
 * @param garbageCollection whether objects are deleted whose owners are gone
 */
record EmbeddedKubernetesContextCustomizer(long bookmarkMillis,
		boolean garbageCollection) implements ContextCustomizer {

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		if (!(context.getBeanFactory() instanceof BeanDefinitionRegistry registry)) {
			throw new IllegalStateException("@EmbeddedKubernetesTest needs a context that takes bean definitions");
		}
		RootBeanDefinition settings = new RootBeanDefinition(EmbeddedKubernetesSettings.class);
		settings.getConstructorArgumentValues().addIndexedArgumentValue(0, this.bookmarkMillis);
		settings.getConstructorArgumentValues().addIndexedArgumentValue(1, this.garbageCollection);
		registry.registerBeanDefinition(EmbeddedKubernetesSettings.class.getName(), settings);
		new AnnotatedBeanDefinitionReader(registry, context.getEnvironment())
			.register(EmbeddedKubernetesConfiguration.class);
	}

}
