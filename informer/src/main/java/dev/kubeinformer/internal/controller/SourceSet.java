package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.informer.PartitionProbe;
import dev.kubeinformer.internal.informer.SharedInformer;
import dev.kubeinformer.internal.reconcile.OwnedSource;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.InformerState;

/**
 * Sources of a reconciler from its start to its stop: the informers of its primaries,
 * owned and watched objects. Their caches are filled and kept current on standbys, too,
 * so that a new leader does not have to list anything. A session connects its sinks to
 * the caches and disconnects them at its end. There is one session at a time. The
 * informers may have other users. Safe for use by several threads.
 *
 * @param <T> the model class of the primary
 */
public final class SourceSet<T extends KubernetesObject> implements AutoCloseable {

	/**
	 * Wait for a cache to catch up before its objects are compared with a list; short,
	 * because tests wait for it repeatedly.
	 */
	private static final Duration GLANCE = Duration.ofMillis(20);

	private final ReconcilerSpec<T> spec;

	private final ControllerContext context;

	private final Runnable listener;

	private final ControllerSource<T> primary;

	private final List<ControllerSource<?>> sources = new ArrayList<>();

	/**
	 * Lock of the sources. It is acquired under the locks of stores; the locks of the
	 * gate and the queue are acquired under it.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	private final Set<ControllerSource<?>> unfilled = new HashSet<>();

	/** Gate of the session; {@code null} while there is none. */
	private @Nullable CacheSyncGate gate;

	/**
	 * Creates the sources without starting their informers.
	 * @param spec the settings of the reconciler
	 * @param context the informers, the client and the clocks
	 * @param listener called when all caches are filled, and when one is no longer
	 * filled; under locks of stores
	 */
	SourceSet(ReconcilerSpec<T> spec, ControllerContext context, Runnable listener) {
		this.spec = spec;
		this.context = context;
		this.listener = listener;
		try {
			this.primary = add(new ControllerSource<>(ReconcilerSource.Role.PRIMARY, lease(primary(spec)), null, null));
			spec.owned().forEach(this::own);
			spec.watched().forEach(this::watch);
		}
		catch (Throwable ex) {
			close();
			throw ex;
		}
		this.unfilled.addAll(this.sources);
	}

	/**
	 * Returns the specs of the informers that are sources of a reconciler.
	 * @param spec the settings of the reconciler
	 * @return the specs
	 */
	public static List<InformerSpec<?>> specs(ReconcilerSpec<?> spec) {
		List<InformerSpec<?>> specs = new ArrayList<>();
		specs.add(primary(spec));
		spec.owned().forEach((owned) -> specs.add(owned(spec, owned)));
		spec.watched().forEach((watched) -> specs.add(watched(spec, watched)));
		return specs;
	}

	private static <T extends KubernetesObject> InformerSpec<T> primary(ReconcilerSpec<T> spec) {
		return InformerSpec.of(spec.type())
			.withNamespaces(spec.namespaces())
			.withLabelSelector(spec.labelSelector())
			.withFieldSelector(spec.fieldSelector())
			.withShard(spec.shard())
			.withShards(spec.shards());
	}

	private static <C extends KubernetesObject> InformerSpec<C> owned(ReconcilerSpec<?> spec, OwnedResource<C> owned) {
		return InformerSpec.of(owned.type())
			.withNamespaces(namespaces(spec, owned.type(), Set.of()))
			.withLabelSelector(owned.labelSelector())
			.withShard(spec.shardOf(owned.type()))
			.withShards(spec.shardsOf(owned.type()));
	}

	private static <C extends KubernetesObject> InformerSpec<C> watched(ReconcilerSpec<?> spec,
			WatchedResource<C> watched) {
		return InformerSpec.of(watched.type())
			.withNamespaces(namespaces(spec, watched.type(), watched.namespaces()))
			.withLabelSelector(watched.labelSelector())
			.withFieldSelector(watched.fieldSelector())
			.withShard(spec.shardOf(watched.type()))
			.withShards(spec.shardsOf(watched.type()));
	}

	private static Set<String> namespaces(ReconcilerSpec<?> spec, ResourceType<?> type, Set<String> own) {
		return !own.isEmpty() ? own : type.namespaced() ? spec.namespaces() : Set.of();
	}

	private <C extends KubernetesObject> void own(OwnedResource<C> owned) {
		ControllerSource<C> source = add(
				new ControllerSource<>(ReconcilerSource.Role.OWNED, lease(owned(this.spec, owned)), owned, null));
		// Create the index now, because it is slow for many objects and a new leader must
		// not wait for it.
		OwnedSource.index(source.store());
	}

	private <C extends KubernetesObject> void watch(WatchedResource<C> watched) {
		add(new ControllerSource<>(ReconcilerSource.Role.WATCHED, lease(watched(this.spec, watched)), null, watched));
	}

	private <C extends KubernetesObject> InformerLease<C> lease(InformerSpec<C> wanted) {
		return this.context.informers().lease(wanted);
	}

	private <C extends KubernetesObject> ControllerSource<C> add(ControllerSource<C> source) {
		this.sources.add(source);
		return source;
	}

	ControllerSource<T> primary() {
		return this.primary;
	}

	/**
	 * Returns the sources.
	 * @return the sources, the primary first
	 */
	List<ControllerSource<?>> all() {
		return List.copyOf(this.sources);
	}

	/**
	 * Returns the sources whose caches must be current before the first run of a session.
	 * There are none if primaries are divided into slots, because each slot is verified
	 * separately.
	 * @return the sources
	 */
	List<ControllerSource<?>> verified() {
		return (this.spec.shards() != null) ? List.of() : all();
	}

	/** Starts the informers that are not running. */
	void run() {
		this.sources.forEach((source) -> source.follow(this::filled, this::emptied));
		this.sources.forEach((source) -> source.informer().run());
	}

	/**
	 * Sets the gate that is notified when all caches are filled. Called after the session
	 * of the gate has connected all sources.
	 * @param next the gate
	 */
	void attach(CacheSyncGate next) {
		this.lock.lock();
		try {
			this.gate = next;
			if (this.unfilled.isEmpty()) {
				next.filled();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Disconnects the sinks of a session. The caches stay unchanged. */
	void detach() {
		this.lock.lock();
		try {
			this.gate = null;
		}
		finally {
			this.lock.unlock();
		}
		each(ControllerSource::detach);
	}

	private void filled(ControllerSource<?> source) {
		this.lock.lock();
		try {
			if (!this.unfilled.remove(source) || !this.unfilled.isEmpty()) {
				return;
			}
			try {
				this.listener.run();
				if (this.gate != null) {
					this.gate.filled();
				}
			}
			catch (Throwable ex) {
				// For example, a thread could not be started. The store notifies again.
				this.unfilled.add(source);
				throw ex;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void emptied(ControllerSource<?> source) {
		this.lock.lock();
		try {
			boolean known = !this.unfilled.isEmpty();
			this.unfilled.add(source);
			if (known) {
				return;
			}
			// Close the gate first, so that no exception can leave it open.
			if (this.gate != null) {
				this.gate.emptied();
			}
			this.listener.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether all caches are filled.
	 * @return {@code true} if every cache is filled
	 */
	boolean isFilled() {
		this.lock.lock();
		try {
			return this.unfilled.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the sources that are being filled for the first time. Sources to which
	 * access is denied, or whose resource is not served, are not included, because that
	 * may last forever on all replicas. Divided sources are not included, because they
	 * list nothing before this process has slots.
	 * @return the ids of their informers
	 */
	Collection<String> awaiting() {
		return this.sources.stream()
			.filter((source) -> !source.isDivided())
			.map(ControllerSource::informer)
			.filter((informer) -> !informer.hasSynced() && informer.state() == InformerState.SYNCING)
			.map(SharedInformer::id)
			.distinct()
			.toList();
	}

	/**
	 * Returns the status of the sources.
	 * @return the status of each source, the primary first
	 */
	List<ReconcilerSource> status() {
		return this.sources.stream().map(ControllerSource::status).toList();
	}

	/**
	 * Returns the user functions that fail.
	 * @return the functions
	 */
	List<FailingFunction> failing() {
		return this.sources.stream().flatMap((source) -> source.failing().stream()).toList();
	}

	/**
	 * Waits until all caches have caught up with the API server.
	 * @param left returns the remaining time to wait
	 * @return {@code true} if all caches are current
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean isCurrent(Supplier<Duration> left) throws InterruptedException {
		InformerRuntime runtime = this.context.link().current();
		if (runtime == null) {
			return false;
		}
		for (ControllerSource<?> source : this.sources) {
			for (PartitionProbe<?> probe : source.probes(runtime, this.context.clocks().nanoTime(), source.share())) {
				if (!probe.await(GLANCE, left.get())) {
					return false;
				}
			}
		}
		return true;
	}

	boolean hasMappedAll() {
		return this.sources.stream().allMatch(ControllerSource::hasHandledAll);
	}

	boolean isInCallback() {
		return this.sources.stream().anyMatch((source) -> source.informer().lifecycle().isInCallback());
	}

	/** Stops the informers that have no other users. */
	@Override
	public void close() {
		each(ControllerSource::close);
	}

	private void each(Consumer<ControllerSource<?>> action) {
		Throwable failure = null;
		for (ControllerSource<?> source : this.sources) {
			try {
				action.accept(source);
			}
			catch (Throwable ex) {
				failure = (failure != null) ? failure : ex;
			}
		}
		if (failure instanceof RuntimeException ex) {
			throw ex;
		}
		if (failure instanceof Error ex) {
			throw ex;
		}
	}

}
