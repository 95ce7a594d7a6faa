package dev.kubeinformer.spring.autoconfigure.health;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.spring.reconciler.ReconcilerDetails;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Readiness of reconcilers. A reconciler is ready when all its caches have been synced
 * and watched once. The outcomes of runs do not matter.
 */
final class ReconcilerReadiness implements ReconcilerListener {

	private final Reconcilers reconcilers;

	private final InformerStatusMapper statusMapper;

	private final Set<ReconcilerContainer> synced = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	ReconcilerReadiness(Reconcilers reconcilers, InformerStatusMapper statusMapper) {
		this.reconcilers = reconcilers;
		this.statusMapper = statusMapper;
	}

	@Override
	public void stateChanged(ReconcilerContainer reconciler, ReconcilerState state) {
		if (state == ReconcilerState.ACTIVE) {
			this.synced.add(reconciler);
		}
	}

	@Nullable ReconcilerContainer find(Informers informers, String id) {
		return this.reconcilers.of(informers)
			.stream()
			.filter((container) -> container.id().equals(id))
			.findFirst()
			.orElse(null);
	}

	boolean isAskedFor(ReconcilerContainer container) {
		ReconcilerDetails details = this.reconcilers.details(container);
		return details.autoStartup() && details.readiness();
	}

	boolean wasReady(Informers informers, ReconcilerContainer container) {
		return wasSynced(container) && new SourceHealth(informers, container)
			.allMatch((status) -> status.sync().everSynced() && status.watch().everWatched());
	}

	private boolean wasSynced(ReconcilerContainer container) {
		// The reconciler may have become active before this listener was added. A standby
		// must become ready, too, so a leader-only reconciler is ready when its caches
		// are.
		return container.spec().leadership() != null || container.hasSynced() || this.synced.contains(container);
	}

	boolean isTooStale(Informers informers, ReconcilerContainer container) {
		return !new SourceHealth(informers, container).allMatch((status) -> !this.statusMapper.isTooStale(status));
	}

}
