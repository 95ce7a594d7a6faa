package dev.kubeinformer.spring.shard;

import java.time.Clock;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.leader.OrderedEvents;

/**
 * Configures the beans for changes of the shard slots: their lifecycle, listeners and
 * application events. Child contexts share the {@link Shards} of their parents, publish
 * their events too, and have their own listeners.
 */
@Configuration(proxyBeanMethods = false)
public class ShardFollowersConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ShardsLifecycle shardsLifecycle(Shards shards, ClusterRuntimes clusters, ApplicationContext context) {
		return new ShardsLifecycle(shards, clusters, context);
	}

	@Bean
	@ConditionalOnMissingBean
	ShardsLifecycle.HandOver shardsHandOver(ShardsLifecycle lifecycle) {
		return new ShardsLifecycle.HandOver(lifecycle);
	}

	@Bean
	@ConditionalOnMissingBean
	SlotHolders shardSlotHolders(Shards shards) {
		return new SlotHolders(shards, Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ShardListeners shardListeners(Shards shards, ListableBeanFactory beanFactory) {
		return new ShardListeners(shards, beanFactory);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ShardEventPublisher shardEventPublisher(Shards shards, ConfigurableListableBeanFactory beanFactory,
			ApplicationEventPublisher publisher) {
		return new ShardEventPublisher(shards,
				OrderedEvents.publisher(beanFactory, publisher, ShardEventPublisher.class));
	}

}
