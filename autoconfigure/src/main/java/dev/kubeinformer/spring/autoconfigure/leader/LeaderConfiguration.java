package dev.kubeinformer.spring.autoconfigure.leader;

import java.time.Duration;

import io.kubernetes.client.openapi.ApiClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.autoconfigure.client.ConnectionGuard;
import dev.kubeinformer.spring.leader.LeaderElection;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Configures the leadership. If {@code kubernetes.leader.enabled} is set and informers
 * are enabled, an elector decides which replica leads. Otherwise every replica leads.
 * Nothing connects before the elector starts.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeaderProperties.class)
public class LeaderConfiguration {

	/**
	 * Time that the elector waits in addition to the drain timeout. Handlers and
	 * reconcilers normally end within the drain timeout.
	 */
	private static final Duration DRAIN_MARGIN = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(LeaderConfiguration.class);

	@Bean(ForeignElectionReport.OURS)
	@ConditionalOnMissingBean
	Leadership kubernetesLeadership(LeaderProperties properties, ConfiguredSettings configured, LeaseClusters clusters,
			ObjectProvider<ConnectionGuard> guards, Environment environment, ApplicationContext context) {
		if (!properties.enabled()) {
			return LeaderElector.always();
		}
		if (!configured.isEnabled()) {
			logger.info(
					"No leader is elected because Kubernetes informers are disabled (kubernetes.informers.enabled=false): "
							+ "this replica leads");
			return LeaderElector.always();
		}
		LeaseClusters.LeaseCluster cluster = clusters.require(LeaderProperties.PREFIX + ".cluster",
				properties.cluster());
		LeaderSpec spec = new LeaseSettings(properties, environment, cluster.namespace(), configured.shard()).spec()
			.withDrainTimeout(configured.drainTimeout().plus(DRAIN_MARGIN));
		LeaderElector elector = LeaderElector.of(() -> guarded(cluster.client().get(), guards), spec);
		if (properties.onLost() == LeaderProperties.OnLost.EXIT) {
			elector.addListener(new LostLeadershipExit(context, System::exit));
		}
		return elector;
	}

	private static ApiClient guarded(ApiClient client, ObjectProvider<ConnectionGuard> guards) {
		guards.forEach((guard) -> guard.check(client));
		return client;
	}

	@Bean
	@ConditionalOnMissingBean
	LeaderElection leaderElection(Leadership leadership, LeaderProperties properties, ConfiguredSettings configured,
			ListableBeanFactory beanFactory, Environment environment) {
		if (configured.isEnabled()) {
			new ForeignElectionReport(beanFactory, environment).log();
		}
		return new LeaderElection(leadership, properties.enabled() && configured.isEnabled());
	}

	// A child context shares the leadership of its parent. If the parent does not elect a
	// leader, each replica would run leader-only work of the child.
	@Bean
	InitializingBean childLeaderCheck(LeaderElection election, ConfiguredSettings configured, Environment environment) {
		return () -> {
			// Read the environment instead of the properties, because a child context
			// shares the properties and the leadership of its parent, but has its own
			// environment.
			if (configured.isEnabled() && !election.isElecting()
					&& Binder.get(environment)
						.bind(LeaderProperties.PREFIX + ".enabled", Boolean.class)
						.orElse(false)) {
				throw new InformerConfigurationException(
						"'kubernetes.leader.enabled' is true in a child context, but its parent context, with which it shares "
								+ "informers and leadership, elects no leader",
						"Set 'kubernetes.leader.enabled=true' and the other properties below 'kubernetes.leader' in the "
								+ "environment of the parent context, or remove it from that of the child.");
			}
		};
	}

}
