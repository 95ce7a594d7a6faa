package dev.kubeinformer.spring.autoconfigure.shard;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.autoconfigure.client.ConnectionGuard;
import dev.kubeinformer.spring.autoconfigure.leader.LeaseClusters;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.shard.FixedShards;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * Configures the {@link Shards} bean, which tells how objects are distributed over the
 * replicas. If {@code kubernetes.informers.shard.mode} is {@code leases} and informers
 * are enabled, Leases decide the distribution. Otherwise the distribution never changes,
 * but the bean exists, so that code can inject it in each mode. Nothing connects before
 * the application starts.
 */
@Configuration(proxyBeanMethods = false)
public class ShardsConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Shards kubernetesShards(InformersProperties properties, ConfiguredSettings configured, LeaseClusters clusters,
			ObjectProvider<ConnectionGuard> guards, Environment environment) {
		InformersProperties.Shard shard = properties.shard();
		String name = name(environment);
		Shard fixed = configured.shard();
		if (fixed != null) {
			return new FixedShards(new Slots(fixed.key(), fixed.total()), Set.of(fixed.index()), name);
		}
		ShardKey key = (shard.key() != null) ? shard.key() : ShardKey.UID;
		if (shard.mode() != InformersProperties.Shard.Mode.LEASES) {
			return FixedShards.sole(key, 1, name);
		}
		if (!configured.isEnabled()) {
			return FixedShards.sole(key, shard.slots(), name);
		}
		return new MembershipFactory(shard, environment, configured.drainTimeout())
			.create(clusters.require(MembershipFactory.PREFIX + "cluster", shard.cluster()), (client) -> {
				guards.forEach((guard) -> guard.check(client));
				return client;
			});
	}

	// Without this check, two errors would go unnoticed. In mode 'static', informers
	// would ignore a ShardMembership bean of the application. In a child context, the
	// mode 'leases' would have no effect, because the context shares the slots of its
	// parent.
	@Bean
	InitializingBean shardModeCheck(InformersProperties properties, ConfiguredSettings configured,
			ListableBeanFactory beanFactory) {
		return () -> {
			InformersProperties.Shard.Mode mode = properties.shard().mode();
			Map<String, Shards> own = configured.isEnabled() ? beanFactory.getBeansOfType(Shards.class) : Map.of();
			if (configured.isEnabled() && mode == InformersProperties.Shard.Mode.LEASES && own.isEmpty()
					&& configured.shards() instanceof FixedShards) {
				throw new InformerConfigurationException(
						"'kubernetes.informers.shard.mode' is 'leases' in a child context, but its parent context, with "
								+ "which it shares informers and slots, divides nothing by Leases",
						"Set 'kubernetes.informers.shard.mode=leases' and the other properties below "
								+ "'kubernetes.informers.shard' in the environment of the parent context, or remove it "
								+ "from that of the child.");
			}
			if (mode == InformersProperties.Shard.Mode.STATIC
					&& own.values().stream().anyMatch(ShardMembership.class::isInstance)) {
				throw new InformerConfigurationException(
						"A bean of the application is a ShardMembership, but informers would ignore it because "
								+ "'kubernetes.informers.shard.mode' is 'static'",
						"Set 'kubernetes.informers.shard.mode' to 'leases', and 'key' to the key of the membership, so that "
								+ "informers have its slots. Set it to 'none' if only other code uses the membership.");
			}
		};
	}

	/**
	 * Returns the longest time that this replica may need to hand over its slots when the
	 * application stops.
	 * @param properties the properties
	 * @return the time; zero if no slots move
	 */
	public static Duration handOverTime(InformersProperties properties) {
		InformersProperties.Shard shard = properties.shard();
		if (!properties.enabled() || shard.mode() != InformersProperties.Shard.Mode.LEASES) {
			return Duration.ZERO;
		}
		// The last requests for the Lease may take half of the renew deadline.
		return properties.shutdown()
			.drainTimeout()
			.plus(MembershipFactory.DRAIN_MARGIN)
			.plus(shard.renewDeadline().dividedBy(2));
	}

	private static String name(Environment environment) {
		String host = environment.getProperty("HOSTNAME");
		return StringUtils.hasText(host) ? host.strip() : "local";
	}

}
