package dev.kubeinformer;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.reflector.Reflector;
import dev.kubeinformer.internal.reflector.ReflectorTimings;
import dev.kubeinformer.internal.reflector.SyncSlots;
import dev.kubeinformer.internal.transport.ApiConnections;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.resource.ResourceType;
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

	private final Builder settings;

	private final InformerRuntime.Clocks clocks = new InformerRuntime.Clocks(Clock.systemUTC(), System::nanoTime);

	/** Held through a whole start or stop, also while waiting for threads to end. */
	private final TransitionLock transition = new TransitionLock(this::isInCallback, () -> true);

	/** Guards the fields below; never held while waiting. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Map<InformerSpec<?>, SharedInformer<?>> informers = new LinkedHashMap<>();

	/** The number of leases of each informer that nobody uses without one. */
	private final Map<InformerSpec<?>, Integer> leases = new HashMap<>();

	private boolean running;

	/** The number of starts and stops. */
	private int turn;

	private final ClientLink link;

	private final InformerListeners listeners;

	private Informers(Builder settings) {
		this.settings = settings;
		this.link = new ClientLink(settings.apiClient, (client) -> settings.runtime(client, this.clocks));
		this.listeners = new InformerListeners(settings.listeners, this.clocks.nanoTime());
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
	 * supplier throws goes to whoever starts or asks for an informer then, and the next
	 * one asks again. It may be called while a call that a stop did not wait for is under
	 * way.
	 * @param apiClient gives the client
	 * @return the builder
	 */
	public static Builder builder(Supplier<ApiClient> apiClient) {
		return new Builder(apiClient);
	}

	/**
	 * Informer on all objects of a class in the whole cluster, unless
	 * {@link Builder#specDefaults(InformerSpecDefaults)} narrow it.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the informer
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if the class stands
	 * for no resource
	 */
	public <T extends KubernetesObject> Informer<T> informer(Class<T> objectClass) {
		return informer(this.settings.specDefaults.apply(InformerSpec.of(objectClass)));
	}

	/**
	 * Informer of a spec: the one that an equal spec gave before, also if namespaces were
	 * added to it or removed since, or a new one. A new one starts at once if these
	 * informers run. Where it cannot be started, nothing of it stays, unless others use
	 * it; who asks for it next tries again.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the informer
	 * @throws RuntimeException what the client's supplier or check threw, or the start
	 */
	public <T extends KubernetesObject> Informer<T> informer(InformerSpec<T> spec) {
		SharedInformer<T> informer = use(spec);
		this.lock.lock();
		try {
			if (this.informers.get(spec) == informer) {
				this.leases.remove(spec);
			}
		}
		finally {
			this.lock.unlock();
		}
		return informer;
	}

	/**
	 * Informer of a spec for a time. It is shared like any other, and stopped when the
	 * last lease of it is closed, unless it was asked for without a lease too.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the lease, to be closed by the caller
	 * @throws RuntimeException what the client's supplier or check threw, or the start;
	 * there is no lease then
	 */
	public <T extends KubernetesObject> InformerLease<T> lease(InformerSpec<T> spec) {
		SharedInformer<T> informer = use(spec);
		return new InformerLease<>(informer, () -> release(informer));
	}

	/**
	 * Leases an informer, and starts it if all run. Where that fails the lease is over,
	 * and nothing stays of an informer that nobody else uses.
	 * @param <T> the model class
	 * @param spec the spec
	 * @return the informer
	 */
	private <T extends KubernetesObject> SharedInformer<T> use(InformerSpec<T> spec) {
		SharedInformer<T> informer = leased(spec);
		try {
			startWithAll(informer);
		}
		catch (Throwable ex) {
			release(informer);
			throw ex;
		}
		finally {
			informer.tellListeners();
		}
		return informer;
	}

	private <T extends KubernetesObject> SharedInformer<T> leased(InformerSpec<T> spec) {
		this.lock.lock();
		try {
			@SuppressWarnings("unchecked")
			SharedInformer<T> informer = (SharedInformer<T>) this.informers.get(spec);
			if (informer == null) {
				informer = new SharedInformer<>(spec, this, this.clocks, this.listeners);
				if (this.running) {
					informer.setStartDue();
				}
				this.informers.put(spec, informer);
				this.leases.put(spec, 1);
			}
			else {
				// None are counted of one that stays for ever.
				this.leases.computeIfPresent(spec, (known, users) -> users + 1);
			}
			return informer;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void release(SharedInformer<?> informer) {
		InformerSpec<?> spec = informer.spec();
		this.lock.lock();
		try {
			Integer users = this.leases.get(spec);
			if (users == null || this.informers.get(spec) != informer) {
				return;
			}
			if (users > 1) {
				this.leases.put(spec, users - 1);
				return;
			}
			this.leases.remove(spec);
			this.informers.remove(spec);
		}
		finally {
			this.lock.unlock();
		}
		informer.retire();
	}

	/**
	 * Reader of all cached objects of a class, whose informer is created on demand.
	 * Before the first sync it is empty.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the lister
	 */
	public <T extends KubernetesObject> Lister<T> lister(Class<T> objectClass) {
		return informer(objectClass).lister();
	}

	/**
	 * All cached objects of a class at this moment.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the snapshot
	 */
	public <T extends KubernetesObject> Snapshot<T> snapshot(Class<T> objectClass) {
		return informer(objectClass).snapshot();
	}

	/**
	 * Copies an object of a cache, or a part of one, to be changed. Cached objects
	 * themselves are shared and must not be changed.
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
	 * Sets what looks at the client at each start, before anything connects, and refuses
	 * it by an exception, which goes to whoever starts. It takes the place of an earlier
	 * one. If informers are started already, it looks at their client at once. No lock is
	 * held meanwhile: it may ask the API server.
	 * @param check looks at the client
	 */
	public void checkClient(Consumer<? super ApiClient> check) {
		this.link.check(check);
	}

	/**
	 * Adds a listener. It is told of what happens from now on; what is there already is
	 * in {@link #all()} and {@link Informer#handlers()}.
	 * @param listener the listener
	 * @see Builder#listener(InformerListener)
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
	 * All informers.
	 * @return the informers in the order in which they were asked for first
	 */
	public Collection<Informer<?>> all() {
		return List.copyOf(informers());
	}

	private List<SharedInformer<?>> informers() {
		this.lock.lock();
		try {
			return List.copyOf(this.informers.values());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Starts all informers. It does not wait for their sync. Informers that run go on.
	 * Without any informer the client is not asked for yet.
	 * <p>
	 * Where the client cannot be had, nothing is started. Where an informer or a handler
	 * of it cannot be started, such as for want of threads, that informer stays stopped
	 * and the others are started; the next start, or who asks for the informer next,
	 * tries again. A {@link #stop()} that comes meanwhile ends the start.
	 * @throws RuntimeException what the client's supplier or check threw, or what the
	 * first of the informers failed with that could not be started
	 */
	public void start() {
		if (!this.transition.enter()) {
			return;
		}
		boolean first;
		boolean needed;
		int own;
		try {
			this.lock.lock();
			try {
				first = !this.running;
				needed = !this.informers.isEmpty();
				if (first) {
					this.running = true;
					this.turn++;
					this.informers.values().forEach(SharedInformer::setStartDue);
				}
				own = this.turn;
			}
			finally {
				this.lock.unlock();
			}
		}
		finally {
			this.transition.leave();
		}
		// The transition is not held while waiting for the client, as a stop would wait.
		InformerRuntime started = needed ? connect(first, own) : null;
		try {
			if (started != null) {
				startDue(started, own);
			}
		}
		finally {
			if (!isTurn(own) && !isRunning()) {
				// A callback of what started first could not wait for the rest.
				stop();
			}
			informers().forEach(SharedInformer::tellListeners);
		}
	}

	private @Nullable InformerRuntime connect(boolean first, int own) {
		try {
			return this.link.runtime();
		}
		catch (Throwable ex) {
			this.lock.lock();
			try {
				if (first && this.turn == own) {
					this.running = false;
				}
			}
			finally {
				this.lock.unlock();
			}
			throw ex;
		}
	}

	private void startDue(InformerRuntime started, int own) {
		if (!this.transition.enter()) {
			return;
		}
		try {
			Throwable failure = null;
			for (SharedInformer<?> informer : informers()) {
				if (!informer.isStartDue() || !isTurn(own)) {
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
				// Languages without checked exceptions throw them anywhere.
				throw new IllegalStateException("An informer cannot be started", failure);
			}
		}
		finally {
			this.transition.leave();
		}
	}

	private boolean isTurn(int own) {
		this.lock.lock();
		try {
			return this.running && this.turn == own;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Starts an informer if all run and it does not yet.
	 * @param informer the informer
	 */
	private void startWithAll(SharedInformer<?> informer) {
		boolean done = !informer.isStartDue();
		while (!done && isRunning()) {
			InformerRuntime started = this.link.runtime();
			done = started != null && startOrStop(informer, started);
		}
	}

	/**
	 * Starts one informer, whether or not the others run.
	 * @param informer the informer
	 * @throws IllegalStateException if it was closed with its last lease
	 */
	void start(SharedInformer<?> informer) {
		boolean done = false;
		while (!done) {
			if (informer.isRetired()) {
				throw informer.retirement();
			}
			InformerRuntime started = this.link.runtime();
			try {
				// Without a client, a stop came after the call.
				done = started == null || startOrStop(informer, started);
			}
			finally {
				informer.tellListeners();
			}
		}
	}

	private boolean startOrStop(SharedInformer<?> informer, InformerRuntime started) {
		informer.start(started);
		if (this.link.isCurrent(started)) {
			return true;
		}
		// All were stopped meanwhile, and what they shared is gone.
		informer.stop();
		return false;
	}

	/**
	 * Whether the calling thread runs a handler, a transform or an index function of one
	 * of these informers. Such a callback must not wait for what may wait for it.
	 * @return whether it does
	 */
	public boolean isInCallback() {
		return informers().stream().anyMatch(SharedInformer::isInCallback);
	}

	/**
	 * Stops all informers: connections and threads end within a second, except that
	 * handlers may take their drain timeout to handle what waits. Caches keep their
	 * content. Whoever waits for an informer or handler is sent away. A start under way
	 * ends; that the client's supplier returns is not waited for. Called from a callback,
	 * it does not wait for that callback.
	 */
	public void stop() {
		// First of all, so that what is asked for meanwhile does not start, and a start
		// that cannot be waited for ends what it has started.
		endTurn();
		if (!this.transition.enter()) {
			return;
		}
		List<SharedInformer<?>> all;
		try {
			InformerRuntime ended;
			this.lock.lock();
			try {
				this.running = false;
				this.turn++;
				ended = this.link.end();
				all = List.copyOf(this.informers.values());
			}
			finally {
				this.lock.unlock();
			}
			all.forEach(SharedInformer::beginStop);
			all.forEach(SharedInformer::awaitStop);
			if (ended != null) {
				ended.timer().shutdownNow();
			}
		}
		finally {
			this.transition.leave();
		}
		// Not before: listeners may take their time, start again, or wait for others who
		// stop.
		all.forEach(SharedInformer::tellListeners);
	}

	private void endTurn() {
		this.lock.lock();
		try {
			this.running = false;
			this.turn++;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether the informers were started and not stopped.
	 * @return whether they run
	 */
	public boolean isRunning() {
		this.lock.lock();
		try {
			return this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stops all informers.
	 * @see #stop()
	 */
	@Override
	public void close() {
		stop();
	}

	/**
	 * Settings of informers.
	 */
	public static final class Builder {

		/** An API server gives up a list after 60 seconds, and its answer says so. */
		private static final Duration LIST_IDLE = Duration.ofSeconds(65);

		private final Supplier<ApiClient> apiClient;

		private final JsonMappers mappers = new JsonMappers(false);

		private ReflectorTimings timings = ReflectorTimings.defaults();

		private InformerSpecDefaults specDefaults = InformerSpecDefaults.NONE;

		private Predicate<ResourceType<?>> keepManagedFields = (type) -> false;

		private boolean protobuf = true;

		private Predicate<ResourceType<?>> shareEqualParts = (type) -> true;

		private ListMode listMode = ListMode.PAGED;

		private int pageSize;

		private int concurrentSyncs = 8;

		private Duration idleTimeout = Duration.ofSeconds(150);

		private final List<InformerListener> listeners = new ArrayList<>();

		Builder(Supplier<ApiClient> apiClient) {
			this.apiClient = apiClient;
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
			this.timings = this.timings.withSyncDeadline(syncDeadline);
			return this;
		}

		/**
		 * After how long the cache is compared with a full list of the most recent state,
		 * object by object. Nothing of the protocol needs it; it finds what the wire does
		 * not show, such as a server that was restored from a backup and has passed the
		 * version of the cache already. It is done when a watch ends, at most ten minutes
		 * after it is due. Objects whose class, or that of a part, has no {@code equals}
		 * are told as updated by each comparison.
		 * @param verifyEvery the period; zero, the default, for never
		 * @return this builder
		 * @throws IllegalArgumentException if the period is negative
		 */
		public Builder verifyEvery(Duration verifyEvery) {
			if (verifyEvery.isNegative()) {
				throw new IllegalArgumentException(
						"Verification period '%s' must not be negative".formatted(verifyEvery));
			}
			this.timings = this.timings.withVerifyEvery(verifyEvery);
			return this;
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
			this.idleTimeout = idleTimeout;
			return this;
		}

		/**
		 * Sets how many informers may read their first list at once.
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
		 * Adds what is told what the informers and their handlers do.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder listener(InformerListener listener) {
			this.listeners.add(listener);
			return this;
		}

		/**
		 * Scales the durations of the protocol, for tests.
		 * @param timings the durations
		 * @return this builder
		 */
		Builder timings(ReflectorTimings timings) {
			this.timings = timings;
			return this;
		}

		/**
		 * Builds the informers. Nothing is connected yet.
		 * @return the informers
		 */
		public Informers build() {
			return new Informers(this);
		}

		private InformerRuntime.Decoding decoding(ResourceType<?> type) {
			boolean managedFields = this.keepManagedFields.test(type);
			return new InformerRuntime.Decoding(managedFields ? this.mappers.keepingManagedFields() : this.mappers,
					this.protobuf, managedFields, this.shareEqualParts.test(type));
		}

		private InformerRuntime runtime(ApiClient client, InformerRuntime.Clocks clocks) {
			ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, (work) -> {
				Thread thread = new Thread(work, "informer-timer");
				thread.setDaemon(true);
				return thread;
			}, new ThreadPoolExecutor.DiscardPolicy());
			timer.setRemoveOnCancelPolicy(true);
			Deadlines deadlines = new Deadlines(LIST_IDLE, this.idleTimeout, this.timings.watchOverrun());
			return new InformerRuntime(new ApiConnections(client, deadlines, clocks.nanoTime()), this::decoding,
					new Reflector.Options(this.timings.withIdleTimeout(this.idleTimeout), this.listMode, this.pageSize,
							clocks.nanoTime(), ThreadLocalRandom::current, timer),
					new SyncSlots(this.concurrentSyncs, this.timings.slotPatience(), clocks.nanoTime()), timer);
		}

	}

}
