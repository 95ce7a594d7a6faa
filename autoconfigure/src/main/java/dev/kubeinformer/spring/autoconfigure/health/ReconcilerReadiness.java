package dev.kubeinformer.spring.autoconfigure.health;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.spring.reconciler.ReconcilerDetails;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * What readiness asks of reconcilers: whether all caches were full and watched once. It
 * does not matter to it what their runs do.
 */
final class ReconcilerReadiness implements ReconcilerListener {

	private final Informers informers;

	private final Reconcilers reconcilers;

	private final ReconcilerRegistry registry;

	private final InformerStatusMapper statusMapper;

	private final Set<ReconcilerContainer> synced = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	ReconcilerReadiness(Informers informers, Reconcilers reconcilers, InformerStatusMapper statusMapper) {
		this.informers = informers;
		this.reconcilers = reconcilers;
		this.registry = reconcilers.of(informers);
		this.statusMapper = statusMapper;
	}

	@Override
	public void stateChanged(ReconcilerContainer reconciler, ReconcilerState state) {
		if (state == ReconcilerState.ACTIVE) {
			this.synced.add(reconciler);
		}
	}

	boolean knows(String id) {
		return container(id) != null;
	}

	boolean isAskedFor(String id) {
		ReconcilerContainer container = container(id);
		ReconcilerDetails details = (container != null) ? this.reconcilers.details(container) : null;
		return details != null && details.autoStartup() && details.readiness();
	}

	boolean wasReady(String id) {
		ReconcilerContainer container = container(id);
		return container == null || (wasSynced(container)
				&& sources(container).allMatch((status) -> status.sync().everSynced() && status.watch().everWatched()));
	}

	private boolean wasSynced(ReconcilerContainer container) {
		// It may have become so before there was this listener.
		return container.hasSynced() || this.synced.contains(container);
	}

	boolean isTooStale(String id) {
		ReconcilerContainer container = container(id);
		return container != null && !sources(container).allMatch((status) -> !this.statusMapper.isTooStale(status));
	}

	private @Nullable ReconcilerContainer container(String id) {
		return this.registry.all().stream().filter((container) -> container.id().equals(id)).findFirst().orElse(null);
	}

	private ReconcilerSources sources(ReconcilerContainer container) {
		return new ReconcilerSources(this.informers, container);
	}

}
