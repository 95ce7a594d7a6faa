package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Clock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.leader.ElectedLeadership;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.spring.shard.ShardGroup;

/**
 * Auto-configuration for the health of informers, handlers, reconcilers and leader
 * election.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class)
@ConditionalOnClass({ CompositeHealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("informers")
public final class InformerHealthContributorAutoConfiguration {

	private static final String CONTRIBUTOR = "informersHealthContributor";

	InformerHealthContributorAutoConfiguration() {
	}

	@Bean(CONTRIBUTOR)
	@ConditionalOnBean({ Informers.class, InformerHandlerRegistry.class })
	@ConditionalOnMissingBean(name = CONTRIBUTOR)
	InformersHealthContributor informersHealthContributor(ClusterRuntimes clusters, InformerHandlers handlers,
			Reconcilers reconcilers, MissingRights missingRights, InformerStatusMapper statusMapper,
			ObjectProvider<Leadership> leadership, ObjectProvider<Shards> shards, InformersProperties properties,
			Environment environment) {
		ElectedLeadership elected = ElectedLeadership.of(leadership.getIfAvailable());
		ShardGroup group = ShardGroup.of(shards.getIfAvailable());
		return new InformersHealthContributor(clusters,
				new ClusterHealth(handlers, reconcilers, missingRights, statusMapper),
				(elected != null) ? new LeaderHealthIndicator(elected.status(),
						() -> clusters.isMultiple() ? leaseCluster(environment) : null) : null,
				(group != null) ? new ShardsHealthIndicator(group.status(), properties.shard().unheldAfter(),
						Clock.systemUTC(), () -> clusters.isMultiple() ? properties.shard().cluster() : null) : null);
	}

	private static String leaseCluster(Environment environment) {
		String cluster = environment.getProperty("kubernetes.leader.cluster", "").strip();
		return cluster.isEmpty() ? InformerClusters.DEFAULT : cluster;
	}

	@Bean(CONTRIBUTOR)
	@ConditionalOnBooleanProperty(name = "kubernetes.informers.enabled", havingValue = false)
	@ConditionalOnMissingBean(name = CONTRIBUTOR)
	DisabledInformersHealthContributor disabledInformersHealthContributor() {
		return new DisabledInformersHealthContributor();
	}

	@Bean
	@ConditionalOnBean({ Informers.class, InformerHandlerRegistry.class })
	@ConditionalOnMissingBean
	InformerStatusMapper informerStatusMapper(InformersProperties properties) {
		return new InformerStatusMapper(properties.health().staleAfter(), Clock.systemUTC());
	}

}
