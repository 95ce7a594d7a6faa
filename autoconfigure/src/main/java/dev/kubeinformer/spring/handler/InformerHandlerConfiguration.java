package dev.kubeinformer.spring.handler;

import java.util.List;
import java.util.function.Supplier;

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
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;

/**
 * Configuration of what finds and runs handlers: those of each context by themselves, on
 * informers that child contexts share with their parents.
 * <p>
 * What the configuration says about a handler is checked by the context that reads it,
 * against its own handlers and those of its parents, for a parent cannot know which
 * children will come. So {@code kubernetes.informers.handlers.<id>} of a child's handler
 * belongs into the child's own environment; in the parent's it is an error there.
 */
@Configuration(proxyBeanMethods = false)
public class InformerHandlerConfiguration {

	@Bean
	@ConditionalOnMissingBean(value = InformerHandlerRegistry.class, search = SearchStrategy.CURRENT)
	DefaultInformerHandlerRegistry informerHandlerRegistry(ConfigurableListableBeanFactory beanFactory,
			Informers informers, ConfiguredSettings configured, InformerSpecs specs,
			ObjectProvider<HandlerDecorator> decorators, InjectedInformers injected, Environment environment) {
		HandlerDefinitionFactory definitions = new HandlerDefinitionFactory(new AnnotationValues(beanFactory),
				configured, specs, new ErrorHandlers(beanFactory), WorkerThreads.of(environment));
		HandlerContainerFactory containers = new HandlerContainerFactory(beanFactory, informers, definitions,
				decorators.orderedStream().toList(), injected);
		return new DefaultInformerHandlerRegistry(informers,
				new BeanScanner<>(beanFactory, InformerHandler.class,
						List.of(OnAdd.class, OnUpdate.class, OnDelete.class), InvalidHandlerException::new),
				containers::create, new HandlerIdValidator(informers, configured, parentHandlers(beanFactory)),
				new ResourceKeyValidator(informers, configured));
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
	InformerHandlerLifecycle informerHandlerLifecycle(InformerHandlerRegistry registry) {
		return new InformerHandlerLifecycle(registry);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerEventPublisher informerEventPublisher(ConfigurableListableBeanFactory beanFactory,
			ApplicationEventPublisher publisher, Informers informers, InformerHandlerRegistry registry) {
		BeanFactory parent = beanFactory.getParentBeanFactory();
		boolean child = parent != null && parent.getBeanProvider(Informers.class).getIfAvailable() == informers;
		return new InformerEventPublisher(publisher, informers,
				(thread) -> eventSources(thread, informers, registry, child));
	}

	private static List<EventSource> eventSources(EventThread thread, Informers informers,
			InformerHandlerRegistry registry, boolean child) {
		PublishedSyncs published = new PublishedSyncs();
		AllSyncedEventSource all = new AllSyncedEventSource(thread, informers, registry, published, child);
		EventSource handlers = new HandlerSyncedEventSource(thread, registry, published, all::publishIfAllAreSynced);
		// The parent publishes the failures of informers that both share.
		return child ? List.of(handlers, all) : List.of(new FailedEventSource(thread), handlers, all);
	}

	private static Supplier<List<String>> parentHandlers(ConfigurableListableBeanFactory beanFactory) {
		BeanFactory parent = beanFactory.getParentBeanFactory();
		return () -> (parent != null) ? parent.getBeanProvider(InformerHandlerRegistry.class)
			.stream()
			.flatMap((registry) -> registry.all().stream().map(InformerHandlerContainer::id))
			.toList() : List.of();
	}

}
