package dev.kubeinformer.spring.leader;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
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
		BeanFactory parent = beanFactory.getParentBeanFactory();
		boolean child = parent != null
				&& parent.getBeanProvider(LeadershipEventPublisher.class).stream().findAny().isPresent();
		// Publish only in this context: an event that a child publishes also reaches its
		// parents, which publish their
		// own.
		return new LeadershipEventPublisher(leadership,
				child ? (event) -> publishHere(event, beanFactory) : publisher::publishEvent);
	}

	private static void publishHere(ApplicationEvent event, BeanFactory beanFactory) {
		beanFactory
			.getBean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
					ApplicationEventMulticaster.class)
			.multicastEvent(event);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	LeaderOnlyCalls leaderOnlyCalls(LeaderElection election, ConfiguredSettings configured) {
		return new LeaderOnlyCalls(election, configured.drainTimeout());
	}

	// The method is static and needs no bean, because this bean is created before all
	// others.
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(ObjectProvider<LeaderOnlyCalls> calls,
			ObjectProvider<LeaderSkipListener> listeners) {
		return new LeaderOnlyBeanPostProcessor(
				new LeaderOnlyInterceptor(SingletonSupplier.of(calls::getObject), listeners));
	}

}
