package dev.kubeinformer.spring.test;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the embedded API of each named cluster, and the beans that depend on it.
 * These beans are injected only if the qualifier is the name of the cluster. In a
 * hierarchy of contexts, the uppermost context that names a cluster owns its embedded
 * API.
 */
class EmbeddedClustersRegistrar implements ImportBeanDefinitionRegistrar {

	private final ConfigurableBeanFactory beanFactory;

	EmbeddedClustersRegistrar(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableBeanFactory) beanFactory;
	}

	static String serverName(String cluster) {
		return EmbeddedKubernetesConfiguration.SERVER + "." + cluster;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importingClassMetadata, BeanDefinitionRegistry registry) {
		EmbeddedKubernetesSettings settings = this.beanFactory.getBean(EmbeddedKubernetesSettings.class.getName(),
				EmbeddedKubernetesSettings.class);
		settings.clusters().forEach((cluster) -> register(cluster, registry));
	}

	private void register(String cluster, BeanDefinitionRegistry registry) {
		String serverName = serverName(cluster);
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		if (parent == null || !parent.containsBean(serverName)) {
			RootBeanDefinition server = definition("server", cluster);
			server.setDestroyMethodName("close");
			registry.registerBeanDefinition(serverName, server);
		}
		registry.registerBeanDefinition(serverName + ".details", ofServer("details", cluster));
		RootBeanDefinition resources = ofServer("resources", cluster);
		resources.setScope(BeanDefinition.SCOPE_PROTOTYPE);
		registry.registerBeanDefinition(serverName + ".resources", resources);
	}

	private static RootBeanDefinition ofServer(String method, String cluster) {
		RootBeanDefinition definition = definition(method, cluster);
		definition.getConstructorArgumentValues()
			.addIndexedArgumentValue(0, new RuntimeBeanReference(serverName(cluster)));
		return definition;
	}

	private static RootBeanDefinition definition(String method, String cluster) {
		RootBeanDefinition definition = new RootBeanDefinition(EmbeddedClusterBeans.class);
		definition.setFactoryMethodName(method);
		definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition.setDefaultCandidate(false);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, cluster));
		return definition;
	}

}
