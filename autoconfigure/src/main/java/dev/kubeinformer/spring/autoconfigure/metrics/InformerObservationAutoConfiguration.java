package dev.kubeinformer.spring.autoconfigure.metrics;

import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.observation.InformerHandlerObservationConvention;
import dev.kubeinformer.spring.observation.ObservedHandlers;
import dev.kubeinformer.spring.observation.ObservedReconcilers;
import dev.kubeinformer.spring.observation.ReconcilerObservationConvention;
import dev.kubeinformer.spring.observation.ReconcilerWriteObservationConvention;

/**
 * Auto-configuration for the observations of handlers, reconcilers and their writes.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ ObservationRegistry.class, InformerHandlerRegistry.class })
@Conditional(OnObservationsEnabledCondition.class)
public final class InformerObservationAutoConfiguration {

	InformerObservationAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	@Order(Ordered.HIGHEST_PRECEDENCE)
	ObservedHandlers informerObservedHandlers(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<InformerHandlerObservationConvention> convention, ObjectProvider<ClusterRuntimes> clusters,
			ObjectProvider<InformersProperties> properties) {
		return new ObservedHandlers(registry::getObject, convention::getIfAvailable,
				() -> clusters.getObject().isMultiple(), () -> properties.getObject().observations().objectNames());
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	@Order(Ordered.HIGHEST_PRECEDENCE)
	ObservedReconcilers reconcilerObservedReconcilers(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<ReconcilerObservationConvention> convention,
			ObjectProvider<ReconcilerWriteObservationConvention> writeConvention,
			ObjectProvider<ClusterRuntimes> clusters, ObjectProvider<InformersProperties> properties) {
		return new ObservedReconcilers(registry::getObject, convention::getIfAvailable, writeConvention::getIfAvailable,
				() -> clusters.getObject().isMultiple(), () -> properties.getObject().observations().objectNames());
	}

}
