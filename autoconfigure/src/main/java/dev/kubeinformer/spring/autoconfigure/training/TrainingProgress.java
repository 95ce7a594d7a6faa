package dev.kubeinformer.spring.autoconfigure.training;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;

/**
 * Progress of a training run: the types of live events that each handler has handled, and the reconcilers that ran after a live change.
 */
final class TrainingProgress {

	private final Map<String, Set<ResourceEvent.Type>> handled = new ConcurrentHashMap<>();

	private final Set<String> reconciled = ConcurrentHashMap.newKeySet();

	/**
	 * Records a handled event.
	 * @param handler the id of the handler, with its cluster
	 * @param event the event
	 */
	void handled(String handler, ResourceEvent<?> event) {
		if (!event.initial() && !event.resync()) {
			this.handled.computeIfAbsent(handler, (id) -> ConcurrentHashMap.newKeySet()).add(event.type());
		}
	}

	/**
	 * Records a run after a live change.
	 * @param reconciler the id of the reconciler
	 */
	void reconciled(String reconciler) {
		this.reconciled.add(reconciler);
	}

	/**
	 * Returns the missing steps of handlers, reconcilers and informers.
	 * @param handlers the handlers that start with the application
	 * @param reconcilers the reconcilers that start with the application
	 * @param informers all informers
	 * @return a description of each missing step; empty if all are trained
	 */
	List<String> missing(Collection<? extends InformerHandlerContainer> handlers,
			Collection<ReconcilerContainer> reconcilers, Collection<Informer<?>> informers) {
		Stream<String> ofHandlers = handlers.stream().flatMap(this::missing);
		Stream<String> ofReconcilers = reconcilers.stream().flatMap(this::missing);
		Stream<String> ofInformers = informers.stream()
			.filter((informer) -> !informer.status().watch().everWatched())
			.map((informer) -> "informer '%s' is not synced and watched".formatted(informer.id()));
		return Stream.of(ofHandlers, ofReconcilers, ofInformers).flatMap((each) -> each).toList();
	}

	private Stream<String> missing(InformerHandlerContainer handler) {
		if (!handler.wasSynced()) {
			return Stream.of("handler '%s' is not synced".formatted(handler.id()));
		}
		Set<ResourceEvent.Type> seen = this.handled.getOrDefault(handler.id(), Set.of());
		String types = handler.methods()
			.keySet()
			.stream()
			.filter((type) -> !seen.contains(type))
			.sorted()
			.map(ResourceEvent.Type::name)
			.collect(Collectors.joining(", "));
		return types.isEmpty() ? Stream.empty()
				: Stream.of("handler '%s' has not handled a live %s".formatted(handler.id(), types));
	}

	private Stream<String> missing(ReconcilerContainer reconciler) {
		if (!reconciler.hasSynced()) {
			return Stream.of("reconciler '%s' is not synced".formatted(reconciler.id()));
		}
		return this.reconciled.contains(reconciler.id()) ? Stream.empty()
				: Stream.of("reconciler '%s' has not run for a live change".formatted(reconciler.id()));
	}

}
