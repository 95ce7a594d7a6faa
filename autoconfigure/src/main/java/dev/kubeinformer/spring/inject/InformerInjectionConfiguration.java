package dev.kubeinformer.spring.inject;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Lister;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

import dev.kubeinformer.Informer;
import dev.kubeinformer.spring.cluster.ClusterListers;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Configuration of what is injected for {@code Lister<T>}, {@code Informer<T>} and the
 * informer types of the official client, for any resource. The bean methods leave T open,
 * so that Spring prefers a bean with the exact type.
 */
@Configuration(proxyBeanMethods = false)
public class InformerInjectionConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InjectedSource informerInjectedSource(ConfigurableListableBeanFactory beanFactory, ClusterRuntimes clusters,
			ConfiguredSettings configured, InjectedInformers injected) {
		return new InjectedSource(clusters, configured, new AnnotationValues(beanFactory), injected);
	}

	@Bean
	@ConditionalOnMissingBean
	InjectedInformers informerInjectedInformers() {
		return new InjectedInformers();
	}

	@Bean
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean(name = "kubernetesLister")
	@SuppressWarnings("unchecked")
	<T extends KubernetesObject> Lister<T> kubernetesLister(DependencyDescriptor injectionPoint,
			InjectedSource source) {
		return (Lister<T>) source.of(injectionPoint, Lister.class).informer().lister();
	}

	@Bean
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean(name = "kubernetesSharedInformer")
	@SuppressWarnings("unchecked")
	<T extends KubernetesObject> Informer<T> kubernetesSharedInformer(DependencyDescriptor injectionPoint,
			InjectedSource source, ConfiguredSettings configured) {
		InjectedSource.Found found = source.of(injectionPoint, SharedInformer.class);
		return new InformerHandle<>((Informer<T>) found.informer(), found.informers(), configured.isEnabled());
	}

	@Bean
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean(name = "kubernetesClusterListers")
	<T extends KubernetesObject> ClusterListers<T> kubernetesClusterListers(DependencyDescriptor injectionPoint,
			InjectedSource source) {
		return source.several(injectionPoint);
	}

}
