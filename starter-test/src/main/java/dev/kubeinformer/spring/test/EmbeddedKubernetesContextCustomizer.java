package dev.kubeinformer.spring.test;

import java.util.List;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * {@link ContextCustomizer} that defines the embedded APIs and their clients. Customizers
 * of equal annotations are equal, so that test classes share a context.
 *
 * @param bookmarkMillis the period of bookmarks in milliseconds
 * @param garbageCollection whether an object is deleted after its last owner
 * @param namespace the namespace of the application, which is the value of
 * {@code @current} in its configuration
 * @param clusters the names of the clusters besides the default one, in alphabetical
 * order
 * @param definitions whether to create the CustomResourceDefinitions of the application's
 * classes with {@code @KubernetesResource}
 * @param validation whether objects of built-in types are validated
 */
record EmbeddedKubernetesContextCustomizer(long bookmarkMillis, boolean garbageCollection, String namespace,
		List<String> clusters, boolean definitions, boolean validation) implements ContextCustomizer {

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		register(context);
	}

	/**
	 * Registers the beans.
	 * @param context the context, which is not refreshed yet
	 */
	void register(ConfigurableApplicationContext context) {
		if (!(context.getBeanFactory() instanceof BeanDefinitionRegistry registry)) {
			throw new IllegalStateException(
					"@EmbeddedKubernetesTest requires a context that is a BeanDefinitionRegistry");
		}
		RootBeanDefinition settings = new RootBeanDefinition(EmbeddedKubernetesSettings.class);
		settings.getConstructorArgumentValues().addIndexedArgumentValue(0, this.bookmarkMillis);
		settings.getConstructorArgumentValues().addIndexedArgumentValue(1, this.garbageCollection);
		settings.getConstructorArgumentValues().addIndexedArgumentValue(2, this.namespace);
		settings.getConstructorArgumentValues().addIndexedArgumentValue(3, this.clusters);
		settings.getConstructorArgumentValues().addIndexedArgumentValue(4, this.definitions);
		settings.getConstructorArgumentValues().addIndexedArgumentValue(5, this.validation);
		registry.registerBeanDefinition(EmbeddedKubernetesSettings.class.getName(), settings);
		RootBeanDefinition properties = new RootBeanDefinition(EmbeddedClusterProperties.class);
		properties.getConstructorArgumentValues().addIndexedArgumentValue(0, this.clusters);
		registry.registerBeanDefinition(EmbeddedClusterProperties.class.getName(), properties);
		new AnnotatedBeanDefinitionReader(registry, context.getEnvironment())
			.register(EmbeddedKubernetesConfiguration.class);
	}

}
