package dev.kubeinformer.spring.autoconfigure.health;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.QuarantinedObjects;
import dev.kubeinformer.types.InformerState;

/**
 * Health of the sources of a reconciler, the informers that fill its caches.
 *
 * @param informers the informers of the application
 * @param container the container of the reconciler
 */
record SourceHealth(Informers informers, ReconcilerContainer container) {

	/**
	 * Returns the status of the informer of a source.
	 * @param source the source
	 * @return the status; {@code null} if the informer no longer exists
	 */
	@Nullable InformerStatus informer(ReconcilerSource source) {
		return find(source).map(Informer::status).orElse(null);
	}

	private Optional<? extends Informer<?>> find(ReconcilerSource source) {
		return this.informers.all().stream().filter((informer) -> informer.id().equals(source.informer())).findFirst();
	}

	/**
	 * Returns the quarantined objects of a source.
	 * @param source the source
	 * @return the objects; empty if the informer no longer exists
	 */
	QuarantinedObjects quarantined(ReconcilerSource source) {
		return find(source).map(Informer::quarantined).orElseGet(QuarantinedObjects::none);
	}

	/**
	 * Returns the worst health status of the sources' caches.
	 * @param sources the sources
	 * @param rules the rules that map the state of an informer to a health status
	 * @return the status; {@link Status#UP} if there is no source
	 */
	Status worst(List<ReconcilerSource> sources, InformerStatusMapper rules) {
		List<Status> all = sources.stream().map((source) -> status(source, rules)).toList();
		if (all.contains(Status.DOWN)) {
			return Status.DOWN;
		}
		return all.stream().allMatch(Status.UP::equals) ? Status.UP : Status.OUT_OF_SERVICE;
	}

	private Status status(ReconcilerSource source, InformerStatusMapper rules) {
		InformerStatus informer = informer(source);
		if (informer != null) {
			return rules.map(informer);
		}
		if (source.synced()) {
			return Status.UP;
		}
		boolean failing = source.error() != null || source.state() == InformerState.FORBIDDEN
				|| source.state() == InformerState.NOT_FOUND;
		return failing ? Status.DOWN : Status.OUT_OF_SERVICE;
	}

	/**
	 * Returns whether the informers of all sources meet a condition. Ignores sources
	 * whose informer no longer exists.
	 * @param condition the condition
	 * @return {@code true} if no existing informer fails the condition
	 */
	boolean allMatch(Predicate<InformerStatus> condition) {
		return this.container.status().sources().stream().allMatch((source) -> {
			InformerStatus informer = informer(source);
			return informer == null || condition.test(informer);
		});
	}

}
