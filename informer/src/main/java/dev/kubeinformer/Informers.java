package dev.kubeinformer;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerSpecDefaults;
import dev.kubeinformer.informer.Snapshot;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.codec.pool.PoolBudget;
import dev.kubeinformer.internal.controller.ControllerContext;
import dev.kubeinformer.internal.controller.ReconcilerPool;
import dev.kubeinformer.internal.http.OwnConnections;
import dev.kubeinformer.internal.informer.DefaultEngineHooks;
import dev.kubeinformer.internal.informer.InformerPool;
import dev.kubeinformer.internal.informer.ModelDefaults;
import dev.kubeinformer.internal.informer.SharedInformer;
import dev.kubeinformer.internal.reflector.ReflectorTimings;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.runtime.RuntimeFactory;
import dev.kubeinformer.internal.runtime.RuntimeHolder;
import dev.kubeinformer.internal.status.InformerListeners;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spi.EngineHooks;
import dev.kubeinformer.types.ClusterName;
import dev.kubeinformer.types.ListMode;

/**
 * Registry of the informers of an application. Equal {@link InformerSpec specs} share one
 * informer. Nothing connects before {@link #start()}, which also obtains the
 * {@link ApiClient}. An informer that is requested after the start starts at once.
 * <p>
 * All methods may be called from any thread. The informers can be stopped and started
 * again; existing listers and handlers keep working.
 */
public final class Informers implements AutoCloseable {

	/** Name of the cluster unless the builder sets another one. */
	public static final String DEFAULT_CLUSTER = ClusterName.DEFAULT;

	private final ClusterName cluster;

	private final InformerSpecDefaults specDefaults;

	private final PoolBudget pools;

	private final InformerListeners listeners;

	private final InformerPool pool;

	private final ReconcilerPool reconcilers;

	private final EngineHooks hooks;

	private Informers(Builder settings) {
		this.cluster = new ClusterName(settings.cluster);
		this.specDefaults = settings.specDefaults;
		this.pools = settings.pools;
		InformerRuntime.Clocks clocks = new InformerRuntime.Clocks(Clock.systemUTC(), System::nanoTime);
		this.listeners = new InformerListeners(settings.listeners, clocks.nanoTime());
		RuntimeHolder link = new RuntimeHolder(settings.apiClient, settings.runtimes(this.cluster, clocks)::runtime);
		this.pool = new InformerPool(this.cluster, link, clocks, this.listeners, settings.pageSizes, settings.models,
				this::isSource);
		this.reconcilers = new ReconcilerPool(
				ControllerContext.of(this.pool, this.cluster, link, clocks, settings.mappers));
		this.hooks = new DefaultEngineHooks(this.pool, link, this.reconcilers.writeRecorder(), this::closeReconcilers);
	}

	private boolean isSource(InformerSpec<?> spec) {
		return this.reconcilers.isSource(spec);
	}

	private void closeReconcilers() {
		this.reconcilers.all().forEach(ReconcilerContainer::close);
	}

	/**
	 * Returns the name of the cluster.
	 * @return the name; {@value ClusterName#DEFAULT} unless the builder set another one
	 */
	public String cluster() {
		return this.cluster.value();
	}

	/**
	 * Starts building informers on a client. The informers use its connections and
	 * authentication and do not modify it.
	 * @param apiClient the client
	 * @return the builder
	 */
	public static Builder builder(ApiClient apiClient) {
		return builder(() -> apiClient);
	}

	/**
	 * Starts building informers that obtain their client at each start. If the supplier
	 * throws an exception, the caller that starts or requests an informer receives it,
	 * and the next caller calls the supplier again. Calls of the supplier can overlap,
	 * because a stop does not wait for a call in progress.
	 * @param apiClient the supplier of the client
	 * @return the builder
	 */
	public static Builder builder(Supplier<ApiClient> apiClient) {
		return new Builder(apiClient);
	}

	/**
	 * Returns the informer on all objects of a class in the whole cluster, unless
	 * {@link Builder#specDefaults(InformerSpecDefaults)} narrow it.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the informer
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if the class does
	 * not map to a resource
	 */
	public <T extends KubernetesObject> Informer<T> informer(Class<T> objectClass) {
		return informer(this.specDefaults.apply(InformerSpec.of(objectClass)));
	}

	/**
	 * Returns the informer of a spec. Equal specs share an informer, even after
	 * namespaces were added to that informer or removed from it. A new informer starts at
	 * once if these informers are running. If it cannot start, the next caller tries
	 * again.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the informer
	 * @throws RuntimeException if the client's supplier, the client's check or the start
	 * fails
	 */
	public <T extends KubernetesObject> Informer<T> informer(InformerSpec<T> spec) {
		return this.pool.informer(spec);
	}

	/**
	 * Leases the informer of a spec temporarily. The informer is shared like any other.
	 * It stops when its last lease is closed, unless it was also requested without a
	 * lease.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the lease, which the caller must close
	 * @throws RuntimeException if the client's supplier, the client's check or the start
	 * fails; no lease exists then
	 */
	public <T extends KubernetesObject> InformerLease<T> lease(InformerSpec<T> spec) {
		return this.pool.lease(spec);
	}

	/**
	 * Returns a view of an informer, which an integration gives to one user of the
	 * informer. A view cannot stop the informer, and can start it only while these
	 * informers are stopped.
	 * @param <T> the model class
	 * @param informer one of these informers
	 * @param startable {@code true} if {@link Informer#run()} of the view may start the
	 * informer; {@code false} if it does nothing
	 * @return the view
	 */
	public <T extends KubernetesObject> Informer<T> view(Informer<T> informer, boolean startable) {
		return view(informer, startable, () -> {
		});
	}

	/**
	 * Returns a view of an informer like {@link #view(Informer, boolean)}. The view calls
	 * the integration before its listers, indexers and snapshots read the cache.
	 * @param <T> the model class
	 * @param informer one of these informers
	 * @param startable {@code true} if {@link Informer#run()} of the view may start the
	 * informer; {@code false} if it does nothing
	 * @param beforeRead called on the reading thread. It may wait, for example for the
	 * first sync, and reject the read with an exception
	 * @return the view
	 */
	public <T extends KubernetesObject> Informer<T> view(Informer<T> informer, boolean startable, Runnable beforeRead) {
		return new SharedInformer<>((SharedInformer<T>) informer, () -> startable && !isRunning(), beforeRead);
	}

	/**
	 * Returns a lister of all cached objects of a class. It is empty before the sync.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the lister
	 */
	public <T extends KubernetesObject> Lister<T> lister(Class<T> objectClass) {
		return informer(objectClass).lister();
	}

	/**
	 * Returns all cached objects of a class at this moment.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the snapshot
	 */
	public <T extends KubernetesObject> Snapshot<T> snapshot(Class<T> objectClass) {
		return informer(objectClass).snapshot();
	}

	/**
	 * Returns a new container of a reconciler, which is not started.
	 * @param <T> the model class of the primary
	 * @param spec the settings
	 * @return the container
	 * @throws IllegalArgumentException if a reconciler of that id exists already
	 */
	public <T extends KubernetesObject> ReconcilerContainer controller(ReconcilerSpec<T> spec) {
		return this.reconcilers.add(spec);
	}

	/**
	 * Returns all reconcilers.
	 * @return the registry
	 */
	public ReconcilerRegistry reconcilers() {
		return this.reconcilers;
	}

	/**
	 * Copies a cached object, or a value in one, so that the copy can be changed.
	 * @param <T> the class
	 * @param object the object
	 * @return an equal object with mutable collections, which shares no mutable state
	 * with the original
	 * @throws IllegalArgumentException if a class in the object graph cannot be
	 * instantiated
	 */
	public static <T> T copyOf(T object) {
		return ModelCopies.copy(object);
	}

	/**
	 * Adds a listener. The listener is notified of everything that happens after this
	 * call.
	 * @param listener the listener
	 */
	public void addListener(InformerListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Removes a listener. A notification in progress may end later.
	 * @param listener the listener
	 */
	public void removeListener(InformerListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Returns all informers.
	 * @return the informers in the order of their first request
	 */
	public Collection<Informer<?>> all() {
		return List.copyOf(this.pool.all());
	}

	/**
	 * Starts all informers. Does not wait for their sync, and leaves running informers
	 * alone. The client is not obtained while no informer exists.
	 * <p>
	 * If the client cannot be obtained, nothing starts. If an informer or one of its
	 * handlers cannot start, for example because no thread can be created, that informer
	 * stays stopped and the others start. The next start, or the next request for the
	 * informer, tries again. A concurrent {@link #stop()} ends the start.
	 * @throws RuntimeException if the client's supplier or check fails; otherwise the
	 * exception of the first informer that could not start
	 */
	public void start() {
		this.pool.start();
	}

	/**
	 * Stops all informers. Connections and threads end within a second; handlers may use
	 * their drain timeout for pending events. Caches keep their content. Threads that
	 * wait for an informer or handler return. A start in progress ends without waiting
	 * for the client's supplier. A call from a callback does not wait for that callback.
	 */
	public void stop() {
		this.pool.stop();
	}

	/**
	 * Returns whether the informers were started and not stopped.
	 * @return {@code true} if the informers were started and not stopped
	 */
	public boolean isRunning() {
		return this.pool.isRunning();
	}

	@Override
	public void close() {
		stop();
	}

	/**
	 * Returns the memory budget that the pools of all decoders share.
	 * @return the budget
	 */
	PoolBudget pools() {
		return this.pools;
	}

	/**
	 * Returns the hooks for integrations. They are not a stable API; applications do not
	 * need them.
	 * @return the hooks
	 */
	public EngineHooks hooks() {
		return this.hooks;
	}

	/**
	 * Settings of informers.
	 */
	public static final class Builder {

		private final Supplier<ApiClient> apiClient;

		private final JsonMappers mappers = new JsonMappers(false);

		private ReflectorTimings timings = ReflectorTimings.defaults();

		private String cluster = ClusterName.DEFAULT;

		private InformerSpecDefaults specDefaults = InformerSpecDefaults.NONE;

		private ModelDefaults models = ModelDefaults.NONE;

		private Predicate<ResourceType<?>> keepManagedFields = (type) -> false;

		private boolean protobuf = true;

		private Predicate<ResourceType<?>> shareEqualParts = (type) -> true;

		private PoolBudget pools = new PoolBudget(PoolBudget.DEFAULT_BYTES);

		private ListMode listMode = ListMode.PAGED;

		private int pageSize;

		private ToIntFunction<ResourceType<?>> pageSizes = (type) -> 0;

		private int concurrentSyncs = 8;

		private int writeConnections = OwnConnections.Limits.USUAL.most();

		private Duration idleTimeout = Duration.ofSeconds(150);

		private ThreadFactory threadFactory = Builder::thread;

		private final List<InformerListener> listeners = new ArrayList<>();

		Builder(Supplier<ApiClient> apiClient) {
			this.apiClient = apiClient;
		}

		/**
		 * Sets the name of the cluster, for applications with several clusters. The ids
		 * of informers, handlers and reconcilers contain it.
		 * @param cluster the name; lower-case letters, digits and '-'
		 * @return this builder
		 * @throws IllegalArgumentException if the name is not valid
		 */
		public Builder cluster(String cluster) {
			if (!cluster.matches("[a-z0-9-]+")) {
				throw new IllegalArgumentException(
						"Invalid cluster name '%s': use lower-case letters, digits and '-'".formatted(cluster));
			}
			this.cluster = cluster;
			return this;
		}

		/**
		 * Sets the defaults that narrow informers requested by class alone.
		 * @param specDefaults the defaults; none by default
		 * @return this builder
		 */
		public Builder specDefaults(InformerSpecDefaults specDefaults) {
			this.specDefaults = specDefaults;
			return this;
		}

		/**
		 * Sets the number of objects per page of a list. By default a page has 500
		 * objects. A list that must be at least as new as a known resourceVersion is then
		 * usually not paged, because the API server would page a list of exactly that
		 * version.
		 * @param pageSize the number of objects; 0 for the default
		 * @return this builder
		 * @throws IllegalArgumentException if the number is negative
		 */
		public Builder pageSize(int pageSize) {
			if (pageSize < 0) {
				throw new IllegalArgumentException("Page size '%d' must not be negative".formatted(pageSize));
			}
			this.pageSize = pageSize;
			return this;
		}

		/**
		 * Sets the page size per resource, for informers whose spec does not set one.
		 * @param pageSizes returns the number of objects per page for a resource; 0 to
		 * use {@link #pageSize(int)}
		 * @return this builder
		 */
		public Builder pageSizes(ToIntFunction<? super ResourceType<?>> pageSizes) {
			this.pageSizes = pageSizes::applyAsInt;
			return this;
		}

		/**
		 * Sets the resources whose {@code metadata.managedFields} are kept. Managed
		 * fields name the owner of each field and are often half the size of an object.
		 * @param keepManagedFields returns whether the managed fields of a resource are
		 * kept; by default never
		 * @return this builder
		 */
		public Builder keepManagedFields(Predicate<? super ResourceType<?>> keepManagedFields) {
			this.keepManagedFields = keepManagedFields::test;
			return this;
		}

		/**
		 * Sets whether informers request Kubernetes protobuf, which is smaller than JSON
		 * and faster to decode. Only built-in types support it. JSON is used if a server
		 * or proxy rejects or corrupts protobuf.
		 * @param protobuf whether to prefer protobuf; {@code true} by default
		 * @return this builder
		 */
		public Builder protobuf(boolean protobuf) {
			this.protobuf = protobuf;
			return this;
		}

		/**
		 * Sets the resources whose objects may share equal parts in memory, such as the
		 * containers of two pods of one deployment. Objects of an informer with a
		 * transform never share parts.
		 * @param shareEqualParts returns whether objects of a resource may share parts;
		 * by default always
		 * @return this builder
		 * @see Informers#copyOf(Object)
		 */
		public Builder shareEqualParts(Predicate<? super ResourceType<?>> shareEqualParts) {
			this.shareEqualParts = shareEqualParts::test;
			return this;
		}

		/**
		 * Sets the transforms that change objects before they are cached, for example to
		 * drop unused fields. Every informer on the resource starts with its transform.
		 * {@link Informer#setTransform(TransformFunc)} replaces it and documents what a
		 * transform may do.
		 * @param transform returns the transform of a resource; {@code null} for none.
		 * Called by the requesting thread for each request of an informer; the result is
		 * only used for a new informer
		 * @return this builder
		 */
		public Builder transform(Function<? super ResourceType<?>, ? extends @Nullable TransformFunc> transform) {
			this.models = new ModelDefaults(transform::apply, this.models.indexers());
			return this;
		}

		/**
		 * Sets the indexes that every informer on a resource starts with.
		 * @param indexers returns the index functions of a resource by the name of the
		 * index; an empty map for none. Called by the requesting thread for each request
		 * of an informer; the result is only used for a new informer
		 * @return this builder
		 * @see Informer#addIndexers(Map)
		 */
		public Builder indexers(
				Function<? super ResourceType<?>, ? extends Map<String, Function<KubernetesObject, List<String>>>> indexers) {
			this.models = new ModelDefaults(this.models.transform(), indexers::apply);
			return this;
		}

		/**
		 * Shares the memory budget of the pools with other informers, such as those of
		 * another cluster. Decoders remember strings and parts of objects in pools, so
		 * that equal ones become one instance. By default each set of informers has a
		 * budget of its own, 16 MB.
		 * @param others the other informers
		 * @return this builder
		 */
		public Builder sharePoolsWith(Informers others) {
			this.pools = others.pools;
			return this;
		}

		/**
		 * Sets how informers read full states: with lists or with streaming lists
		 * (KEP-3157). Lists are compressed and cost a client half the CPU time of
		 * streaming lists.
		 * @param listMode the mode; {@link ListMode#PAGED} by default
		 * @return this builder
		 */
		public Builder listMode(ListMode listMode) {
			this.listMode = listMode;
			return this;
		}

		/**
		 * Sets how long a streaming list may stay without progress. After that time the
		 * informer assumes that the server does not support streaming lists, and lists in
		 * pages.
		 * @param syncDeadline the time; 60 seconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if the time is not positive
		 */
		public Builder syncDeadline(Duration syncDeadline) {
			if (syncDeadline.isNegative() || syncDeadline.isZero()) {
				throw new IllegalArgumentException("Sync deadline '%s' must be positive".formatted(syncDeadline));
			}
			return timings(this.timings.withSyncDeadline(Durations.countable(syncDeadline)));
		}

		/**
		 * Sets the period after which the cache is compared, object by object, with a
		 * full list of the most recent state. The protocol does not need this comparison.
		 * It finds differences that the protocol cannot show, such as a server that was
		 * restored from a backup and is already past the cache's version. The comparison
		 * runs when a watch ends, at most ten minutes after it is due. Each comparison
		 * delivers an object as updated if its class, or the class of one of its parts,
		 * does not define {@code equals}.
		 * @param verifyEvery the period; zero (default) to never compare
		 * @return this builder
		 * @throws IllegalArgumentException if the period is negative
		 */
		public Builder verifyEvery(Duration verifyEvery) {
			if (verifyEvery.isNegative()) {
				throw new IllegalArgumentException(
						"Verification period '%s' must not be negative".formatted(verifyEvery));
			}
			return timings(this.timings.withVerifyEvery(Durations.countable(verifyEvery)));
		}

		/**
		 * Sets the time without any byte after which a watch is considered dead. The API
		 * server sends a bookmark about once a minute.
		 * @param idleTimeout the time; 150 seconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if the time is not positive
		 */
		public Builder idleTimeout(Duration idleTimeout) {
			if (idleTimeout.isNegative() || idleTimeout.isZero()) {
				throw new IllegalArgumentException("Idle timeout '%s' must be positive".formatted(idleTimeout));
			}
			this.idleTimeout = Durations.countable(idleTimeout);
			return this;
		}

		/**
		 * Sets the number of lists that are read concurrently: first lists of informers
		 * and namespaces as well as relists, in pages or as a stream. Further lists wait.
		 * A list that takes longer than ten seconds continues but no longer counts, so
		 * that slow lists do not delay fast ones. Including slow lists, at most four
		 * times this number are read concurrently.
		 * @param concurrentSyncs the number; 8 by default
		 * @return this builder
		 * @throws IllegalArgumentException if the number is below 1
		 */
		public Builder concurrentSyncs(int concurrentSyncs) {
			if (concurrentSyncs < 1) {
				throw new IllegalArgumentException(
						"Number of concurrent syncs '%d' must be at least 1".formatted(concurrentSyncs));
			}
			this.concurrentSyncs = concurrentSyncs;
			return this;
		}

		/**
		 * Sets the factory of the threads that read from the API server, one for each
		 * informer and namespace. Each thread is busy only while events arrive. By
		 * default they are platform threads that keep the JVM alive. Virtual threads do
		 * not keep it alive; they pay off from Java 24 on, because before Java 24 each of
		 * them pins a platform thread while it waits. Lists are decoded on these threads,
		 * too. The factory is called for each start and each added namespace. It must
		 * return an unstarted thread and must not block.
		 * @param threadFactory the factory; its threads are renamed
		 * @return this builder
		 * @see HandlerOptions#withThreadFactory(ThreadFactory)
		 */
		public Builder threadFactory(ThreadFactory threadFactory) {
			this.threadFactory = Objects.requireNonNull(threadFactory, "The thread factory is null");
			return this;
		}

		private static Thread thread(Runnable work) {
			Thread thread = new Thread(work);
			thread.setDaemon(false);
			return thread;
		}

		/**
		 * Adds a listener that is notified of the actions of the informers and their
		 * handlers.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder listener(InformerListener listener) {
			this.listeners.add(listener);
			return this;
		}

		Builder timings(ReflectorTimings timings) {
			this.timings = timings;
			return this;
		}

		/**
		 * Sets the maximum number of connections that only writes of reconcilers use. A
		 * worker opens such a connection when there are many writes within a second. The
		 * connection uses HTTP/1.1 and is closed after ten idle seconds. A write over it
		 * takes about a third less CPU time. All other requests share the connection of
		 * the informers. Writes share it, too, if the HTTP client has a proxy, an
		 * authenticator, cookies, a cache, pinned certificates, an event listener or
		 * network interceptors.
		 * @param writeConnections the number of connections; 32 by default, 0 for none
		 * @return this builder
		 * @throws IllegalArgumentException if the number is negative
		 */
		public Builder writeConnections(int writeConnections) {
			if (writeConnections < 0) {
				throw new IllegalArgumentException(
						"Number of write connections '%d' must not be negative".formatted(writeConnections));
			}
			this.writeConnections = writeConnections;
			return this;
		}

		/**
		 * Builds the informers. Nothing connects before they are started.
		 * @return the informers
		 */
		public Informers build() {
			return new Informers(this);
		}

		private RuntimeFactory runtimes(ClusterName cluster, InformerRuntime.Clocks clocks) {
			return new RuntimeFactory(cluster,
					new RuntimeFactory.DecodingSettings(this.mappers, this.protobuf, this.keepManagedFields,
							this.shareEqualParts),
					this.pools, new RuntimeFactory.ListSettings(this.listMode, this.pageSize, this.concurrentSyncs),
					this.timings.withIdleTimeout(this.idleTimeout), clocks, this.threadFactory,
					OwnConnections.Limits.USUAL.withMost(this.writeConnections));
		}

	}

}
