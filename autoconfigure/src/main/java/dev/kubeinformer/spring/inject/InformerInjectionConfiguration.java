package dev.kubeinformer.spring.inject;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterListers;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Configures injection of {@code Lister<T>}, {@code Informer<T>} and the informer types
 * of the official client, for any resource. The bean methods do not resolve T, so that
 * Spring prefers a bean with the exact type. They return {@code null}, which Spring
 * skips, if the injection point does not request a single object.
 */
@Configuration(proxyBeanMethods = false)
public class InformerInjectionConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InjectedSource informerInjectedSource(ConfigurableListableBeanFactory beanFactory, ClusterRuntimes clusters,
			ConfiguredSettings configured, InjectedInformers injected) {
		return new InjectedSource(new InjectionPoints(beanFactory), clusters, configured,
				new AnnotationValues(beanFactory), injected);
	}

	@Bean
	@ConditionalOnMissingBean
	InjectedInformers informerInjectedInformers() {
		return new InjectedInformers();
	}

	@Bean
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean(name = "kubernetesLister")
	<T extends KubernetesObject> @Nullable Lister<T> kubernetesLister(InjectedSource source) {
		return source.lister(null);
	}

	@Bean
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean(name = "kubernetesSharedInformer")
	<T extends KubernetesObject> @Nullable Informer<T> kubernetesSharedInformer(InjectedSource source) {
		return source.informer(null);
	}

	@Bean
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean(name = "kubernetesClusterListers")
	<T extends KubernetesObject> @Nullable ClusterListers<T> kubernetesClusterListers(InjectedSource source) {
		return source.several();
	}

}
