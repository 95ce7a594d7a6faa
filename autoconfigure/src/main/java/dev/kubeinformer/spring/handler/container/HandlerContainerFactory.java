package dev.kubeinformer.spring.handler.container;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spi.DeliveryFence;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.AsyncMethods;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.HandlerDecorator;
import dev.kubeinformer.spring.handler.NamespaceOverrides;
import dev.kubeinformer.spring.handler.method.HandlerMethodReader;
import dev.kubeinformer.spring.handler.method.HandlerMethods;
import dev.kubeinformer.spring.handler.method.HandlerModel;
import dev.kubeinformer.spring.handler.method.InterfaceEventHandler;
import dev.kubeinformer.spring.handler.method.InvalidHandlerException;
import dev.kubeinformer.spring.handler.method.MethodEventHandler;
import dev.kubeinformer.spring.handler.method.RegisteredMethods;
import dev.kubeinformer.spring.inject.CacheSyncAwaiter;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Creates containers of handler beans in both styles: annotated methods and
 * {@code ResourceEventHandler}.
 */
final class HandlerContainerFactory {

	private final ConfigurableListableBeanFactory beanFactory;

	private final BeanMethods beanMethods;

	private final AsyncMethods asyncMethods;

	private final HandlerMethodReader methodReader;

	private final HandlerDefinitionFactory definitions;

	private final List<HandlerDecorator> decorators;

	private final InjectedInformers injected;

	private final CacheSyncAwaiter await;

	private final NamespaceOverrides changed;

	HandlerContainerFactory(ConfigurableListableBeanFactory beanFactory, ClusterRuntimes clusters,
			HandlerDefinitionFactory definitions, List<HandlerDecorator> decorators, InjectedInformers injected,
			NamespaceOverrides changed) {
		this.beanFactory = beanFactory;
		this.await = new CacheSyncAwaiter(clusters);
		this.beanMethods = new BeanMethods(beanFactory);
		this.asyncMethods = new AsyncMethods(beanFactory);
		this.methodReader = new HandlerMethodReader(beanFactory);
		this.definitions = definitions;
		this.decorators = decorators;
		this.injected = injected;
		this.changed = changed;
	}

	SelectedHandler select(AnnotatedBean<InformerHandler> bean) {
		return this.definitions.select(bean);
	}

	DefaultInformerHandlerContainer<?> create(AnnotatedBean<InformerHandler> bean, ClusterRuntime cluster) {
		HandlerMethods methods = read(bean);
		return (methods != null)
				? methodContainer(bean, methods, this.definitions.resourceType(bean, methods.model()), cluster)
				: interfaceContainer(bean, this.definitions.resourceType(bean, interfaceType(bean)), cluster);
	}

	/**
	 * Checks a handler bean if none of its clusters exists yet.
	 * @param bean the bean
	 * @param configured the configuration
	 */
	void check(AnnotatedBean<InformerHandler> bean, ConfiguredSettings configured) {
		HandlerMethods methods = read(bean);
		if (methods == null) {
			interfaceType(bean);
		}
		refuseAsync(bean, (methods != null) ? methods.called() : InterfaceEventHandler.called(bean.type()),
				this.definitions.asked(bean, configured));
	}

	private @Nullable HandlerMethods read(AnnotatedBean<InformerHandler> bean) {
		HandlerMethods methods = this.methodReader.read(bean);
		boolean interfaceStyle = ResourceEventHandler.class.isAssignableFrom(bean.type());
		if (methods != null && interfaceStyle) {
			throw new InvalidHandlerException(bean,
					"implements 'ResourceEventHandler' and has @OnAdd, @OnUpdate or @OnDelete methods",
					"Keep one of the two; otherwise it is not clear which is called.");
		}
		if (methods != null) {
			return methods;
		}
		if (!interfaceStyle) {
			throw new InvalidHandlerException(bean, "has no method to call",
					"Annotate a method with @OnAdd, @OnUpdate or @OnDelete, or implement 'ResourceEventHandler<T>'."
							+ this.beanMethods.adviceIfHidden(bean));
		}
		requireReachable(bean);
		return null;
	}

	private void requireReachable(AnnotatedBean<InformerHandler> bean) {
		Class<?> exposed = this.beanMethods.exposedType(bean);
		for (Method declared : ResourceEventHandler.class.getMethods()) {
			Method method = ClassUtils.getMostSpecificMethod(declared, bean.type());
			if (BeanMethods.bypassesProxy(method, exposed)) {
				throw InvalidHandlerException.notInProxy(bean, method, null);
			}
		}
	}

	private <T extends KubernetesObject> DefaultInformerHandlerContainer<T> methodContainer(
			AnnotatedBean<InformerHandler> bean, HandlerMethods methods, ResourceType<T> type, ClusterRuntime cluster) {
		Supplier<Object> instance = instance(bean);
		HandlerDefinition<T> definition = this.definitions.create(bean, type, cluster);
		refuseAsync(bean, methods.called(), definition.settings());
		return container(definition, cluster, instance, new MethodEventHandler<>(instance, methods.byEvent()),
				methods.called());
	}

	private <T extends KubernetesObject> DefaultInformerHandlerContainer<T> interfaceContainer(
			AnnotatedBean<InformerHandler> bean, ResourceType<T> type, ClusterRuntime cluster) {
		Supplier<Object> instance = instance(bean);
		Map<ResourceEvent.Type, Method> called = InterfaceEventHandler.called(bean.type());
		HandlerDefinition<T> definition = this.definitions.create(bean, type, cluster);
		refuseAsync(bean, called, definition.settings());
		return container(definition, cluster, instance, new InterfaceEventHandler<>(instance), called);
	}

	private void refuseAsync(AnnotatedBean<InformerHandler> bean, Map<ResourceEvent.Type, Method> called,
			InformerSettings settings) {
		String asynchronous = settings.get(HandlerSettings.ALLOW_ASYNC, false) ? null
				: this.asyncMethods.find(bean, called.values());
		if (asynchronous != null) {
			throw new InvalidHandlerException(bean,
					"has %s: its events would count as handled before it runs, so there would be no retry, no call of an InformerErrorHandler and no order of the events of an object, and sync, readiness and a stop would not wait for it"
						.formatted(asynchronous),
					("Remove @Async, and set 'concurrency' to handle events of several objects at once. If this is intended, "
							+ "set allowAsync = \"true\" at @InformerHandler, or "
							+ "'kubernetes.informers.handlers.%s.allow-async' to true.")
						.formatted(this.definitions.select(bean).id()));
		}
	}

	/**
	 * Creates the container of a handler that the application registers.
	 * @param <T> the model class
	 * @param id the id within the cluster
	 * @param cluster the cluster
	 * @param spec the spec of its informer
	 * @param options the options for the delivery of events
	 * @param handler the handler
	 * @return the container
	 */
	<T extends KubernetesObject> DefaultInformerHandlerContainer<T> create(String id, ClusterRuntime cluster,
			InformerSpec<T> spec, HandlerOptions options, EventHandler<T> handler) {
		return container(this.definitions.create(id, spec, options, cluster), cluster, () -> handler, handler,
				RegisteredMethods.of(handler));
	}

	/**
	 * Creates the container of a handler that the application registers.
	 * @param <T> the model class
	 * @param id the id within the cluster
	 * @param cluster the cluster
	 * @param spec the spec of its informer
	 * @param options the options for the delivery of events
	 * @param handler the handler
	 * @return the container
	 */
	<T extends KubernetesObject> DefaultInformerHandlerContainer<T> create(String id, ClusterRuntime cluster,
			InformerSpec<T> spec, HandlerOptions options, ResourceEventHandler<? super T> handler) {
		return container(this.definitions.create(id, spec, options, cluster), cluster, () -> handler,
				new InterfaceEventHandler<>(() -> handler), InterfaceEventHandler.called(handler.getClass()));
	}

	private <T extends KubernetesObject> DefaultInformerHandlerContainer<T> container(HandlerDefinition<T> definition,
			ClusterRuntime cluster, Supplier<Object> instance, EventHandler<T> handler,
			Map<ResourceEvent.Type, Method> methods) {
		Leadership leadership = definition.options().leadership();
		DeliveryFence fence = (leadership != null) ? new DeliveryFence(leadership::isLeader) : null;
		EventHandler<T> decorated = decorate((fence != null) ? fenced(handler, fence) : handler, definition);
		HandlerDependencies wait = definition.isOn(HandlerSettings.WAIT_FOR_CACHES)
				? new HandlerDependencies(cluster.informers(), this.await, definition.spec(), this.injected, instance,
						() -> readBy(definition.origin().beanName()))
				: null;
		return new DefaultInformerHandlerContainer<>(cluster.informers(), observed(definition), decorated, wait,
				methods, fence, this.changed);
	}

	// Check the leadership inside all decorators: the term may end while a decorator
	// waits, and then the handler must not be called.
	private static <T extends KubernetesObject> EventHandler<T> fenced(EventHandler<T> handler, DeliveryFence fence) {
		return (event) -> {
			if (fence.admits()) {
				handler.handle(event);
			}
		};
	}

	private Set<Informer<?>> readBy(String bean) {
		// A registered handler is not a bean, so the informers that it reads are unknown.
		return this.beanFactory.containsBean(bean) ? this.injected.readBy(this.beanFactory, bean) : Set.of();
	}

	private <T extends KubernetesObject> EventHandler<T> decorate(EventHandler<T> handler,
			HandlerDefinition<T> definition) {
		EventHandler<T> decorated = handler;
		for (int i = this.decorators.size() - 1; i >= 0; i--) {
			decorated = this.decorators.get(i).decorate(decorated, definition.id(), definition.spec());
		}
		return decorated;
	}

	private <T extends KubernetesObject> HandlerDefinition<T> observed(HandlerDefinition<T> definition) {
		DeliveryObserver observer = definition.options().observer();
		for (int i = this.decorators.size() - 1; i >= 0; i--) {
			observer = NestedObserver.of(this.decorators.get(i).observer(definition.id(), definition.spec()), observer);
		}
		return definition.withOptions(definition.options().withObserver(observer));
	}

	private Supplier<Object> instance(AnnotatedBean<InformerHandler> bean) {
		// Get the bean when the first event is delivered, so that a lazy bean stays lazy.
		return SingletonSupplier.of(() -> this.beanFactory.getBean(bean.name()));
	}

	private static ModelType interfaceType(AnnotatedBean<InformerHandler> bean) {
		Class<? extends KubernetesObject> given = HandlerModel.given(bean);
		ResolvableType named = typeArgument(ResolvableType.forClass(bean.type()));
		if (ModelType.isOpen(named)) {
			// The class is generic, but the bean method may declare the type argument.
			named = typeArgument(bean.declaredType());
		}
		if (ModelType.isMetadata(named)) {
			return HandlerModel.of(bean, List.of(named));
		}
		Class<?> argument = named.resolve(KubernetesObject.class);
		if (!argument.isAssignableFrom(given) && given != KubernetesObject.class) {
			throw HandlerModel.ambiguous(bean, List.of(given, argument));
		}
		Class<?> objectClass = (given != KubernetesObject.class) ? given : argument;
		if (objectClass == KubernetesObject.class) {
			throw new InvalidHandlerException(bean, "does not say which resource it handles",
					"Name the model class as type argument of 'ResourceEventHandler' or in @InformerHandler(V1Pod.class).");
		}
		return new ModelType(objectClass.asSubclass(KubernetesObject.class), false);
	}

	private static ResolvableType typeArgument(ResolvableType type) {
		return type.as(ResourceEventHandler.class).getGeneric(0);
	}

}
