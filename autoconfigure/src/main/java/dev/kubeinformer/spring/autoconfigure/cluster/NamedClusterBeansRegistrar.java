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
 * Registers the beans of each named cluster, qualified by its name. A client of the application for that cluster replaces the starter's client, but never that of the default cluster. A context that was processed ahead of time already has definitions; those of clusters that only its own environment has are added.
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
	 * Returns whether clients of named clusters have prevented the auto-configuration of the default cluster's client.
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
	 * Rejects several {@code Informers} beans of the application before other beans need a single one.
	 * @throws InformerConfigurationException if there are several beans without a primary one
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
