package dev.kubeinformer.spring.reconciler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.BeanScanner;

/**
 * Finder of the reconcilers of an application context: reads all, checks them together,
 * and then makes their containers. The caches of those that start with the application
 * are made known, so that they start with all others.
 */
final class ReconcilerFinder implements Supplier<Map<ReconcilerContainer, ReconcilerDetails>> {

	private final Informers informers;

	private final BeanScanner<Reconciler> scanner;

	private final ReconcilerDefinitionFactory definitions;

	private final ReconcilerIdValidator validator;

	private final Supplier<List<ReconcilerListener>> listeners;

	private final Function<ReconcilerSpec<?>, ReconcilerContainer> containers;

	ReconcilerFinder(Informers informers, BeanScanner<Reconciler> scanner, ReconcilerDefinitionFactory definitions,
			ReconcilerIdValidator validator, Supplier<List<ReconcilerListener>> listeners,
			Function<ReconcilerSpec<?>, ReconcilerContainer> containers) {
		this.informers = informers;
		this.scanner = scanner;
		this.definitions = definitions;
		this.validator = validator;
		this.listeners = listeners;
		this.containers = containers;
	}

	@Override
	public Map<ReconcilerContainer, ReconcilerDetails> get() {
		List<ReconcilerListener> all = this.listeners.get();
		List<ReconcilerDefinition<?>> found = new ArrayList<>();
		this.scanner.scan().forEach((bean) -> found.add(this.definitions.create(bean, all)));
		this.validator.validate(found);
		Map<ReconcilerContainer, ReconcilerDetails> reconcilers = new LinkedHashMap<>();
		try {
			found.forEach((definition) -> reconcilers.put(create(definition), definition.details()));
		}
		catch (RuntimeException ex) {
			// The informers may outlive this context, and would keep the ids.
			reconcilers.keySet().forEach(ReconcilerContainer::close);
			throw ex;
		}
		return reconcilers;
	}

	private ReconcilerContainer create(ReconcilerDefinition<?> definition) {
		if (definition.details().autoStartup()) {
			definition.sources().forEach(this.informers::informer);
		}
		return this.containers.apply(definition.spec());
	}

}
