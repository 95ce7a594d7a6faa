package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.codec.JsonMappers;
import dev.kubeinformer.dispatch.HandlerDispatcher;
import dev.kubeinformer.reflector.Reflector;
import dev.kubeinformer.store.Delta;
import dev.kubeinformer.store.DeltaSink;
import dev.kubeinformer.store.ObjectStore;
import dev.kubeinformer.store.StoreSnapshot;
import dev.kubeinformer.store.StoredObject;
import dev.kubeinformer.transport.OkHttpApiConnection;
import dev.kubeinformer.transport.Selection;

/**
 * The informer: a store, a reflector for each namespace that is watched on its own, and
 * the handlers.
 *
 * @param <T> the model class
 */
final class SharedInformer<T extends KubernetesObject> implements Informer<T> {

	private final InformerSpec<T> spec;

	private final Informers owner;

	private final InformerRuntime.Clocks clocks;

	private final Set<String> partitions;

	private final ObjectStore<T> store;

	private final StoreIndexer<T> indexer;

	private final StatusTracker status;

	private final SyncLatch syncLatch = new SyncLatch();

	private final List<SharedHandler<T>> handlers = new CopyOnWriteArrayList<>();

	private final AtomicInteger handlerNumbers = new AtomicInteger();

	/** Held through a whole start or stop, also while waiting for threads to end. */
	private final ReentrantLock transition = new ReentrantLock();

	/**
	 * Guards what handlers that are added meanwhile must know; never held while waiting.
	 */
	private final ReentrantLock lifecycle = new ReentrantLock();

	private final List<RunningReflector<T>> reflectors = new CopyOnWriteArrayList<>();

	private volatile @Nullable InformerRuntime runtime;

	private volatile @Nullable TransformFunc transform;

	private @Nullable TransformFunc usedTransform;

	private volatile boolean stopping;

	SharedInformer(InformerSpec<T> spec, Informers owner, InformerRuntime.Clocks clocks) {
		this.spec = spec;
		this.owner = owner;
		this.clocks = clocks;
		this.partitions = spec.namespaces().isEmpty() ? Set.of("") : spec.namespaces();
		this.store = new ObjectStore<>(this.partitions);
		this.indexer = new StoreIndexer<>(this.store);
		this.status = new StatusTracker(spec.id(), spec.type(), clocks.wall());
		this.store.addSink(this.syncLatch.sink());
	}

	void start(InformerRuntime started) {
		if (isStopAwaitingCaller()) {
			return;
		}
		this.transition.lock();
		try {
			if (this.runtime != null) {
				return;
			}
			boolean transformChanged = this.transform != this.usedTransform && this.store.snapshot().size() > 0;
			this.usedTransform = this.transform;
			this.status.started(this.partitions);
			this.lifecycle.lock();
			try {
				this.runtime = started;
				this.stopping = false;
				this.handlers.forEach((handler) -> handler.start(started.timer()));
			}
			finally {
				this.lifecycle.unlock();
			}
			for (String partition : this.partitions) {
				this.reflectors.add(RunningReflector.start(this, partition, started, transformChanged));
			}
		}
		finally {
			this.transition.unlock();
		}
	}

	/**
	 * Ends requests and lets handlers drain, without waiting for either.
	 */
	void beginStop() {
		if (isStopAwaitingCaller()) {
			return;
		}
		this.transition.lock();
		try {
			if (this.runtime != null) {
				this.reflectors.forEach(RunningReflector::stop);
				// A handler that waits for the cache would hold up the drain.
				this.store.endWaits();
				this.lifecycle.lock();
				try {
					this.stopping = true;
					this.handlers.forEach(SharedHandler::drain);
				}
				finally {
					this.lifecycle.unlock();
				}
			}
		}
		finally {
			this.transition.unlock();
		}
	}

	/**
	 * Waits for what {@link #beginStop()} began.
	 */
	void awaitStop() {
		if (isStopAwaitingCaller()) {
			return;
		}
		this.transition.lock();
		try {
			if (this.runtime == null || !this.stopping) {
				return;
			}
			this.reflectors.forEach(RunningReflector::awaitEnd);
			this.handlers.forEach(SharedHandler::awaitDrained);
			long until = System.nanoTime() + HandlerDispatcher.GRACE.toNanos();
			this.handlers.forEach((handler) -> handler.awaitEnd(until));
			this.reflectors.clear();
			this.store.awaitFullStateAgain();
			this.runtime = null;
			this.status.stopped();
		}
		finally {
			this.transition.unlock();
		}
	}

	/**
	 * Whether the calling thread runs a handler, a transform or an index function of this
	 * informer, so that it must not wait for what waits for it.
	 * @return whether it does
	 */
	boolean isInCallback() {
		return this.handlers.stream().anyMatch(SharedHandler::isInCallback) || isInReflector();
	}

	private boolean isInReflector() {
		return this.reflectors.stream().anyMatch((each) -> each.thread() == Thread.currentThread());
	}

	private boolean isStopAwaitingCaller() {
		return this.stopping && this.transition.isLocked() && !this.transition.isHeldByCurrentThread()
				&& isInCallback();
	}

	@Override
	public String id() {
		return this.spec.id();
	}

	@Override
	public InformerSpec<T> spec() {
		return this.spec;
	}

	@Override
	public InformerStatus status() {
		return this.status.status(this.store.snapshot(), this.store.hasFullState());
	}

	@Override
	public Snapshot<T> snapshot() {
		return new SnapshotView<>(this.store.snapshot());
	}

	@Override
	public Lister<T> lister() {
		return new Lister<>(this.indexer);
	}

	@Override
	public HandlerRegistration addHandler(EventHandler<T> handler, HandlerOptions options) {
		String id = Objects.requireNonNullElseGet(options.id(),
				() -> id() + "-handler-" + this.handlerNumbers.incrementAndGet());
		SharedHandler<T> added = new SharedHandler<>(id, handler, options, this.store, this.clocks.nanoTime(),
				this::remove);
		this.lifecycle.lock();
		try {
			this.handlers.add(added);
			this.store.addSink(added.sink());
			InformerRuntime current = this.runtime;
			if (current != null && !this.stopping) {
				added.start(current.timer());
			}
		}
		finally {
			this.lifecycle.unlock();
		}
		return added;
	}

	@Override
	public HandlerRegistration addHandler(ResourceEventHandler<? super T> handler, HandlerOptions options) {
		return addHandler(new ResourceEventHandlerAdapter<>(handler), options);
	}

	private void remove(SharedHandler<T> handler) {
		this.store.removeSink(handler.sink());
		this.handlers.remove(handler);
	}

	@Override
	public List<HandlerRegistration> handlers() {
		return List.copyOf(this.handlers);
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		if (!hasSynced() && isInCallback()) {
			throw new IllegalStateException("A callback of informer '%s' cannot wait for its sync".formatted(id()));
		}
		return this.syncLatch.await(timeout);
	}

	@Override
	public boolean awaitResourceVersion(String resourceVersion, Duration timeout) throws InterruptedException {
		if (resourceVersion.isBlank()) {
			throw new IllegalArgumentException(
					"Informer '%s' cannot wait for an empty resourceVersion".formatted(id()));
		}
		return await((snapshot) -> snapshot.hasReached(resourceVersion), timeout);
	}

	@Override
	public boolean await(KubernetesObject written, Duration timeout) throws InterruptedException {
		return await(WrittenObject.of(written, id(), this.spec.type(), this.partitions)::isSeenBy, timeout);
	}

	private boolean await(Predicate<StoreSnapshot<T>> condition, Duration timeout) throws InterruptedException {
		if (isInReflector() && !condition.test(this.store.snapshot())) {
			throw new IllegalStateException(
					"A transform or index function of informer '%s' cannot wait for the cache, which waits for it"
						.formatted(id()));
		}
		return this.store.await(condition, timeout);
	}

	@Override
	public void addEventHandler(ResourceEventHandler<T> handler) {
		addHandler(handler, HandlerOptions.defaults());
	}

	@Override
	public void addEventHandlerWithResyncPeriod(ResourceEventHandler<T> handler, long resyncPeriod) {
		addHandler(handler, HandlerOptions.defaults().withResync(Duration.ofMillis(Math.max(0, resyncPeriod))));
	}

	@Override
	public void run() {
		this.owner.start(this);
	}

	@Override
	public void stop() {
		beginStop();
		awaitStop();
	}

	@Override
	public boolean hasSynced() {
		return this.store.hasFullState();
	}

	@Override
	public String lastSyncResourceVersion() {
		return (this.runtime != null) ? this.store.snapshot().resourceVersion() : "";
	}

	@Override
	public void setTransform(@Nullable TransformFunc transformFunc) {
		this.lifecycle.lock();
		try {
			if (this.runtime != null) {
				throw new IllegalStateException(
						"The transform of informer '%s' cannot be set while it runs".formatted(id()));
			}
			this.transform = transformFunc;
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	@Override
	public void addIndexers(Map<String, Function<T, List<String>>> indexers) {
		this.indexer.addIndexers(indexers);
	}

	@Override
	public Indexer<T> getIndexer() {
		return this.indexer;
	}

	@Override
	public String toString() {
		return "Informer '%s' (%s)".formatted(id(), state());
	}

	/**
	 * A reflector with its thread.
	 */
	private record RunningReflector<T extends KubernetesObject>(Reflector<T> reflector, PartitionSink<T> sink,
			Thread thread) {

		static <T extends KubernetesObject> RunningReflector<T> start(SharedInformer<T> informer, String partition,
				InformerRuntime runtime, boolean transformChanged) {
			InformerSpec<T> spec = informer.spec;
			Selection selection = new Selection(partition.isEmpty() ? null : partition, spec.labelSelector(),
					spec.fieldSelector());
			TransformFunc transform = informer.transform;
			PartitionSink<T> sink = new PartitionSink<>(partition, spec, informer.store, informer.status, transform,
					transformChanged);
			// What a transform is given it may change.
			JsonMappers mappers = (transform != null) ? runtime.mappers().modifiable() : runtime.mappers();
			Reflector<T> reflector = new Reflector<>(
					new OkHttpApiConnection<>(runtime.connections(), spec.type(), selection, mappers), sink,
					runtime.reflectorOptions(), runtime.syncSlots(),
					informer.store.snapshot().resourceVersion(partition));
			Thread thread = new Thread(reflector,
					"informer-" + spec.id() + (partition.isEmpty() ? "" : "-" + partition) + "-reflector");
			thread.start();
			return new RunningReflector<>(reflector, sink, thread);
		}

		void stop() {
			this.sink.end();
			this.reflector.stop();
		}

		void awaitEnd() {
			if (this.thread == Thread.currentThread()) {
				return;
			}
			try {
				this.thread.join(InformerRuntime.REFLECTOR_GRACE.toMillis());
				if (this.thread.isAlive()) {
					this.thread.interrupt();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	/**
	 * Waits for the first full state of the store.
	 */
	private static final class SyncLatch {

		private final ReentrantLock lock = new ReentrantLock();

		private final Condition changed = this.lock.newCondition();

		private boolean synced;

		<T> DeltaSink<T> sink() {
			return new DeltaSink<>() {

				@Override
				public void delta(Delta<T> delta) {
					// Only the whole matters here.
				}

				@Override
				public void resync(StoredObject<T> object) {
					// Only the whole matters here.
				}

				@Override
				public void initialStateComplete() {
					set(true);
				}

				@Override
				public void initialStateReset() {
					set(false);
				}

			};
		}

		private void set(boolean value) {
			this.lock.lock();
			try {
				this.synced = value;
				this.changed.signalAll();
			}
			finally {
				this.lock.unlock();
			}
		}

		boolean await(Duration timeout) throws InterruptedException {
			long nanos = timeout.toNanos();
			this.lock.lock();
			try {
				while (!this.synced) {
					if (nanos <= 0) {
						return false;
					}
					nanos = this.changed.awaitNanos(nanos);
				}
				return true;
			}
			finally {
				this.lock.unlock();
			}
		}

	}

}
