package dev.kubeinformer.spring.handler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The {@link InformerHandlerRegistry} that looks for handlers when all singletons are
 * created, so that none is created for it and no proxy is missed.
 */
final class DefaultInformerHandlerRegistry implements InformerHandlerRegistry, SmartInitializingSingleton {

	private final HandlerScanner scanner;

	private final Function<HandlerBean, DefaultInformerHandlerContainer<?>> containerFactory;

	private final HandlerIdValidator validator;

	private final ResourceKeyValidator resourceKeys;

	private volatile List<InformerHandlerContainer> containers = List.of();

	DefaultInformerHandlerRegistry(HandlerScanner scanner,
			Function<HandlerBean, DefaultInformerHandlerContainer<?>> containerFactory, HandlerIdValidator validator,
			ResourceKeyValidator resourceKeys) {
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
		return this.containers;
	}

}
