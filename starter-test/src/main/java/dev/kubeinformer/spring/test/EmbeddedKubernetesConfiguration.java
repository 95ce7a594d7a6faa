package dev.kubeinformer.spring.test;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import dev.kubeinformer.spring.autoconfigure.client.ClusterNames;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Defines the embedded API of an application context and its clients. Spring reads this
 * class before all other configuration, so that {@code @ConditionalOnMissingBean} finds
 * these beans.
 */
@Configuration(proxyBeanMethods = false)
@Import({ EmbeddedClustersRegistrar.class, SliceConfiguration.class })
@Order(Ordered.HIGHEST_PRECEDENCE)
class EmbeddedKubernetesConfiguration {

	static final String SERVER = "dev.kubeinformer.spring.test.embeddedKubernetes";

	@Bean
	static OtherClientsNotPrimary embeddedKubernetesOtherClientsNotPrimary(EmbeddedKubernetesSettings settings) {
		return new OtherClientsNotPrimary(settings.clusters());
	}

	@Bean
	static OtherClientsRedirected embeddedKubernetesOtherClientsRedirected(
			ObjectProvider<EmbeddedClusters> embeddedKubernetesClusters, ObjectProvider<ClusterNames> clusterNames) {
		return new OtherClientsRedirected(embeddedKubernetesClusters, clusterNames);
	}

	// The name is qualified, because an application may have its own bean
	// "embeddedKubernetes".
	@Bean(name = SERVER, destroyMethod = "close")
	@Primary
	@Conditional(NotInParentCondition.class)
	EmbeddedKubernetes embeddedKubernetes(EmbeddedKubernetesSettings settings) {
		return settings.start();
	}

	@Bean
	@Primary
	EmbeddedKubernetesConnectionDetails embeddedKubernetesConnectionDetails(EmbeddedKubernetes kubernetes,
			EmbeddedKubernetesSettings settings) {
		return new EmbeddedKubernetesConnectionDetails(kubernetes.url(), settings.namespace());
	}

	@Bean(destroyMethod = "close")
	@Primary
	EmbeddedApiClient embeddedKubernetesApiClient(EmbeddedKubernetes kubernetes) {
		return new EmbeddedApiClient(kubernetes.url());
	}

	@Bean
	EmbeddedClusters embeddedKubernetesClusters(EmbeddedKubernetesSettings settings, BeanFactory beanFactory) {
		return EmbeddedClusters.of(settings.clusters(), beanFactory);
	}

	@Bean
	@Conditional(NotInParentCondition.class)
	EmbeddedDefinitions embeddedKubernetesDefinitions() {
		return new EmbeddedDefinitions();
	}

	@Bean
	EmbeddedDefinitionsLifecycle embeddedKubernetesDefinitionsLifecycle(EmbeddedDefinitions definitions,
			EmbeddedClusters embeddedKubernetesClusters, EmbeddedKubernetesSettings settings,
			ApplicationContext context) {
		return new EmbeddedDefinitionsLifecycle(definitions, embeddedKubernetesClusters, settings.definitions(),
				context);
	}

	@Bean
	EmbeddedKubernetesReset embeddedKubernetesReset(EmbeddedClusters embeddedKubernetesClusters,
			ApplicationContext context) {
		return new EmbeddedKubernetesReset(embeddedKubernetesClusters, context);
	}

}
