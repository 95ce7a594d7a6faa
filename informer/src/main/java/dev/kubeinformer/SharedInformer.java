package dev.kubeinformer;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.dispatch.HandlerDispatcher;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.transport.Negotiation;

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

	private final ObjectStore<T> store;

	private final StoreIndexer<T> indexer;

	private final StatusTracker status;

	private final InformerNotices notices;

	private final List<SharedHandler<T>> handlers = new CopyOnWriteArrayList<>();

	private final AtomicInteger handlerNumbers = new AtomicInteger();

	/** Held through a whole start or stop, also while waiting for threads to end. */
	private final TransitionLock transition = new TransitionLock(this::isInCallback, () -> this.stopping);

	/**
	 * Guards what handlers that are added meanwhile must know; never held while waiting.
	 */
	private final ReentrantLock lifecycle = new ReentrantLock();

	private final List<RunningReflector<T>> reflectors = new CopyOnWriteArrayList<>();

	/** What is cached now: namespaces, or the empty string for all of the cluster. */
	private volatile Set<String> partitions;

	private volatile @Nullable InformerRuntime runtime;

	/** That of the last start, which the next one does not inherit. */
	private volatile @Nullable Negotiation negotiation;

	private volatile @Nullable TransformFunc transform;

	/**
	 * What the content of each partition has passed, unless it is empty. Guarded by
	 * {@link #lifecycle}.
	 */
	private final Map<String, PartitionSink.Passed> passed = new HashMap<>();

	private volatile boolean stopping;

	/** Whether all are started and this one is not yet, or failed to. */
	private volatile boolean startDue;

	private volatile boolean retired;

	SharedInformer(InformerSpec<T> spec, Informers owner, InformerRuntime.Clocks clocks, InformerListeners listeners) {
		this.spec = spec;
		this.owner = owner;
		this.clocks = clocks;
		this.partitions = spec.namespaces().isEmpty() ? Set.of("") : spec.namespaces();
		this.store = new ObjectStore<>(this.partitions);
		this.indexer = new StoreIndexer<>(this.store);
		this.notices = new InformerNotices(this, listeners);
		this.status = new StatusTracker(spec, clocks, this.notices);
		this.notices.add(InformerListener::informerAdded);
	}

	/**
	 * Tells listeners what is to be told. The caller holds no lock.
	 */
	void tellListeners() {
		this.notices.deliver();
	}

	/**
	 * Notes that the informer is to be started with all others.
	 */
	void setStartDue() {
		this.startDue = true;
	}

	/**
	 * Whether all are started and this one is not yet, or failed to.
	 * @return whether it is to be started
	 */
	boolean isStartDue() {
		return this.startDue && !this.retired;
	}

	/**
	 * Whether the informer was closed with its last lease.
	 * @return whether it can not be started any more
	 */
	boolean isRetired() {
		return this.retired;
	}

	IllegalStateException retirement() {
		return new IllegalStateException(
				"Informer '%s' was closed with its last lease, and cannot be started again".formatted(id()));
	}

	/**
	 * Starts the reflectors and handlers, all or none: where one of them cannot be
	 * started, the informer is stopped as it was, and can be started again. Does nothing
	 * if it runs or was closed with its last lease.
	 * @param started what it shares with the others
	 */
	void start(InformerRuntime started) {
		if (!this.transition.enter()) {
			return;
		}
		try {
			if (this.retired) {
				return;
			}
			if (this.runtime == null) {
				startAll(started);
			}
			this.startDue = false;
		}
		finally {
			this.transition.leave();
		}
	}

	private void startAll(InformerRuntime started) {
		try {
			this.lifecycle.lock();
			try {
				this.negotiation = started.decoding()
					.apply(this.spec.type())
					.negotiation(this.spec.type(), this.status::fellBack, started.reflectorOptions().nanoTime());
				this.runtime = started;
				this.stopping = false;
				this.status.started(this.partitions);
				this.handlers.forEach((handler) -> handler.start(started.timer()));
				this.partitions.forEach((partition) -> startReflector(partition, started));
			}
			finally {
				this.lifecycle.unlock();
			}
		}
		catch (Throwable ex) {
			boolean due = this.startDue;
			beginStop();
			awaitStop();
			this.startDue = due;
			throw ex;
		}
	}

	private void startReflector(String partition, InformerRuntime current) {
		Negotiation encodings = Objects.requireNonNull(this.negotiation);
		PartitionSink.Passed before = this.passed.get(partition);
		RunningReflector<T> reflector = RunningReflector.of(partition, this.spec, this.store,
				new RunningReflector.Reports(this.status, this.notices, encodings, this.partitions.size()),
				new RunningReflector.Transform(this.transform, before != null && before.isOtherThan(this.transform)),
				current);
		// Its callbacks are to be known as such from the first one on.
		this.reflectors.add(reflector);
		reflector.start();
	}

	/**
	 * Ends requests and lets handlers drain, without waiting for either.
	 */
	void beginStop() {
		if (!this.transition.enter()) {
			return;
		}
		try {
			this.startDue = false;
			if (this.runtime == null) {
				this.store.wakeWaits();
				this.handlers.forEach(SharedHandler::endWaits);
			}
			else {
				this.lifecycle.lock();
				try {
					this.stopping = true;
					this.reflectors.forEach(RunningReflector::stop);
					// A handler that waits for the cache would hold up the drain.
					this.store.endWaits();
					this.handlers.forEach(SharedHandler::drain);
				}
				finally {
					this.lifecycle.unlock();
				}
			}
		}
		finally {
			this.transition.leave();
		}
	}

	/**
	 * Waits for what {@link #beginStop()} began. The caller tells listeners when it holds
	 * no lock any more.
	 */
	void awaitStop() {
		if (!this.transition.enter()) {
			return;
		}
		try {
			if (this.runtime == null || !this.stopping) {
				return;
			}
			this.reflectors.forEach(RunningReflector::awaitEnd);
			this.handlers.forEach(SharedHandler::awaitDrained);
			long until = System.nanoTime() + HandlerDispatcher.GRACE.toNanos();
			this.handlers.forEach((handler) -> handler.awaitEnd(until));
			// From here on the store refuses them.
			this.store.awaitFullStateAgain();
			if (this.retired) {
				this.store.endWaits();
			}
			this.lifecycle.lock();
			try {
				this.reflectors.forEach((each) -> this.passed.compute(each.partition(),
						(partition, before) -> each.sink().passed(before)));
				this.reflectors.clear();
				this.runtime = null;
				this.status.stopped();
			}
			finally {
				this.lifecycle.unlock();
			}
		}
		finally {
			this.transition.leave();
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
		return this.reflectors.stream().anyMatch(RunningReflector::isCurrentThread);
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
	public Set<String> namespaces() {
		Set<String> current = this.partitions;
		return current.contains("") ? Set.of() : current;
	}

	@Override
	public boolean addNamespace(String namespace) {
		requireNamespaces(namespace);
		this.lifecycle.lock();
		try {
			if (!this.store.addPartition(namespace)) {
				return false;
			}
			Set<String> more = new TreeSet<>(this.partitions);
			more.add(namespace);
			this.partitions = Collections.unmodifiableSet(more);
			InformerRuntime current = this.runtime;
			if (current != null && !this.stopping) {
				this.status.namespaceAdded(namespace);
				try {
					startReflector(namespace, current);
				}
				catch (Throwable ex) {
					dropNamespace(namespace);
					throw ex;
				}
			}
		}
		finally {
			this.lifecycle.unlock();
		}
		tellListeners();
		return true;
	}

	/**
	 * Removes a namespace, and asks for nothing of it any more.
	 * @param namespace the namespace
	 * @return its reflectors, which end
	 */
	private List<RunningReflector<T>> dropNamespace(String namespace) {
		List<RunningReflector<T>> ended = this.reflectors.stream()
			.filter((each) -> each.partition().equals(namespace))
			.toList();
		ended.forEach(RunningReflector::stop);
		// First of what can fail: the removal can be repeated then.
		this.store.removePartition(namespace);
		Set<String> less = new TreeSet<>(this.partitions);
		less.remove(namespace);
		this.partitions = Collections.unmodifiableSet(less);
		this.reflectors.removeAll(ended);
		this.passed.remove(namespace);
		this.status.namespaceRemoved(namespace, this.store.snapshot());
		if (hasSynced()) {
			this.status.synced();
		}
		return ended;
	}

	@Override
	public void removeNamespace(String namespace) {
		requireNamespaces(namespace);
		List<RunningReflector<T>> ended;
		this.lifecycle.lock();
		try {
			if (!this.partitions.contains(namespace)) {
				throw unknownNamespace(namespace);
			}
			if (this.partitions.size() == 1) {
				throw new IllegalStateException(
						"'%s' is the last namespace of informer '%s'; without any, stop it instead".formatted(namespace,
								id()));
			}
			ended = dropNamespace(namespace);
		}
		finally {
			this.lifecycle.unlock();
		}
		tellListeners();
		ended.forEach(RunningReflector::awaitEnd);
	}

	private void requireNamespaces(String namespace) {
		// It refuses what is no namespace, and resources that live in none.
		this.spec.withNamespaces(namespace);
		if (this.partitions.contains("")) {
			throw new IllegalStateException(
					"Informer '%s' caches all namespaces; to choose '%s' and others, use a spec with namespaces"
						.formatted(id(), namespace));
		}
	}

	@Override
	public InformerStatus status() {
		Negotiation encodings = this.negotiation;
		return this.status.status(this.store.snapshot(), this.store.hasFullState(),
				(encodings != null) ? encodings.encoding() : null);
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
		SharedHandler<T> added = new SharedHandler<>(id, handler, options, this.store,
				new SharedHandler.Surroundings<>(this.clocks.nanoTime(), this.notices, this::remove));
		this.handlers.add(added);
		tellListeners();
		// at once: what it handles is told at once too, and must not come first
		this.notices.tell((listener, informer) -> listener.handlerAdded(informer, added));
		try {
			connect(added);
		}
		catch (Throwable ex) {
			added.close(Duration.ZERO);
			throw ex;
		}
		tellListeners();
		return added;
	}

	private void connect(SharedHandler<T> added) {
		this.lifecycle.lock();
		try {
			// unless it was removed meanwhile
			this.store.addSink(added.sink());
			if (!this.handlers.contains(added)) {
				this.store.removeSink(added.sink());
			}
			else {
				InformerRuntime current = this.runtime;
				if (current != null && !this.stopping) {
					added.start(current.timer());
				}
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	@Override
	public HandlerRegistration addHandler(ResourceEventHandler<? super T> handler, HandlerOptions options) {
		return addHandler(new ResourceEventHandlerAdapter<>(handler), options);
	}

	private void remove(SharedHandler<T> handler) {
		// in this order: who adds it at the same time looks for it afterwards
		this.handlers.remove(handler);
		this.store.removeSink(handler.sink());
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
		return this.store.awaitFullState(timeout);
	}

	@Override
	public boolean awaitSync(String namespace, Duration timeout) throws InterruptedException {
		requireNamespaces(namespace);
		if (!this.partitions.contains(namespace)) {
			throw unknownNamespace(namespace);
		}
		if (isInReflector() && !this.store.awaitFullState(namespace, Duration.ZERO)) {
			throw waitingForItself();
		}
		return this.store.awaitFullState(namespace, timeout);
	}

	private IllegalArgumentException unknownNamespace(String namespace) {
		return new IllegalArgumentException("Informer '%s' caches the namespaces %s; '%s' is none of them"
			.formatted(id(), this.partitions, namespace));
	}

	private IllegalStateException waitingForItself() {
		return new IllegalStateException(
				"A transform or index function of informer '%s' cannot wait for the cache, which waits for it"
					.formatted(id()));
	}

	@Override
	public boolean awaitResourceVersion(String resourceVersion, Duration timeout) throws InterruptedException {
		if (resourceVersion.isBlank()) {
			throw new IllegalArgumentException(
					"Informer '%s' cannot wait for an empty resourceVersion".formatted(id()));
		}
		return await(null, (snapshot) -> snapshot.hasReached(resourceVersion), timeout);
	}

	@Override
	public boolean await(KubernetesObject written, Duration timeout) throws InterruptedException {
		WrittenObject write = WrittenObject.of(written, id(), this.spec.type(), this.partitions);
		return await(write.partition(), write::isSeenBy, timeout);
	}

	private boolean await(@Nullable String partition, Predicate<StoreSnapshot<T>> condition, Duration timeout)
			throws InterruptedException {
		if (isInReflector() && !condition.test(this.store.snapshot())) {
			throw waitingForItself();
		}
		return this.store.await(partition, condition, timeout);
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
		tellListeners();
	}

	/**
	 * Stops for ever; handlers drain, and are removed.
	 */
	void retire() {
		this.retired = true;
		stop();
		this.store.endWaits();
		this.handlers.forEach(SharedHandler::close);
		this.notices.add(InformerListener::informerRemoved);
		tellListeners();
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

}
