package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.leader.ElectedLeadership;
import dev.kubeinformer.spring.shard.SlotHolders;

/**
 * Auto-configuration for the meters of informers, handlers, reconcilers, leader election
 * and moving shard slots.
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
	InformerMetrics informerMetrics(ClusterRuntimes clusters) {
		return new InformerMetrics(clusters);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	LeaderMetrics leaderMetrics(ObjectProvider<Leadership> leadership) {
		// Use a supplier, because a skipped call of any leader-only method may create
		// this bean early.
		return new LeaderMetrics(() -> ElectedLeadership.of(leadership.getIfAvailable()));
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ShardGroupMetrics shardGroupMetrics(ObjectProvider<SlotHolders> holders,
			ObjectProvider<InformersProperties> properties) {
		// Do not use a condition: ahead-of-time processing would evaluate it at build
		// time.
		return new ShardGroupMetrics(() -> {
			InformersProperties found = properties.getIfAvailable();
			boolean moving = found != null && found.shard().mode() == InformersProperties.Shard.Mode.LEASES;
			return moving ? holders.getIfAvailable() : null;
		});
	}

	// Create this bean only in a context with its own registry, because binders apply
	// only to the registries of their context. The bean of a parent also listens to the
	// reconcilers of its children.
	@Bean
	@ConditionalOnBean(value = MeterRegistry.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReconcilerMetrics reconcilerMetrics(ObjectProvider<ClusterRuntimes> clusters,
			ObjectProvider<ReconcilerRegistry> reconcilers) {
		// Use a supplier, because the registry of reconcilers needs this listener.
		return new ReconcilerMetrics(clusters::getObject, () -> {
			ReconcilerRegistry own = reconcilers.getIfAvailable();
			return (own != null) ? own.all() : List.of();
		});
	}

}
