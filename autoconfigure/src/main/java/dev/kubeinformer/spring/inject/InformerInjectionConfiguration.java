package dev.kubeinformer.spring.inject;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Configures injection of {@code Lister<T>}, {@code Informer<T>} and the informer types
 * of the official client, for any resource. {@link InjectionBeans} registers the beans.
 */
@Configuration(proxyBeanMethods = false)
public class InformerInjectionConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InjectedSource informerInjectedSource(ConfigurableListableBeanFactory beanFactory, ClusterRuntimes clusters,
			ConfiguredSettings configured, InjectedInformers injected, EarlyReads early) {
		return new InjectedSource(new InjectionPoints(beanFactory), clusters, configured,
				new AnnotationValues(beanFactory), injected, early);
	}

	@Bean
	@ConditionalOnMissingBean
	InjectedInformers informerInjectedInformers() {
		return new InjectedInformers();
	}

}
