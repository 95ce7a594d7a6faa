package dev.kubeinformer.spring.autoconfigure.health;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.health.contributor.HealthIndicator;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Health of the handlers and reconcilers of each cluster, and of informers that only
 * listers use.
 *
 * @param handlers the handlers
 * @param reconcilers the reconcilers
 * @param missingRights the permissions that reconcilers were denied
 * @param statusMapper the rules that map the state of an informer to a health status
 */
record ClusterHealth(InformerHandlers handlers, Reconcilers reconcilers, MissingRights missingRights,
		InformerStatusMapper statusMapper) {

	/**
	 * Adds the current components of a cluster.
	 * @param cluster the cluster
	 * @param named {@code true} to include the name of the cluster in details
	 * @param children the health indicators by id, to which this method adds
	 */
	void addTo(Map<String, HealthIndicator> children, ClusterRuntime cluster, boolean named) {
		Informers informers = cluster.informers();
		String detail = named ? cluster.name() : null;
		Map<InformerSpec<?>, Informer<?>> bySpec = new HashMap<>();
		informers.all().forEach((informer) -> bySpec.put(informer.spec(), informer));
		Collection<InformerHandlerContainer> handlersHere = this.handlers.of(informers);
		for (InformerHandlerContainer container : handlersHere) {
			children.putIfAbsent(container.id(),
					new HandlerHealthIndicator(container, bySpec.get(container.spec()), detail, this.statusMapper));
		}
		Collection<ReconcilerContainer> containers = this.reconcilers.of(informers);
		for (ReconcilerContainer container : containers) {
			List<String> ownedVerbs = this.reconcilers.details(container).ownedVerbs();
			children.putIfAbsent(container.id(), new ReconcilerHealthIndicator(new SourceHealth(informers, container),
					() -> this.missingRights.of(container, ownedVerbs), detail, this.statusMapper));
		}
		// An informer whose handlers are all stopped is shown like an informer that only
		// listers use.
		handlersHere.stream()
			.filter((container) -> container.isRunning() || container.isAutoStartup())
			.forEach((container) -> bySpec.remove(container.spec()));
		containers.stream()
			.filter((container) -> container.isRunning() || this.reconcilers.details(container).autoStartup())
			.flatMap((container) -> this.reconcilers.sources(container).stream())
			.forEach(bySpec::remove);
		// Do not replace a handler, because an informer that a lister uses may have the
		// same id.
		bySpec.values()
			.stream()
			.sorted(Comparator.comparing(Informer::id))
			.forEach((informer) -> children.putIfAbsent(informer.id(),
					new InformerHealthIndicator(informer, detail, this.statusMapper)));
	}

}
