package dev.kubeinformer.spring.reconciler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.IdRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.reconciler.method.InvalidReconcilerException;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.IdKeys;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Checks that ids are unique and that the configuration names only existing reconcilers.
 *
 * @param clusters the clusters
 * @param configured the configuration
 * @param handlers the handlers of all contexts
 * @param reconcilers the reconcilers of all contexts
 */
record ReconcilerIdValidator(ClusterRuntimes clusters, ConfiguredSettings configured, InformerHandlers handlers,
		Reconcilers reconcilers) {

	private static final IdKeys KEYS = new IdKeys("kubernetes.reconcilers", "reconciler", "@Reconciler",
			"; settings for all of them are below 'kubernetes.reconcilers.defaults'.");

	/**
	 * Checks the reconcilers.
	 * @param definitions the reconcilers
	 * @param declared the ids of all reconcilers, including those whose cluster does not
	 * exist yet
	 */
	void validate(List<ReconcilerDefinition<?>> definitions, List<String> declared) {
		requireUnique(definitions);
		List<String> ids = new ArrayList<>(declared);
		ids.addAll(this.reconcilers.ids());
		KEYS.check(this.configured.reconcilerKeys(), ids,
				this.clusters.all().stream().map(ClusterRuntime::name).toList());
	}

	/**
	 * Checks that ids are unique.
	 * @param definitions the new reconcilers
	 */
	void requireUnique(List<ReconcilerDefinition<?>> definitions) {
		IdRegistry taken = new IdRegistry(this.clusters);
		definitions.forEach((definition) -> definition.sources()
			.forEach((source) -> taken.informer(definition.cluster().name(), source.id())));
		this.clusters.all().forEach((cluster) -> takeKnown(taken, cluster));
		for (ReconcilerDefinition<?> definition : definitions) {
			String cluster = definition.cluster().name();
			String owner = taken.take(cluster, definition.id(), definition.bean().toString());
			if (owner != null) {
				throw new InvalidReconcilerException(definition.bean(),
						"has the id '%s', which is taken by %s; case, '-' and '_' are ignored"
							.formatted(InformerIds.qualified(cluster, definition.id()), owner),
						"Give the reconciler another id: @Reconciler(id = \"...\"). "
								+ "Reconcilers, handlers and informers are found by one id each; informers have the name of their resource.");
			}
		}
	}

	private void takeKnown(IdRegistry taken, ClusterRuntime cluster) {
		this.handlers.of(cluster.informers())
			.forEach((handler) -> taken.take(cluster.name(), InformerIds.plain(cluster.name(), handler.id()),
					"the handler of bean '%s'".formatted(handler.beanName())));
		Stream.of(cluster.informers().reconcilers().all(), this.reconcilers.of(cluster.informers()))
			.flatMap(Collection::stream)
			.forEach((container) -> taken.take(cluster.name(), InformerIds.plain(cluster.name(), container.id()),
					name(container)));
	}

	private String name(ReconcilerContainer container) {
		String bean = this.reconcilers.details(container).beanName();
		return (bean != null) ? "the reconciler of bean '%s'".formatted(bean)
				: "the reconciler '%s'".formatted(container.id());
	}

}
