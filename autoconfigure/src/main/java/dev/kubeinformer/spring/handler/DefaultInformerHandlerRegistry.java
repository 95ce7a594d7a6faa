package dev.kubeinformer.spring.handler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerListener;
import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.BeanScanner;
import dev.kubeinformer.types.InformerState;

/**
 * The {@link InformerHandlerRegistry} that looks for handlers when all singletons are
 * created, so that none is created for it and no proxy is missed.
 */
final class DefaultInformerHandlerRegistry
		implements InformerHandlerRegistry, SmartInitializingSingleton, DisposableBean {

	private final Informers informers;

	private final InformerListener waiting = new WaitingHandlers();

	private final BeanScanner<InformerHandler> scanner;

	private final Function<AnnotatedBean<InformerHandler>, DefaultInformerHandlerContainer<?>> containerFactory;

	private final HandlerIdValidator validator;

	private final ResourceKeyValidator resourceKeys;

	private volatile List<DefaultInformerHandlerContainer<?>> containers = List.of();

	DefaultInformerHandlerRegistry(Informers informers, BeanScanner<InformerHandler> scanner,
			Function<AnnotatedBean<InformerHandler>, DefaultInformerHandlerContainer<?>> containerFactory,
			HandlerIdValidator validator, ResourceKeyValidator resourceKeys) {
		this.informers = informers;
		this.scanner = scanner;
		this.containerFactory = containerFactory;
		this.validator = validator;
		this.resourceKeys = resourceKeys;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<DefaultInformerHandlerContainer<?>> found = new ArrayList<>();
		this.scanner.scan().forEach((bean) -> found.add(this.containerFactory.apply(bean)));
		this.validator.validate(found);
		this.resourceKeys.validate(found);
		for (DefaultInformerHandlerContainer<?> container : found) {
			if (container.isAutoStartup()) {
				container.prepare();
			}
		}
		this.containers = List.copyOf(found);
		this.informers.addListener(this.waiting);
	}

	@Override
	public void destroy() {
		this.informers.removeListener(this.waiting);
	}

	@Override
	public InformerHandlerContainer get(String id) {
		for (InformerHandlerContainer container : this.containers) {
			if (container.id().equals(id)) {
				return container;
			}
		}
		throw new IllegalArgumentException("No informer handler has the id '%s'; the handlers are %s".formatted(id,
				this.containers.stream().map(InformerHandlerContainer::id).toList()));
	}

	@Override
	public Collection<InformerHandlerContainer> all() {
		return List.copyOf(this.containers);
	}

	/**
	 * Handlers that may have what they wait for when a cache is filled, stopped or gone.
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
		}

	}

}
