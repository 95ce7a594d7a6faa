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
 * The informers of an application. Equal {@link InformerSpec specs} give the same
 * informer. Nothing connects before {@link #start()}; the {@link ApiClient} is asked for
 * when the informers start. Informers that are asked for after that start at once.
 * <p>
 * All methods may be called from any thread. It can be stopped and started again; listers
 * and handlers that were handed out keep working.
 */
public final class Informers implements AutoCloseable {

	/** Name of the cluster of informers that were given no other. */
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
	 * @return the name; {@value ClusterName#DEFAULT} unless another was given
	 */
	public String cluster() {
		return this.cluster.value();
	}

	/**
	 * Starts building informers on a client. Its connections and its authentication are
	 * used; it is not changed.
	 * @param apiClient the client
	 * @return the builder
	 */
	public static Builder builder(ApiClient apiClient) {
		return builder(() -> apiClient);
	}

	/**
	 * Starts building informers on a client that is asked for at each start. What the
	 * supplier throws is thrown to the caller that starts or asks for an informer then,
	 * and the next one asks again. The supplier may be called while a call that a stop
	 * did not wait for is under way.
	 * @param apiClient gives the client
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
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if the class stands
	 * for no resource
	 */
	public <T extends KubernetesObject> Informer<T> informer(Class<T> objectClass) {
		return informer(this.specDefaults.apply(InformerSpec.of(objectClass)));
	}

	/**
	 * Returns the informer of a spec: the one that an equal spec gave before, also if
	 * namespaces were added to it or removed since, or a new one, which starts at once if
	 * these informers run. If it cannot be started, the next caller tries again.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the informer
	 * @throws RuntimeException what the client's supplier or check threw, or the start
	 */
	public <T extends KubernetesObject> Informer<T> informer(InformerSpec<T> spec) {
		return this.pool.informer(spec);
	}

	/**
	 * Leases the informer of a spec for a time. It is shared like any other, and stopped
	 * when the last lease of it is closed, unless it was asked for without a lease too.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the lease, to be closed by the caller
	 * @throws RuntimeException what the client's supplier or check threw, or the start;
	 * there is no lease then
	 */
	public <T extends KubernetesObject> InformerLease<T> lease(InformerSpec<T> spec) {
		return this.pool.lease(spec);
	}

	/**
	 * Returns a view of an informer for one of many who share it, as integrations inject
	 * it: it cannot be stopped, and is started only while these informers are stopped.
	 * @param <T> the model class
	 * @param informer one of these informers
	 * @param startable whether {@link Informer#run()} may start it
	 * @return the view
	 */
	public <T extends KubernetesObject> Informer<T> view(Informer<T> informer, boolean startable) {
		return new SharedInformer<>((SharedInformer<T>) informer, () -> startable && !isRunning());
	}

	/**
	 * Returns a reader of all cached objects of a class. Before the sync it is empty.
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
	 * @throws IllegalArgumentException if there is a reconciler of that id already
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
	 * Copies an object of a cache, or a part of one, to be changed.
	 * @param <T> the class
	 * @param object the object
	 * @return an equal object that shares nothing that can be changed, with collections
	 * that can be changed
	 * @throws IllegalArgumentException if no object of a class in it can be made
	 */
	public static <T> T copyOf(T object) {
		return ModelCopies.copy(object);
	}

	/**
	 * Adds a listener. It is notified of what happens from now on.
	 * @param listener the listener
	 */
	public void addListener(InformerListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Removes a listener. A call under way may end afterwards.
	 * @param listener the listener
	 */
	public void removeListener(InformerListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Returns all informers.
	 * @return the informers in the order in which they were asked for first
	 */
	public Collection<Informer<?>> all() {
		return List.copyOf(this.pool.all());
	}

	/**
	 * Starts all informers. It does not wait for their sync. Informers that run go on.
	 * Without any informer the client is not asked for yet.
	 * <p>
	 * Where the client cannot be obtained, nothing is started. Where an informer or a
	 * handler of it cannot be started, such as for want of threads, that informer stays
	 * stopped and the others are started; the next start, or the next caller that asks
	 * for the informer, tries again. A {@link #stop()} that comes meanwhile ends the
	 * start.
	 * @throws RuntimeException what the client's supplier or check threw, or what the
	 * first of the informers failed with that could not be started
	 */
	public void start() {
		this.pool.start();
	}

	/**
	 * Stops all informers: connections and threads end within a second, except that
	 * handlers may take their drain timeout to handle what waits. Caches keep their
	 * content. Threads that wait for an informer or handler return. A start under way
	 * ends; it does not wait for the client's supplier to return. Called from a callback,
	 * it does not wait for that callback.
	 */
	public void stop() {
		this.pool.stop();
	}

	/**
	 * Returns whether the informers were started and not stopped.
	 * @return whether they run
	 */
	public boolean isRunning() {
		return this.pool.isRunning();
	}

	@Override
	public void close() {
		stop();
	}

	/**
	 * Returns what the pools of all decoders take their memory from.
	 * @return the budget
	 */
	PoolBudget pools() {
		return this.pools;
	}

	/**
	 * Returns what integrations need, and applications do not. It is no stable API.
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
		 * Sets the name of the cluster, for applications with several: it is part of the
		 * ids of informers, handlers and reconcilers.
		 * @param cluster the name, of lower-case letters, digits and '-'
		 * @return this builder
		 * @throws IllegalArgumentException if that is no such name
		 */
		public Builder cluster(String cluster) {
			if (!cluster.matches("[a-z0-9-]+")) {
				throw new IllegalArgumentException(
						"'%s' is no name of a cluster; use lower-case letters, digits and '-'".formatted(cluster));
			}
			this.cluster = cluster;
			return this;
		}

		/**
		 * Sets what narrows the informers that are asked for by class alone.
		 * @param specDefaults the defaults; none by default
		 * @return this builder
		 */
		public Builder specDefaults(InformerSpecDefaults specDefaults) {
			this.specDefaults = specDefaults;
			return this;
		}

		/**
		 * Sets the number of objects of a page of a list. By default it is 500 where the
		 * API server can page without giving up consistency, and none elsewhere.
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
		 * Sets the page sizes of single resources, for informers whose spec names none.
		 * @param pageSizes gives the number of objects; 0 for that of all resources
		 * @return this builder
		 */
		public Builder pageSizes(ToIntFunction<? super ResourceType<?>> pageSizes) {
			this.pageSizes = pageSizes::applyAsInt;
			return this;
		}

		/**
		 * Sets of which resources {@code metadata.managedFields} are kept, which say who
		 * set which field of an object. They are often half of its size.
		 * @param keepManagedFields says whether those of a resource are kept; none are by
		 * default
		 * @return this builder
		 */
		public Builder keepManagedFields(Predicate<? super ResourceType<?>> keepManagedFields) {
			this.keepManagedFields = keepManagedFields::test;
			return this;
		}

		/**
		 * Sets whether the API server is asked for Kubernetes protobuf, which is smaller
		 * than JSON and decoded faster. Only built-in types have it; where a server or a
		 * proxy does not accept it or damages it, JSON is used instead.
		 * @param protobuf whether to prefer it; so it is by default
		 * @return this builder
		 */
		public Builder protobuf(boolean protobuf) {
			this.protobuf = protobuf;
			return this;
		}

		/**
		 * Sets of which resources equal parts of different objects, such as the
		 * containers of two pods of one deployment, may be one instance in memory. They
		 * never are where a transform is set.
		 * @param shareEqualParts says whether those of a resource may; all may by default
		 * @return this builder
		 * @see Informers#copyOf(Object)
		 */
		public Builder shareEqualParts(Predicate<? super ResourceType<?>> shareEqualParts) {
			this.shareEqualParts = shareEqualParts::test;
			return this;
		}

		/**
		 * Sets what changes objects of a resource before they are cached, such as to drop
		 * what nobody reads. All informers on the resource have it from the beginning,
		 * whoever asks for them; {@link Informer#setTransform(TransformFunc)}, which says
		 * what it may do, replaces it.
		 * @param transform gives the transform of a resource, or {@code null} for none.
		 * It is called whenever an informer is asked for, by that thread; what a new
		 * informer is given stays
		 * @return this builder
		 */
		public Builder transform(Function<? super ResourceType<?>, ? extends @Nullable TransformFunc> transform) {
			this.models = new ModelDefaults(transform::apply, this.models.indexers());
			return this;
		}

		/**
		 * Sets indexes that all informers on a resource have from the beginning, whoever
		 * asks for them.
		 * @param indexers gives the functions of a resource by the names of the indexes;
		 * an empty map for none. It is called whenever an informer is asked for, by that
		 * thread; what a new informer is given stays
		 * @return this builder
		 * @see Informer#addIndexers(Map)
		 */
		public Builder indexers(
				Function<? super ResourceType<?>, ? extends Map<String, Function<KubernetesObject, List<String>>>> indexers) {
			this.models = new ModelDefaults(this.models.transform(), indexers::apply);
			return this;
		}

		/**
		 * Shares one bound with other informers, such as those of another cluster: that
		 * of what all decoders remember, so that equal strings and parts of objects are
		 * one instance. It is 16 MB, and each set of informers has its own by default.
		 * @param others the other informers
		 * @return this builder
		 */
		public Builder sharePoolsWith(Informers others) {
			this.pools = others.pools;
			return this;
		}

		/**
		 * Sets how full states are asked for: by lists, which come compressed and cost a
		 * client half the processor time, or by streaming lists (KEP-3157).
		 * @param listMode the mode; {@link ListMode#PAGED} by default
		 * @return this builder
		 */
		public Builder listMode(ListMode listMode) {
			this.listMode = listMode;
			return this;
		}

		/**
		 * Sets how long a streaming list may bring nothing new. After that the server is
		 * taken not to know of them, and is asked for pages instead.
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
		 * Sets after how long the cache is compared with a full list of the most recent
		 * state, object by object. Nothing of the protocol needs it; it finds what the
		 * wire does not show, such as a server that was restored from a backup and has
		 * passed the version of the cache already. It is done when a watch ends, at most
		 * ten minutes after it is due. Objects whose class, or that of a part, has no
		 * {@code equals} are delivered as updated by each comparison.
		 * @param verifyEvery the period; zero, the default, for never
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
		 * Sets after how long without a byte a watch counts as dead. The API server sends
		 * a bookmark about once a minute.
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
		 * Sets how many lists are read at once: each first list of an informer or a
		 * namespace, and each relist, in pages or as a stream. The others wait for their
		 * turn. A list that takes longer than ten seconds goes on, and lets the next one
		 * begin, so that slow lists do not hold up fast ones; with the slow ones, at most
		 * four times the number are read at once.
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
		 * Sets what makes the threads that read from the API server: one for each
		 * informer and namespace, which has something to do only while events come in.
		 * Without it they are platform threads that keep the JVM alive, whatever thread
		 * starts them. Virtual threads, which do not, are worth it from Java 24 on:
		 * before, they hold on to a platform thread each while they wait. Lists are
		 * decoded on these threads, too. The factory is called anew for each start and
		 * each added namespace, returns a thread that is not started, and must not wait
		 * for anything.
		 * @param threadFactory the factory, whose threads are given names
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
		 * Adds a listener, which is notified of what the informers and their handlers do.
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
		 * Sets how many connections writes of reconcilers may have for themselves. One is
		 * opened for a worker when many writes come within a second, speaks HTTP/1.1, and
		 * is closed when it was idle for ten seconds. Such a write takes a third of the
		 * processor time. All other requests share the connection of the informers, and
		 * so do all writes where the HTTP client has a proxy, an authenticator, cookies,
		 * a cache, pinned certificates, an event listener or network interceptors.
		 * @param writeConnections the number; 32 by default, 0 for none
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
		 * Builds the informers. Nothing is connected yet.
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
