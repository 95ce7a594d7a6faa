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
 * Registers the beans of each named cluster, qualified by its name. A client bean of the
 * application for a named cluster replaces the starter's client for that cluster, but not
 * for the default cluster. A context that was processed ahead of time already has the
 * definitions of the clusters that were known at build time, so only those of other
 * clusters are added.
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
			// The context uses the beans of its parent.
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
	 * Returns whether client beans for named clusters are the only reason why the default
	 * cluster's client was not auto-configured.
	 * @param beanFactory the bean factory
	 * @param instead the names of these client beans
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
	 * Rejects several {@code Informers} beans of the application. This must happen before
	 * another bean requests a single one, which would fail with a less helpful message.
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
