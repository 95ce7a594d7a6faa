package dev.kubeinformer.spring.leader;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

import dev.kubeinformer.Informers;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Configures the beans that follow the terms of this replica: the lifecycle and events of
 * the elector, and leader-only methods. Child contexts share the elector of their
 * parents, publish its events too, and have their own leader-only methods.
 */
@Configuration(proxyBeanMethods = false)
public class LeaderOnlyConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeadershipLifecycle leadershipLifecycle(Leadership leadership, Informers informers, ApplicationContext context) {
		return new LeadershipLifecycle(leadership, informers, context);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	LeadershipEventPublisher leadershipEventPublisher(Leadership leadership,
			ConfigurableListableBeanFactory beanFactory, ApplicationEventPublisher publisher) {
		return new LeadershipEventPublisher(leadership,
				OrderedEvents.publisher(beanFactory, publisher, LeadershipEventPublisher.class));
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	LeaderOnlyCalls leaderOnlyCalls(LeaderElection election, ConfiguredSettings configured) {
		return new LeaderOnlyCalls(election, configured.drainTimeout());
	}

	// The method is static and its parameters are providers, because a post-processor is
	// created before other beans.
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(ObjectProvider<LeaderOnlyCalls> calls,
			ObjectProvider<LeaderSkipListener> listeners) {
		return new LeaderOnlyBeanPostProcessor(
				new LeaderOnlyInterceptor(SingletonSupplier.of(calls::getObject), listeners));
	}

}
