package dev.kubeinformer.spring.handler.container;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.bean.BeanScanner;
import dev.kubeinformer.spring.bean.WorkerThreads;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.HandlerDecorator;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.handler.event.AllSyncedEventSource;
import dev.kubeinformer.spring.handler.event.ClusterHandlers;
import dev.kubeinformer.spring.handler.event.EventSource;
import dev.kubeinformer.spring.handler.event.EventThread;
import dev.kubeinformer.spring.handler.event.FailedEventSource;
import dev.kubeinformer.spring.handler.event.HandlerSyncedEventSource;
import dev.kubeinformer.spring.handler.event.InformerEventPublisher;
import dev.kubeinformer.spring.handler.event.SyncEventLedger;
import dev.kubeinformer.spring.handler.method.InvalidHandlerException;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.leader.LeaderElection;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Configures the beans that find and run handlers. Each application context runs its own
 * handlers. Child contexts share the informers of their parents.
 * <p>
 * Each context checks its properties of handlers against its own handlers and those of
 * its parents, because a parent cannot know its future children. So
 * {@code kubernetes.informers.handlers.<id>} for a handler of a child belongs in the
 * child's own environment. In the parent's environment, it is an error.
 */
@Configuration(proxyBeanMethods = false)
public class InformerHandlerConfiguration {

	@Bean
	@ConditionalOnMissingBean(value = InformerHandlerRegistry.class, search = SearchStrategy.CURRENT)
	DefaultInformerHandlerRegistry informerHandlerRegistry(ConfigurableListableBeanFactory beanFactory,
			ClusterRuntimes clusters, ConfiguredSettings configured, ObjectProvider<HandlerDecorator> decorators,
			InjectedInformers injected, LeaderElection election, Environment environment, InformerHandlers all) {
		HandlerDefinitionFactory definitions = new HandlerDefinitionFactory(new AnnotationValues(beanFactory),
				new ErrorHandlers(beanFactory), WorkerThreads.of(environment), election);
		HandlerContainerFactory containers = new HandlerContainerFactory(beanFactory, clusters, definitions,
				decorators.orderedStream().toList(), injected, all.changedNamespaces());
		return new DefaultInformerHandlerRegistry(clusters, configured,
				new BeanScanner<>(beanFactory, InformerHandler.class,
						List.of(OnAdd.class, OnUpdate.class, OnDelete.class), InvalidHandlerException::new),
				containers, new HandlerIdValidator(clusters, configured, all));
	}

	@Bean
	@ConditionalOnMissingBean
	InformerHandlers informerHandlers() {
		return new InformerHandlers();
	}

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerHandlers.Member informerHandlersMember(InformerHandlers all, Informers informers,
			InformerHandlerRegistry registry) {
		return all.join(informers, registry);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerHandlerLifecycle informerHandlerLifecycle(InformerHandlerRegistry registry, ClusterRuntimes clusters) {
		return new InformerHandlerLifecycle(registry, clusters);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerEventPublisher informerEventPublisher(ConfigurableListableBeanFactory beanFactory,
			ApplicationEventPublisher publisher, ClusterRuntimes clusters, InformerHandlerRegistry registry) {
		BeanFactory parent = beanFactory.getParentBeanFactory();
		ClusterRuntimes shared = (parent != null) ? parent.getBeanProvider(ClusterRuntimes.class).getIfAvailable()
				: null;
		return new InformerEventPublisher(publisher, clusters,
				(thread, cluster) -> eventSources(thread, cluster, registry, isOf(shared, cluster)));
	}

	private static boolean isOf(@Nullable ClusterRuntimes clusters, ClusterRuntime cluster) {
		return clusters != null && clusters.all().stream().anyMatch((each) -> each.informers() == cluster.informers());
	}

	private static List<EventSource> eventSources(EventThread thread, ClusterRuntime cluster,
			InformerHandlerRegistry registry, boolean child) {
		SyncEventLedger published = new SyncEventLedger();
		AllSyncedEventSource all = new AllSyncedEventSource(thread, cluster, registry, published, child);
		EventSource handlers = new HandlerSyncedEventSource(thread, new ClusterHandlers(registry, cluster.name()),
				published, all::publishIfAllAreSynced);
		// A child context shares the informers of its parent, and the parent publishes
		// the failures of these informers.
		return child ? List.of(handlers, all) : List.of(new FailedEventSource(thread), handlers, all);
	}

}
