package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.spring.cluster.LocalId;
import dev.kubeinformer.spring.observation.DefaultReconcilerObservationConvention;

/**
 * The meters of all reconcilers in one registry.
 */
final class RegistryReconcilerMeters {

	private final MeterRegistry registry;

	private final Map<String, ReconcilerMeters> meters = new ConcurrentHashMap<>();

	/** Held by whoever adds or removes meters. */
	private final Lock lock = new ReentrantLock();

	/** Those of clusters that were removed: a run of one may end later. */
	private final Set<ReconcilerContainer> gone = Collections.newSetFromMap(new WeakHashMap<>());

	private ClusterTag tag;

	private boolean closed;

	RegistryReconcilerMeters(MeterRegistry registry, ClusterTag tag) {
		this.registry = registry;
		this.tag = tag;
	}

	/**
	 * Returns the meters of a reconciler. One that comes under the id of another takes
	 * its place.
	 * @param reconciler the container of the reconciler
	 * @return its meters; {@code null} if it shall have none any more
	 */
	@Nullable ReconcilerMeters of(ReconcilerContainer reconciler) {
		ReconcilerMeters known = this.meters.get(reconciler.id());
		if (known != null && known.isOf(reconciler)) {
			return known;
		}
		this.lock.lock();
		try {
			return add(reconciler);
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable ReconcilerMeters add(ReconcilerContainer reconciler) {
		if (this.closed || this.gone.contains(reconciler)) {
			return null;
		}
		ReconcilerMeters present = this.meters.get(reconciler.id());
		if (present != null && present.isOf(reconciler)) {
			return present;
		}
		if (present != null) {
			present.remove();
		}
		ReconcilerMeters added = new ReconcilerMeters(this.registry, this.tag, reconciler);
		this.meters.put(reconciler.id(), added);
		return added;
	}

	/**
	 * Makes all meters anew if their tags are not those that are wanted.
	 * @param wanted whether they have the tag of the cluster
	 */
	void tag(ClusterTag wanted) {
		this.lock.lock();
		try {
			if (wanted != this.tag) {
				List<ReconcilerMeters> all = List.copyOf(this.meters.values());
				removeAll(all);
				ObservedTimers.of(DefaultReconcilerObservationConvention.NAME).removeFrom(this.registry);
				this.tag = wanted;
				all.forEach((each) -> add(each.reconciler()));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes the meters of all reconcilers of a cluster.
	 * @param cluster the name of the cluster
	 */
	void remove(String cluster) {
		this.lock.lock();
		try {
			List<ReconcilerMeters> removed = this.meters.values()
				.stream()
				.filter((each) -> LocalId.of(each.reconciler()).cluster().equals(cluster))
				.toList();
			removeAll(removed);
			removed.forEach((each) -> this.gone.add(each.reconciler()));
		}
		finally {
			this.lock.unlock();
		}
	}

	void close() {
		this.lock.lock();
		try {
			// A run that ignores its interrupt may end later.
			this.closed = true;
			removeAll(List.copyOf(this.meters.values()));
		}
		finally {
			this.lock.unlock();
		}
	}

	private void removeAll(List<ReconcilerMeters> removed) {
		removed.forEach((each) -> {
			each.removeAll();
			this.meters.remove(each.reconciler().id());
		});
	}

}
