package dev.kubeinformer.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Auto-configuration of the meters of informers and handlers.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, Informers.class, InformerHandlerRegistry.class })
public final class InformerMetricsAutoConfiguration {

	InformerMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerMetrics informerMetrics(Informers informers) {
		return new InformerMetrics(informers);
	}

}
