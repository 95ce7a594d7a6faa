package dev.kubeinformer.spring.reconciler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.BeanScanner;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterSelection;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Finds the reconcilers of an application context: reads all of them, checks them
 * together, then creates their containers, one in each selected cluster. Registers the
 * informers of reconcilers that start with the application, so that they start together
 * with all other informers.
 */
final class ReconcilerFinder {

	private final ConfiguredSettings configured;

	private final BeanScanner<Reconciler> scanner;

	private final ReconcilerDefinitionFactory definitions;

	private final ReconcilerIdValidator validator;

	private final Supplier<List<ReconcilerListener>> listeners;

	private final BiFunction<Informers, ReconcilerSpec<?>, ReconcilerContainer> containers;

	/** Reconciler beans with the clusters whose objects they reconcile. */
	private volatile List<Selected> selected = List.of();

	ReconcilerFinder(ConfiguredSettings configured, BeanScanner<Reconciler> scanner,
			ReconcilerDefinitionFactory definitions, ReconcilerIdValidator validator,
			Supplier<List<ReconcilerListener>> listeners,
			BiFunction<Informers, ReconcilerSpec<?>, ReconcilerContainer> containers) {
		this.configured = configured;
		this.scanner = scanner;
		this.definitions = definitions;
		this.validator = validator;
		this.listeners = listeners;
		this.containers = containers;
	}

	/**
	 * Finds the reconcilers.
	 * @param clusters all clusters
	 * @return the containers with their details
	 */
	Map<ReconcilerContainer, Found> find(List<ClusterRuntime> clusters) {
		this.selected = this.scanner.scan()
			.stream()
			.map((bean) -> new Selected(bean, this.definitions.id(bean), this.definitions.selection(bean)))
			.toList();
		List<ReconcilerListener> all = this.listeners.get();
		List<ReconcilerDefinition<?>> found = new ArrayList<>();
		for (Selected each : this.selected) {
			List<ClusterRuntime> own = each.selection.of(each.bean.toString(), clusters);
			own.forEach((cluster) -> found.add(define(each, all, cluster)));
			if (own.isEmpty()) {
				this.definitions.check(each.bean);
			}
		}
		this.validator.validate(found, this.selected.stream().map(Selected::id).toList());
		return create(found);
	}

	/**
	 * Finds the reconcilers of an added cluster.
	 * @param cluster the cluster
	 * @return the containers with their details
	 */
	Map<ReconcilerContainer, Found> find(ClusterRuntime cluster) {
		List<ReconcilerListener> all = this.listeners.get();
		List<ReconcilerDefinition<?>> found = new ArrayList<>();
		this.selected.stream()
			.filter((each) -> each.selection.contains(cluster))
			.forEach((each) -> found.add(define(each, all, cluster)));
		this.validator.requireUnique(found);
		return create(found);
	}

	private ReconcilerDefinition<?> define(Selected each, List<ReconcilerListener> all, ClusterRuntime cluster) {
		return this.definitions.create(each.bean, all, cluster.with(this.configured));
	}

	private Map<ReconcilerContainer, Found> create(List<ReconcilerDefinition<?>> found) {
		Map<ReconcilerContainer, Found> reconcilers = new LinkedHashMap<>();
		try {
			found.forEach((definition) -> reconcilers.put(create(definition),
					new Found(definition.details(), definition.cluster())));
		}
		catch (RuntimeException ex) {
			// Close the containers, because the informers may outlive this context and
			// would keep the ids.
			reconcilers.keySet().forEach(ReconcilerContainer::close);
			throw ex;
		}
		return reconcilers;
	}

	private ReconcilerContainer create(ReconcilerDefinition<?> definition) {
		if (definition.details().autoStartup()) {
			for (InformerSpec<?> source : definition.sources()) {
				definition.cluster().informers().informer(source);
			}
		}
		return this.containers.apply(definition.cluster().informers(), definition.spec());
	}

	/**
	 * Details of a found reconciler.
	 *
	 * @param details the settings of the reconciler that are not part of its spec
	 * @param cluster the cluster
	 */
	record Found(ReconcilerDetails details, ClusterRuntime cluster) {

	}

	private record Selected(AnnotatedBean<Reconciler> bean, String id, ClusterSelection selection) {

	}

}
