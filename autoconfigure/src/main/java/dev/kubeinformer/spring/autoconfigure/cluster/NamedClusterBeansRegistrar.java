package dev.kubeinformer.spring.autoconfigure.cluster;

import java.util.List;
import java.util.Set;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;

import dev.kubeinformer.spring.autoconfigure.client.ClusterBeans;
import dev.kubeinformer.spring.autoconfigure.client.ClusterLocator;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterEntries;
import dev.kubeinformer.spring.inject.ClusterInjection;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Registers the beans of each named cluster, qualified by its name. If the application
 * has a client bean for a named cluster, it replaces the starter's client for that
 * cluster, but not that of the default cluster. A context that was processed ahead of
 * time already has bean definitions. For a cluster that only the environment at run time
 * has, definitions are added.
 */
public final class NamedClusterBeansRegistrar implements BeanDefinitionRegistryPostProcessor {

	private final Environment environment;

	public NamedClusterBeansRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		ConfigurableListableBeanFactory beanFactory = (ConfigurableListableBeanFactory) registry;
		if (!beanFactory.containsLocalBean(NamedClusterBeans.CLUSTERS)) {
			// The parent has these beans, and they are injected from there.
			return;
		}
		ClusterBeans beans = new ClusterBeans(beanFactory);
		Set<String> names = ClusterEntries.names(this.environment);
		if (hasNoDefaultClient(beanFactory, beans.onlyOf(ApiClient.class, names))) {
			ClusterInjection.register(registry, KubernetesClientAutoConfiguration.DEFAULT_CLIENT, defaultClient());
		}
		for (String name : names) {
			if (beans.find(ApiClient.class, name) == null) {
				RootBeanDefinition client = ClusterInjection.define(NamedClusterBeans.class, "apiClient", name);
				client.setLazyInit(true);
				ClusterInjection.register(registry, NamedClusterBeans.CLIENT + name, client);
			}
			ClusterInjection.register(registry, NamedClusterBeans.INFORMERS + name,
					ClusterInjection.define(NamedClusterBeans.class, "informers", name));
			ClusterInjection.register(registry, name);
		}
	}

	/**
	 * Returns whether the default cluster's client was not auto-configured only because
	 * there are client beans for named clusters.
	 * @param beanFactory the bean factory
	 * @param instead the names of the beans of these clients
	 * @return {@code true} if the default client must be added
	 */
	private static boolean hasNoDefaultClient(ConfigurableListableBeanFactory beanFactory, List<String> instead) {
		return !instead.isEmpty() && !beanFactory.containsBean(KubernetesClientAutoConfiguration.DEFAULT_CLIENT)
				&& beanFactory.getBeanNamesForType(ClusterLocator.class, true, false).length > 0;
	}

	private static RootBeanDefinition defaultClient() {
		RootBeanDefinition definition = new RootBeanDefinition(KubernetesClientAutoConfiguration.class);
		definition.setFactoryMethodName(KubernetesClientAutoConfiguration.DEFAULT_CLIENT);
		definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition.setLazyInit(true);
		return definition;
	}

	/**
	 * Rejects several {@code Informers} beans of the application. This happens before
	 * other beans request a single one, which would fail with another message.
	 * @throws InformerConfigurationException if there are several beans without a primary
	 * one
	 */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		List<String> foreign = UserInformersCheck.candidates(beanFactory);
		if (foreign.size() > 1) {
			throw new InformerConfigurationException(
					"There are %d Informers beans of the application, and handlers and listers use one: '%s'"
						.formatted(foreign.size(), String.join("', '", foreign)),
					UserInformersCheck.BESIDE + "Mark the one that all others are to use with @Primary.");
		}
	}

}
