package dev.kubeinformer.spring.autoconfigure.shard;

import java.util.Set;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.autoconfigure.client.ConnectionGuard;
import dev.kubeinformer.spring.autoconfigure.leader.LeaseClusters;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.shard.FixedShards;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * Configures the distribution of objects over the replicas: by Leases if
 * {@code kubernetes.informers.shard.mode} is {@code leases} and informers are enabled;
 * otherwise one that never changes, so that code that injects it runs everywhere. Nothing
 * connects before the application starts.
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

	private static String name(Environment environment) {
		String host = environment.getProperty("HOSTNAME");
		return StringUtils.hasText(host) ? host.strip() : "local";
	}

}
