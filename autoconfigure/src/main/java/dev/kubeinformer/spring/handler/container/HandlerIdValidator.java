package dev.kubeinformer.spring.handler.container;

import java.util.ArrayList;
import java.util.List;

import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.IdRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.IdKeys;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Checks that ids of handlers are unique, and that handlers with settings in the
 * configuration exist.
 *
 * @param clusters the clusters
 * @param configured the configuration
 * @param handlers the handlers of all contexts
 */
record HandlerIdValidator(ClusterRuntimes clusters, ConfiguredSettings configured, InformerHandlers handlers) {

	private static final IdKeys KEYS = new IdKeys("kubernetes.informers.handlers", "handler", "@InformerHandler", ".");

	/**
	 * Checks the handlers.
	 * @param containers the handlers
	 * @param declared the ids of all handlers, including those whose cluster does not
	 * exist yet
	 */
	void validate(List<DefaultInformerHandlerContainer<?>> containers, List<String> declared) {
		requireUnique(containers);
		List<String> ids = new ArrayList<>(declared);
		ids.addAll(this.handlers.ids());
		KEYS.check(this.configured.handlerKeys(), ids, this.clusters.all().stream().map(ClusterRuntime::name).toList());
	}

	/**
	 * Checks that ids are unique.
	 * @param containers the handlers
	 */
	void requireUnique(List<DefaultInformerHandlerContainer<?>> containers) {
		IdRegistry taken = new IdRegistry(this.clusters);
		containers.forEach((container) -> taken.informer(container.cluster(), container.spec().id()));
		// These are reconcilers of other contexts. The reconcilers of this context are
		// found after its handlers, and are checked then.
		for (ClusterRuntime cluster : this.clusters.all()) {
			cluster.informers()
				.reconcilers()
				.all()
				.forEach((reconciler) -> taken.take(cluster.name(), reconciler.spec().id(),
						"the reconciler '%s'".formatted(reconciler.id())));
		}
		for (DefaultInformerHandlerContainer<?> container : containers) {
			String owner = taken.take(container.cluster(), InformerIds.plain(container.cluster(), container.id()),
					container.origin().toString());
			if (owner != null) {
				throw new InformerConfigurationException(
						"%s has the id '%s', which is taken by %s; case, '-' and '_' are ignored"
							.formatted(container.origin(), container.id(), owner),
						"Give the handler another id: @InformerHandler(id = \"...\"). "
								+ "Handlers, reconcilers and informers are found by one id each; informers have the name of their resource.");
			}
		}
	}

}
