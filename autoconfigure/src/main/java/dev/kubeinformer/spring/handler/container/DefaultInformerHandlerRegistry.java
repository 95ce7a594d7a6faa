package dev.kubeinformer.spring.handler.container;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.BeanScanner;
import dev.kubeinformer.spring.bean.ContainersLifecycle;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.types.InformerState;

/**
 * Default {@link InformerHandlerRegistry}. It searches for handlers after all singletons
 * were created, because an earlier search would create beans too early and miss their
 * proxies. If a handler handles the events of all clusters, its containers are added and
 * removed with the clusters.
 */
final class DefaultInformerHandlerRegistry
		implements InformerHandlerRegistry, ClusterRuntimes.Member, SmartInitializingSingleton, DisposableBean {

	private final ClusterRuntimes clusters;

	private final ConfiguredSettings configured;

	private final InformerListener waiting = new WaitingHandlers();

	private final BeanScanner<InformerHandler> scanner;

	private final HandlerContainerFactory containerFactory;

	private final HandlerIdValidator validator;

	/** Beans of handlers, with the clusters whose events they handle. */
	private volatile List<SelectedHandler> handlers = List.of();

	private volatile List<DefaultInformerHandlerContainer<?>> containers = List.of();

	private final RegisteredHandlers registered = new RegisteredHandlers();

	DefaultInformerHandlerRegistry(ClusterRuntimes clusters, ConfiguredSettings configured,
			BeanScanner<InformerHandler> scanner, HandlerContainerFactory containerFactory,
			HandlerIdValidator validator) {
		this.clusters = clusters;
		this.configured = configured;
		this.scanner = scanner;
		this.containerFactory = containerFactory;
		this.validator = validator;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.handlers = this.scanner.scan().stream().map(this.containerFactory::select).toList();
		this.clusters.join(this, this::begin);
	}

	private void begin(List<ClusterRuntime> all) {
		List<DefaultInformerHandlerContainer<?>> found = new ArrayList<>();
		for (SelectedHandler handler : this.handlers) {
			List<ClusterRuntime> selected = handler.selection().of(handler.bean().toString(), all);
			selected.forEach((cluster) -> found.add(create(handler, cluster)));
			if (selected.isEmpty()) {
				this.containerFactory.check(handler.bean(), this.configured);
			}
		}
		List<DefaultInformerHandlerContainer<?>> known = new ArrayList<>(this.registered.all());
		known.addAll(found);
		this.validator.validate(known, this.handlers.stream().map(SelectedHandler::id).toList());
		for (ClusterRuntime cluster : all) {
			new ResourceKeyValidator(cluster.informers(), this.configured.forCluster(cluster.name()))
				.validate(found.stream().filter((container) -> container.cluster().equals(cluster.name())).toList());
		}
		prepare(found);
		this.containers = List.copyOf(found);
		all.forEach((cluster) -> cluster.informers().addListener(this.waiting));
	}

	private DefaultInformerHandlerContainer<?> create(SelectedHandler handler, ClusterRuntime cluster) {
		return this.containerFactory.create(handler.bean(), cluster.with(this.configured));
	}

	private static void prepare(List<DefaultInformerHandlerContainer<?>> found) {
		for (DefaultInformerHandlerContainer<?> container : found) {
			if (container.isAutoStartup()) {
				container.prepare();
			}
		}
	}

	@Override
	public void added(ClusterRuntime cluster) {
		List<DefaultInformerHandlerContainer<?>> found = new ArrayList<>();
		this.handlers.stream()
			.filter((handler) -> handler.selection().contains(cluster))
			.forEach((handler) -> found.add(create(handler, cluster)));
		List<DefaultInformerHandlerContainer<?>> all = new ArrayList<>(this.containers);
		all.addAll(found);
		List<DefaultInformerHandlerContainer<?>> known = new ArrayList<>(this.registered.all());
		known.addAll(all);
		this.validator.requireUnique(known);
		prepare(found);
		this.containers = List.copyOf(all);
		cluster.informers().addListener(this.waiting);
	}

	@Override
	public void removed(ClusterRuntime cluster) {
		List<DefaultInformerHandlerContainer<?>> left = new ArrayList<>(this.containers);
		left.removeIf((container) -> container.informers() == cluster.informers());
		Set<DefaultInformerHandlerContainer<?>> late = Set.copyOf(this.registered.all());
		List<DefaultInformerHandlerContainer<?>> stopping = Stream.concat(this.containers.stream(), late.stream())
			.<DefaultInformerHandlerContainer<?>>filter((container) -> container.informers() == cluster.informers())
			.toList();
		ContainersLifecycle
			.<DefaultInformerHandlerContainer<?>>stopAll(stopping, (container) -> container, (container) -> {
				if (late.contains(container)) {
					this.registered.remove(container);
				}
				else {
					container.stop();
				}
			})
			.join();
		this.containers = List.copyOf(left);
		cluster.informers().removeListener(this.waiting);
	}

	@Override
	public <T extends KubernetesObject> InformerHandlerContainer register(String id, InformerSpec<T> spec,
			HandlerOptions options, EventHandler<T> handler) {
		ClusterRuntime cluster = cluster(id);
		return register(
				this.containerFactory.create(InformerIds.plain(cluster.name(), id), cluster, spec, options, handler));
	}

	@Override
	public <T extends KubernetesObject> InformerHandlerContainer register(String id, InformerSpec<T> spec,
			HandlerOptions options, ResourceEventHandler<? super T> handler) {
		ClusterRuntime cluster = cluster(id);
		return register(
				this.containerFactory.create(InformerIds.plain(cluster.name(), id), cluster, spec, options, handler));
	}

	private ClusterRuntime cluster(String id) {
		int dot = id.indexOf('.');
		String name = (dot >= 0) ? id.substring(0, dot) : InformerClusters.DEFAULT;
		return this.clusters.all()
			.stream()
			.filter((cluster) -> cluster.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"Cannot register handler '%s': there is no cluster '%s'; the clusters are %s".formatted(id, name,
							this.clusters.all().stream().map(ClusterRuntime::name).toList())));
	}

	private InformerHandlerContainer register(DefaultInformerHandlerContainer<?> container) {
		this.registered.add(container, (late) -> {
			List<DefaultInformerHandlerContainer<?>> all = new ArrayList<>(this.containers);
			all.addAll(late);
			requireUnique(container, all);
		});
		boolean done = false;
		try {
			container.prepare();
			this.registered.start(container);
			if (this.clusters.all().stream().noneMatch((each) -> each.informers() == container.informers())) {
				throw new IllegalStateException(
						"Cannot register handler '%s': its cluster was removed".formatted(container.id()));
			}
			done = true;
			return container;
		}
		finally {
			if (!done) {
				this.registered.remove(container);
			}
		}
	}

	private void requireUnique(DefaultInformerHandlerContainer<?> added, List<DefaultInformerHandlerContainer<?>> all) {
		try {
			this.validator.requireUnique(all);
		}
		catch (InformerConfigurationException ex) {
			throw new IllegalArgumentException(
					"Cannot register handler '%s': %s".formatted(added.id(), ex.getMessage()), ex);
		}
	}

	@Override
	public void unregister(String id) {
		DefaultInformerHandlerContainer<?> container = this.registered.find(id);
		if (container == null) {
			throw new IllegalArgumentException(
					"Handler '%s' belongs to the bean '%s' and cannot be unregistered; stop it instead".formatted(id,
							get(id).beanName()));
		}
		this.registered.remove(container);
	}

	/**
	 * Starts the handlers that the application has registered. Called after all handler
	 * beans were started.
	 */
	void started() {
		this.registered.started();
	}

	/**
	 * Records that all handlers are about to be stopped.
	 */
	void stopping() {
		this.registered.stopping();
	}

	@Override
	public void destroy() {
		this.registered.close();
		this.clusters.leave(this);
		this.clusters.all().forEach((cluster) -> cluster.informers().removeListener(this.waiting));
	}

	@Override
	public Collection<InformerHandlerContainer> all() {
		return Stream.<InformerHandlerContainer>concat(this.containers.stream(), this.registered.all().stream())
			.toList();
	}

	/**
	 * Listens to informers. When a cache is filled, stopped or removed, notifies the
	 * handlers that may wait for this cache.
	 */
	private final class WaitingHandlers implements InformerListener {

		@Override
		public void synced(Informer<?> informer, Duration duration) {
			reconsider(informer);
		}

		@Override
		public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
			reconsider(informer);
		}

		@Override
		public void informerRemoved(Informer<?> informer) {
			reconsider(informer);
		}

		private void reconsider(Informer<?> changed) {
			DefaultInformerHandlerRegistry.this.containers.forEach((container) -> container.reconsider(changed));
			DefaultInformerHandlerRegistry.this.registered.all().forEach((container) -> container.reconsider(changed));
		}

	}

}
