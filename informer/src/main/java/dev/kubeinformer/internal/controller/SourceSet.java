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
 * Sources of a reconciler from its start to its stop: the informers of its primaries, of
 * what it owns and of what it watches. Their caches are filled and kept up to date
 * whoever leads, so that a new leader need not list anything. A session connects its
 * sinks to them and disconnects them at its end; there is one session at a time. Others
 * may use the same informers. Safe for use by several threads.
 *
 * @param <T> the model class of the primary
 */
public final class SourceSet<T extends KubernetesObject> implements AutoCloseable {

	/** Short, because tests wait for it again and again. */
	private static final Duration GLANCE = Duration.ofMillis(20);

	private final ReconcilerSpec<T> spec;

	private final ControllerContext context;

	private final Runnable listener;

	private final ControllerSource<T> primary;

	private final List<ControllerSource<?>> sources = new ArrayList<>();

	/** Taken under the locks of stores; those of the gate and the queue under it. */
	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	private final Set<ControllerSource<?>> unfilled = new HashSet<>();

	/** Gate of the session; {@code null} while there is none. */
	private @Nullable CacheSyncGate gate;

	/**
	 * Creates sources whose informers this does not start yet.
	 * @param spec the settings of the reconciler
	 * @param context what reconcilers have of the informers
	 * @param listener called when all caches are filled, and when one is not any more;
	 * under locks of stores
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
	 * Returns the specs of the informers that a reconciler has as sources.
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
			.withShard(spec.shard());
	}

	private static <C extends KubernetesObject> InformerSpec<C> owned(ReconcilerSpec<?> spec, OwnedResource<C> owned) {
		return InformerSpec.of(owned.type())
			.withNamespaces(namespaces(spec, owned.type(), Set.of()))
			.withLabelSelector(owned.labelSelector())
			.withShard(spec.shardOf(owned.type()));
	}

	private static <C extends KubernetesObject> InformerSpec<C> watched(ReconcilerSpec<?> spec,
			WatchedResource<C> watched) {
		return InformerSpec.of(watched.type())
			.withNamespaces(namespaces(spec, watched.type(), watched.namespaces()))
			.withLabelSelector(watched.labelSelector())
			.withFieldSelector(watched.fieldSelector())
			.withShard(spec.shardOf(watched.type()));
	}

	private static Set<String> namespaces(ReconcilerSpec<?> spec, ResourceType<?> type, Set<String> own) {
		return !own.isEmpty() ? own : type.namespaced() ? spec.namespaces() : Set.of();
	}

	private <C extends KubernetesObject> void own(OwnedResource<C> owned) {
		ControllerSource<C> source = add(
				new ControllerSource<>(ReconcilerSource.Role.OWNED, lease(owned(this.spec, owned)), owned, null));
		// Now, because it is slow for many objects, and a new leader must not wait for
		// it.
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
	 * Starts the informers, where they do not run.
	 */
	void run() {
		this.sources.forEach((source) -> source.follow(this::filled, this::emptied));
		this.sources.forEach((source) -> source.informer().run());
	}

	/**
	 * Lets a gate follow whether all caches are filled, once all that its session
	 * connects is connected.
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

	/**
	 * Disconnects what a session has connected. The caches stay as they are.
	 */
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
				// For example, no thread could be started: the store reports it again.
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
			// First: nothing may keep it open.
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
	 * @return {@code true} if they are
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
	 * Returns the sources that are being filled for the first time. What is denied or not
	 * served is not among them: it may stay so for ever, on all replicas.
	 * @return the ids of their informers
	 */
	Collection<String> awaiting() {
		return this.sources.stream()
			.map(ControllerSource::informer)
			.filter((informer) -> !informer.hasSynced() && informer.state() == InformerState.SYNCING)
			.map(SharedInformer::id)
			.distinct()
			.toList();
	}

	/**
	 * Returns the sources.
	 * @return their status, the primary first
	 */
	List<ReconcilerSource> status() {
		return this.sources.stream().map(ControllerSource::status).toList();
	}

	/**
	 * Returns the functions of users that fail.
	 * @return the functions
	 */
	List<FailingFunction> failing() {
		return this.sources.stream().flatMap((source) -> source.failing().stream()).toList();
	}

	/**
	 * Waits until all caches show what the API server holds now.
	 * @param left how long to wait at most
	 * @return whether they do
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean isCurrent(Supplier<Duration> left) throws InterruptedException {
		InformerRuntime runtime = this.context.link().current();
		if (runtime == null) {
			return false;
		}
		for (ControllerSource<?> source : this.sources) {
			for (PartitionProbe<?> probe : source.probes(runtime, this.context.clocks().nanoTime())) {
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

	/**
	 * Stops the informers unless others use them.
	 */
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
