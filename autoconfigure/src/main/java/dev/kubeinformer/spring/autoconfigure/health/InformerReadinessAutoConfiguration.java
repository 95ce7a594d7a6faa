package dev.kubeinformer.spring.autoconfigure.health;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Auto-configuration that adds informers to the readiness group. Runs after Boot's probes, whose group it extends.
 */
@AutoConfiguration(
		after = { InformerHealthContributorAutoConfiguration.class, AvailabilityProbesAutoConfiguration.class })
@ConditionalOnClass(value = HealthEndpointGroupsPostProcessor.class,
		name = "org.springframework.boot.actuate.endpoint.annotation.Endpoint")
@ConditionalOnBean(InformersHealthContributor.class)
public final class InformerReadinessAutoConfiguration {

	InformerReadinessAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	InformerReadiness informerReadiness(ApplicationContext context, InformersHealthContributor health,
			ClusterRuntimes clusters, InformerHandlers handlers, ReconcilerReadiness reconcilers,
			InformerStatusMapper statusMapper, InformersProperties properties) {
		return new InformerReadiness(context, health, clusters, handlers, reconcilers, statusMapper,
				properties.autoStartup());
	}

	@Bean
	@ConditionalOnMissingBean
	ReconcilerReadiness reconcilerReadiness(Reconcilers reconcilers, InformerStatusMapper statusMapper) {
		return new ReconcilerReadiness(reconcilers, statusMapper);
	}

	@Bean
	@ConditionalOnMissingBean
	static InformerReadinessGroupsPostProcessor informerReadinessGroupsPostProcessor(Environment environment,
			ObjectProvider<InformerReadiness> readiness) {
		return new InformerReadinessGroupsPostProcessor(environment, readiness);
	}

}
