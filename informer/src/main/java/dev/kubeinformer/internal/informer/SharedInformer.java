package dev.kubeinformer.internal.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.QuarantinedObjects;
import dev.kubeinformer.informer.Snapshot;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.status.InformerListeners;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.ShardTracker;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.ClusterName;

/**
 * Informer: a store, the reflectors that fill it, and the handlers.
 *
 * @param <T> the model class
 */
public final class SharedInformer<T extends KubernetesObject> implements Informer<T> {

	/** Maximum number of unreadable objects that a message names. */
	private static final int NAMED = 5;

	private final ClusterName cluster;

	private final InformerSpec<T> spec;

	private final Consumer<InformerLifecycle<?>> starter;

	private final InformerRuntime.Clocks clocks;

	private final ObjectStore<T> store;

	private final StoreIndexer<T> indexer;

	private final StatusTracker status;

	private final InformerNotices notices;

	private final InformerPartitions<T> partitions;

	private final InformerLifecycle<T> lifecycle;

	private final CacheConditions<T> waits;

	private final AtomicInteger handlerNumbers;

	/**
	 * Returns whether a user of this view may start the informer; {@code null} if the
	 * user may both start and stop it.
	 */
	private final @Nullable BooleanSupplier startable;

	public SharedInformer(ClusterName cluster, InformerSpec<T> spec, Consumer<InformerLifecycle<?>> starter,
			InformerRuntime.Clocks clocks, InformerListeners listeners, Predicate<InformerSpec<?>> fresh) {
		this.cluster = cluster;
		this.spec = spec;
		this.starter = starter;
		this.clocks = clocks;
		Shards shards = spec.shards();
		this.store = new ObjectStore<>(InformerPartitions.of(spec), (shards != null) ? shards.division() : null);
		this.indexer = new StoreIndexer<>(this.store, () -> {
		});
		this.notices = new InformerNotices(this, listeners, clocks.nanoTime());
		this.status = new StatusTracker(id(), spec, clocks, this.notices);
		this.partitions = new InformerPartitions<>(spec, this.store, this.status, this.notices, fresh);
		ShardTracker sharding = this.status.sharding();
		if (sharding != null && shards != null) {
			sharding.slots(() -> this.store.heldSlots().slots(), this.store.listedSlots()::present);
		}
		this.lifecycle = new InformerLifecycle<>(id(), this.store, this.status, this.notices, this.partitions, shards);
		this.waits = new CacheConditions<>(id(), spec, this.store, this.partitions);
		this.handlerNumbers = new AtomicInteger();
		this.startable = null;
		this.notices.add(InformerListener::informerAdded);
	}

	/**
	 * Creates a view of an informer for one of its users.
	 * @param shared the informer
	 * @param startable returns {@code true} if {@link #run()} starts the informer,
	 * {@code false} if it does nothing
	 * @param beforeRead called before each read of the cache by this view
	 */
	public SharedInformer(SharedInformer<T> shared, BooleanSupplier startable, Runnable beforeRead) {
		this.cluster = shared.cluster;
		this.spec = shared.spec;
		this.starter = shared.starter;
		this.clocks = shared.clocks;
		this.store = shared.store;
		this.indexer = new StoreIndexer<>(shared.store, beforeRead);
		this.notices = shared.notices;
		this.status = shared.status;
		this.partitions = shared.partitions;
		this.lifecycle = shared.lifecycle;
		this.waits = shared.waits;
		this.handlerNumbers = shared.handlerNumbers;
		this.startable = startable;
	}

	/**
	 * Returns the cache.
	 * @return the store
	 */
	public ObjectStore<T> store() {
		return this.store;
	}

	/**
	 * Returns the partitions of the cache, each of which has its own version.
	 * @return the namespaces, or only the empty string for the whole cluster
	 */
	public Set<String> partitions() {
		return this.partitions.names();
	}

	/**
	 * Returns whether the cache was filled with a state of the API server that is not
	 * older than a given time.
	 * @param since the time, by the monotonic clock
	 * @return {@code true} if the cache is known to be that recent
	 */
	public boolean wasFilledFresh(long since) {
		return this.partitions.wereFilledFresh(since);
	}

	/**
	 * Opens a separate connection that requests the objects of a partition.
	 * @param partition the partition
	 * @param runtime the resources that all informers share
	 * @return the connection; if the objects are divided by slots, it requests the slots
	 * that the cache holds now
	 */
	public ApiConnection<T> connection(String partition, InformerRuntime runtime) {
		return (this.spec.shards() != null)
				? RunningReflector.connection(partition, this.spec, runtime, this.store.fullSlots(partition))
				: RunningReflector.connection(partition, this.spec, runtime);
	}

	/**
	 * Converts an object from another request into its cached form.
	 * @param object the object, which is not changed
	 * @return the object, nothing if the transform drops it, or the reason why it cannot
	 * be cached
	 */
	public DecodedObject<T> prepare(T object) {
		return this.partitions.prepare(object);
	}

	public InformerLifecycle<T> lifecycle() {
		return this.lifecycle;
	}

	/**
	 * Adds the defaults of the resource to a new informer.
	 * @param defaults the transform and the indexes
	 */
	void add(ModelDefaults.Of<T> defaults) {
		this.lifecycle.transform(defaults.transform());
		addIndexers(defaults.indexers());
	}

	@Override
	public String id() {
		return this.cluster.qualify(this.spec.id());
	}

	@Override
	public String cluster() {
		return this.cluster.value();
	}

	@Override
	public InformerSpec<T> spec() {
		return this.spec;
	}

	@Override
	public Set<String> namespaces() {
		Set<String> current = this.partitions.names();
		return current.contains("") ? Set.of() : current;
	}

	@Override
	public boolean addNamespace(String namespace) {
		requireNamespaces(namespace);
		boolean added = this.lifecycle.addNamespace(namespace);
		if (added) {
			this.lifecycle.notifyListeners();
		}
		return added;
	}

	@Override
	public void removeNamespace(String namespace) {
		requireNamespaces(namespace);
		List<RunningReflector<T>> ended = this.lifecycle.removeNamespace(namespace);
		this.lifecycle.notifyListeners();
		ended.forEach(RunningReflector::awaitEnd);
	}

	private void requireNamespaces(String namespace) {
		// This rejects invalid namespaces and cluster-scoped resources.
		this.spec.withNamespaces(namespace);
		if (this.partitions.isWhole()) {
			throw new IllegalStateException(
					"Informer '%s' caches all namespaces; to choose '%s' and others, use a spec with namespaces"
						.formatted(id(), namespace));
		}
	}

	@Override
	public InformerStatus status() {
		return this.status.status(this.store.snapshot(), this.store.hasFullState(), this.partitions.encoding(),
				this.partitions.metadataMode());
	}

	@Override
	public QuarantinedObjects quarantined() {
		StoreSnapshot<T> now = this.store.snapshot();
		return new QuarantinedObjects(now.isUnreadable(),
				now.unreadable()
					.values()
					.stream()
					.limit(NAMED)
					.collect(Collectors.toMap((each) -> PrintableText.of(each.key().toString()),
							UnreadableObject::problem, (first, second) -> first)));
	}

	@Override
	public Snapshot<T> snapshot() {
		return new SnapshotView<>(this.indexer.snapshot());
	}

	@Override
	public Lister<T> lister() {
		return new StoreLister<>(this.indexer, "");
	}

	@Override
	public HandlerRegistration addHandler(EventHandler<T> handler, HandlerOptions options) {
		HandlerOptions named = options.withId(Objects.requireNonNullElseGet(options.id(),
				() -> id() + "-handler-" + this.handlerNumbers.incrementAndGet()));
		Leadership leadership = options.leadership();
		if (leadership != null) {
			LeaderOnlyHandler<T> added = new LeaderOnlyHandler<>(leadership, this, handler, named);
			this.lifecycle.addLeaderOnly(added);
			register(added);
			return added;
		}
		return addShared(handler, named);
	}

	private void register(LeaderOnlyHandler<T> added) {
		boolean kept = false;
		try {
			added.register();
			kept = !this.lifecycle.isRetired();
		}
		finally {
			if (!kept) {
				added.discard();
			}
		}
	}

	/**
	 * Adds a handler that receives all events.
	 * @param handler the handler
	 * @param options the delivery options, including an id
	 * @return the handler
	 */
	public SharedHandler<T> addShared(EventHandler<T> handler, HandlerOptions options) {
		SharedHandler<T> added = newHandler(handler, options);
		announce(added);
		connect(added);
		return added;
	}

	SharedHandler<T> newHandler(EventHandler<T> handler, HandlerOptions options) {
		return new SharedHandler<>(Objects.requireNonNull(options.id()), handler, options, this.store,
				new SharedHandler.Context<>(this.cluster, spec().type().name(), this.clocks.nanoTime(), this.notices,
						this.lifecycle::remove));
	}

	/**
	 * Notifies listeners of a handler that does not receive events yet.
	 * @param added the handler
	 */
	void announce(SharedHandler<T> added) {
		this.lifecycle.add(added);
		this.lifecycle.notifyListeners();
		// Publish directly: the events of the handler are reported directly, too, and
		// must not come first.
		this.notices.publish((listener, informer) -> listener.handlerAdded(informer, added.registration()));
	}

	/**
	 * Connects an announced handler to the cache.
	 * @param added the handler
	 */
	void connect(SharedHandler<T> added) {
		try {
			this.lifecycle.connect(added);
		}
		catch (Throwable ex) {
			added.close(Duration.ZERO);
			throw ex;
		}
		this.lifecycle.notifyListeners();
	}

	@Override
	public HandlerRegistration addHandler(ResourceEventHandler<? super T> handler, HandlerOptions options) {
		return addHandler(new ResourceEventHandlerAdapter<>(handler), options);
	}

	@Override
	public List<HandlerRegistration> handlers() {
		return this.lifecycle.handlers().stream().map(SharedHandler::registration).toList();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		return this.waits.awaitSync(timeout);
	}

	@Override
	public boolean awaitSync(String namespace, Duration timeout) throws InterruptedException {
		requireNamespaces(namespace);
		this.lifecycle.requireCached(namespace);
		return this.waits.awaitSync(namespace, timeout);
	}

	@Override
	public boolean awaitResourceVersion(String resourceVersion, Duration timeout) throws InterruptedException {
		return this.waits.awaitResourceVersion(resourceVersion, timeout);
	}

	@Override
	public boolean await(KubernetesObject written, Duration timeout) throws InterruptedException {
		return this.waits.await(written, timeout);
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
		if (this.startable == null || this.startable.getAsBoolean()) {
			this.starter.accept(this.lifecycle);
		}
	}

	@Override
	public void stop() {
		if (this.startable != null) {
			throw new UnsupportedOperationException(
					("Informer '%s' was injected and others share it, so that it is not stopped alone. "
							+ "Stop all with Informers.stop()")
						.formatted(id()));
		}
		this.lifecycle.stop();
	}

	@Override
	public boolean hasSynced() {
		return this.store.hasFullState();
	}

	@Override
	public String lastSyncResourceVersion() {
		return this.lifecycle.isRunning() ? this.store.snapshot().resourceVersion() : "";
	}

	@Override
	public void setTransform(@Nullable TransformFunc transformFunc) {
		this.lifecycle.transform(transformFunc);
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
