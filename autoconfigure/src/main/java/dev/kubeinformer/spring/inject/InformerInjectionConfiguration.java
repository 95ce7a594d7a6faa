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
import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;

/**
 * Configuration of what is injected for {@code Lister<T>}, {@code Informer<T>} and the
 * informer types of the official client, for any resource. The bean methods leave T open,
 * so that Spring prefers a bean with the exact type.
 */
@Configuration(proxyBeanMethods = false)
public class InformerInjectionConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InjectedSource informerInjectedSource(ConfigurableListableBeanFactory beanFactory, Informers informers,
			InformerSpecs specs, InjectedInformers injected) {
		return new InjectedSource(informers, specs, new AnnotationValues(beanFactory), injected);
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
		return (Lister<T>) source.informer(injectionPoint, Lister.class).lister();
	}

	@Bean
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean(name = "kubernetesSharedInformer")
	@SuppressWarnings("unchecked")
	<T extends KubernetesObject> Informer<T> kubernetesSharedInformer(DependencyDescriptor injectionPoint,
			InjectedSource source, Informers informers, ConfiguredSettings configured) {
		return new InformerHandle<>((Informer<T>) source.informer(injectionPoint, SharedInformer.class), informers,
				configured.isEnabled());
	}

}
