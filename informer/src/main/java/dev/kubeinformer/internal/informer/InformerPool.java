package dev.kubeinformer.internal.informer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.runtime.RuntimeHolder;
import dev.kubeinformer.internal.status.InformerListeners;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ClusterName;

/**
 * Informers of an application: creates one for each spec, counts the leases of each, and
 * starts and stops one or all of them. Safe for use by several threads.
 */
public final class InformerPool {

	private final ClusterName cluster;

	private final RuntimeHolder link;

	private final InformerRuntime.Clocks clocks;

	private final InformerListeners listeners;

	private final ToIntFunction<ResourceType<?>> pageSizes;

	private final ModelDefaults modelDefaults;

	/** Returns whether the first list of an informer requests the most recent state. */
	private final Predicate<InformerSpec<?>> fresh;

	/**
	 * Lock that is held during a complete start or stop, including waits for threads to
	 * end.
	 */
	private final TransitionLock transition = new TransitionLock(this::isInCallback, () -> true);

	/** Guards all fields below. Never held while waiting or calling user code. */
	private final ReentrantLock lock = new ReentrantLock();

	/** Informers in the order of their first use. */
	private final Map<InformerSpec<?>, SharedInformer<?>> informers = new LinkedHashMap<>();

	/**
	 * Number of users that hold a lease of each informer. An informer that is kept
	 * permanently is not in this map.
	 */
	private final Map<InformerSpec<?>, Integer> leases = new HashMap<>();

	private boolean discarded;

	/**
	 * Identifies the period from a start of all informers to the next stop; {@code null}
	 * while they are stopped.
	 */
	private volatile @Nullable Turn turn;

	public InformerPool(ClusterName cluster, RuntimeHolder link, InformerRuntime.Clocks clocks,
			InformerListeners listeners, ToIntFunction<ResourceType<?>> pageSizes, ModelDefaults modelDefaults,
			Predicate<InformerSpec<?>> fresh) {
		this.cluster = cluster;
		this.link = link;
		this.clocks = clocks;
		this.listeners = listeners;
		this.pageSizes = pageSizes;
		this.modelDefaults = modelDefaults;
		this.fresh = fresh;
	}

	/**
	 * Returns the informer of a spec, and keeps it permanently.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the informer, which is started if all informers are running
	 */
	public <T extends KubernetesObject> Informer<T> informer(InformerSpec<T> spec) {
		SharedInformer<T> informer = use(spec);
		locked(() -> {
			if (isHere(informer)) {
				this.leases.remove(informer.spec());
			}
		});
		return informer;
	}

	/**
	 * Leases the informer of a spec.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the lease of an informer, which is started if all informers are running
	 */
	public <T extends KubernetesObject> InformerLease<T> lease(InformerSpec<T> spec) {
		return new Lease<>(use(spec));
	}

	private <T extends KubernetesObject> SharedInformer<T> use(InformerSpec<T> asked) {
		InformerSpec<T> spec = (asked.pageSize() > 0) ? asked
				: asked.withPageSize(this.pageSizes.applyAsInt(asked.type()));
		// Evaluate the defaults, which are application code, before acquiring a lock.
		SharedInformer<T> informer = findOrMake(spec, this.modelDefaults.of(spec.type()));
		// Notify before the start, so that a listener can create objects that the first
		// list needs.
		informer.lifecycle().notifyListeners();
		try {
			startWithAll(informer.lifecycle());
		}
		catch (Throwable ex) {
			release(informer);
			throw ex;
		}
		finally {
			informer.lifecycle().notifyListeners();
		}
		return informer;
	}

	/**
	 * Finds or creates an informer, which the caller leases. A new informer is marked to
	 * be started if the informers are running.
	 * @param <T> the model class
	 * @param spec the spec
	 * @param defaults the defaults of a new informer
	 * @return the informer
	 */
	private <T extends KubernetesObject> SharedInformer<T> findOrMake(InformerSpec<T> spec,
			ModelDefaults.Of<T> defaults) {
		this.lock.lock();
		try {
			requireUse();
			@SuppressWarnings("unchecked")
			SharedInformer<T> present = (SharedInformer<T>) this.informers.get(spec);
			if (present != null) {
				this.leases.computeIfPresent(spec, (known, users) -> users + 1);
				return present;
			}
			SharedInformer<T> made = new SharedInformer<>(this.cluster, spec, this::start, this.clocks, this.listeners,
					this.fresh);
			made.add(defaults);
			if (isRunning()) {
				made.lifecycle().setStartDue();
			}
			this.informers.put(spec, made);
			this.leases.put(spec, 1);
			return made;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void requireUse() {
		if (this.discarded) {
			throw new IllegalStateException("These informers cannot be used, because their cluster was removed");
		}
	}

	private boolean isHere(SharedInformer<?> informer) {
		return this.informers.get(informer.spec()) == informer;
	}

	private boolean isShared(SharedInformer<?> informer) {
		this.lock.lock();
		try {
			return isHere(informer) && this.leases.getOrDefault(informer.spec(), Integer.MAX_VALUE) > 1;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void release(SharedInformer<?> informer) {
		boolean last = false;
		this.lock.lock();
		try {
			Integer users = isHere(informer) ? this.leases.get(informer.spec()) : null;
			if (users != null) {
				last = users == 1;
				this.leases.computeIfPresent(informer.spec(), (spec, count) -> (count > 1) ? count - 1 : null);
			}
			if (last) {
				this.informers.remove(informer.spec());
			}
		}
		finally {
			this.lock.unlock();
		}
		if (last) {
			informer.lifecycle().retire();
		}
	}

	boolean hasListener(Object listener) {
		return this.listeners.contains(listener);
	}

	/**
	 * Stops and removes all informers permanently, and frees their caches.
	 * @param users closes everything that uses the informers, such as reconcilers
	 */
	void discard(Runnable users) {
		locked(() -> this.discarded = true);
		users.run();
		stop();
		List<SharedInformer<?>> last = new ArrayList<>();
		locked(() -> {
			last.addAll(this.informers.values());
			this.informers.clear();
			this.leases.clear();
		});
		last.forEach((informer) -> {
			informer.lifecycle().retire();
			informer.lifecycle().clear();
		});
	}

	/**
	 * Returns all informers.
	 * @return the informers in the order of their first use
	 */
	public List<SharedInformer<?>> all() {
		this.lock.lock();
		try {
			return List.copyOf(this.informers.values());
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<InformerLifecycle<?>> lifecycles() {
		return all().stream().<InformerLifecycle<?>>map(SharedInformer::lifecycle).toList();
	}

	public boolean isRunning() {
		return this.turn != null;
	}

	/**
	 * Starts all informers.
	 */
	public void start() {
		if (!this.transition.enter()) {
			return;
		}
		Turn own = new Turn();
		Turn begun;
		try {
			begun = begin(own);
		}
		finally {
			this.transition.leave();
		}
		// Do not hold the transition while waiting for the client, because a stop would
		// wait, too.
		InformerRuntime started = all().isEmpty() ? null : connect(own);
		try {
			if (started != null) {
				startDue(started, begun);
			}
		}
		finally {
			if (!isRunning()) {
				// A callback of an informer that has started may have requested the stop.
				// It could not wait for the informers that started after it.
				stop();
			}
			lifecycles().forEach(InformerLifecycle::notifyListeners);
		}
	}

	/**
	 * Begins a turn, which is the time from a start of all informers to the next stop.
	 * Keeps the current turn if all informers are running.
	 * @param own the turn
	 * @return the current turn
	 */
	private Turn begin(Turn own) {
		this.lock.lock();
		try {
			requireUse();
			Turn present = this.turn;
			if (present != null) {
				return present;
			}
			this.turn = own;
			this.informers.values().forEach((informer) -> informer.lifecycle().setStartDue());
			return own;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable InformerRuntime connect(Turn own) {
		try {
			return this.link.runtime();
		}
		catch (Throwable ex) {
			// Keep the turn if another start began it.
			locked(() -> this.turn = (this.turn == own) ? null : this.turn);
			throw ex;
		}
	}

	private void startDue(InformerRuntime started, Turn begun) {
		if (!this.transition.enter()) {
			return;
		}
		try {
			Throwable failure = null;
			for (InformerLifecycle<?> informer : lifecycles()) {
				if (!informer.isStartDue() || this.turn != begun) {
					continue;
				}
				try {
					informer.start(started);
				}
				catch (Throwable ex) {
					if (failure == null) {
						failure = ex;
					}
					else {
						failure.addSuppressed(ex);
					}
				}
			}
			if (failure instanceof RuntimeException ex) {
				throw ex;
			}
			if (failure instanceof Error ex) {
				throw ex;
			}
			if (failure != null) {
				// Other JVM languages may throw checked exceptions anywhere.
				throw new IllegalStateException("An informer cannot be started", failure);
			}
		}
		finally {
			this.transition.leave();
		}
	}

	private void startWithAll(InformerLifecycle<?> informer) {
		boolean done = !informer.isStartDue();
		while (!done && isRunning()) {
			InformerRuntime started = this.link.runtime();
			done = started != null && startOrStop(informer, started);
		}
	}

	/**
	 * Starts one informer, whether or not the others are running.
	 * @param informer the informer
	 * @throws IllegalStateException if the informer was closed with its last lease
	 */
	private void start(InformerLifecycle<?> informer) {
		boolean done = false;
		while (!done) {
			informer.requireNotRetired();
			InformerRuntime started = this.link.runtime();
			try {
				// There is no client if all informers were stopped after
				// runtime() was called.
				done = started == null || startOrStop(informer, started);
			}
			finally {
				informer.notifyListeners();
			}
		}
	}

	private boolean startOrStop(InformerLifecycle<?> informer, InformerRuntime started) {
		informer.start(started);
		if (this.link.isCurrent(started)) {
			return true;
		}
		// All informers were stopped meanwhile, and the shared resources closed.
		informer.stop();
		return false;
	}

	/**
	 * Stops all informers.
	 */
	public void stop() {
		// Do this first, so that new informers do not start, and a start that cannot be
		// awaited ends what it has started.
		locked(() -> this.turn = null);
		if (!this.transition.enter()) {
			return;
		}
		List<InformerLifecycle<?>> all;
		try {
			locked(() -> this.turn = null);
			InformerRuntime ended = this.link.end();
			all = lifecycles();
			all.forEach(InformerLifecycle::beginStop);
			all.forEach(InformerLifecycle::awaitStop);
			if (ended != null) {
				ended.timer().shutdownNow();
				ended.connections().closeWrites();
			}
		}
		finally {
			this.transition.leave();
		}
		// Notify only now: listeners may be slow, start informers again, or wait for
		// other informers to stop.
		all.forEach(InformerLifecycle::notifyListeners);
	}

	/**
	 * Returns whether the calling thread runs a callback of one of the informers.
	 * @return {@code true} if the caller is a callback
	 */
	boolean isInCallback() {
		return lifecycles().stream().anyMatch(InformerLifecycle::isInCallback);
	}

	private void locked(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Identifies the period from a start of all informers to the next stop. Compared by
	 * identity.
	 */
	private static final class Turn {

	}

	/**
	 * Lease of an informer.
	 *
	 * @param <T> the model class
	 */
	private final class Lease<T extends KubernetesObject> implements InformerLease<T> {

		private final SharedInformer<T> informer;

		private final AtomicBoolean closed = new AtomicBoolean();

		Lease(SharedInformer<T> informer) {
			this.informer = informer;
		}

		@Override
		public Informer<T> informer() {
			return this.informer;
		}

		@Override
		public boolean isShared() {
			return InformerPool.this.isShared(this.informer);
		}

		@Override
		public void close() {
			if (this.closed.compareAndSet(false, true)) {
				release(this.informer);
			}
		}

	}

}
