package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.UpdateCondition;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.events.ApiEventRecorder;
import dev.kubeinformer.internal.overlay.WriteOverlay;
import dev.kubeinformer.internal.reconcile.AppliedStateCache;
import dev.kubeinformer.internal.reconcile.AppliedStateEviction;
import dev.kubeinformer.internal.reconcile.CachedSources;
import dev.kubeinformer.internal.reconcile.FieldTakeover;
import dev.kubeinformer.internal.reconcile.FinalizerWrites;
import dev.kubeinformer.internal.reconcile.ReconcileRunner;
import dev.kubeinformer.internal.reconcile.ReconcilerWriter;
import dev.kubeinformer.internal.reconcile.UnownedSink;
import dev.kubeinformer.internal.reconcile.UnreadablePrimary;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;
import dev.kubeinformer.types.ObjectKey;

/**
 * Connects the loop of a reconciler to its sources, which add keys to the queue, and to
 * the caches that its runs read and write. A session lasts from a start to the stop; with
 * leader election, from the beginning of a term to its end.
 *
 * @param <T> the model class of the primary
 */
final class ReconcilerSession<T extends KubernetesObject> implements CacheSyncGate.Listener {

	private static final int ENDLESS = Integer.MAX_VALUE;

	private final String id;

	private final ReconcilerSpec<T> spec;

	private final ControllerContext context;

	private final ReconcileLoop loop;

	private final Fence fence;

	private final Parts parts;

	private final SourceSet<T> sources;

	private final AppliedStateCache applied;

	private final FieldTakeover takeover;

	private final CachedSources<T> caches;

	private final SourceBinder<T> wiring;

	private final @Nullable FinalizerWrites<T> finalizers;

	private final ReconcileRunner<T> runner;

	private final CacheSyncGate gate;

	/** Called when an outage of the API server ends. */
	private final Runnable back;

	// Guarded by the monitor.

	private @Nullable Written<T> written;

	private boolean closed;

	/**
	 * Creates a session that has not begun.
	 * @param spec the settings
	 * @param context the informers, the client and the clocks
	 * @param loop the loop
	 * @param fence limits the time in which runs may begin and send requests
	 * @param sources the sources, which are not connected yet
	 * @param parts the parts of the container that the session uses
	 */
	ReconcilerSession(ReconcilerSpec<T> spec, ControllerContext context, ReconcileLoop loop, Fence fence,
			SourceSet<T> sources, Parts parts) {
		this.id = context.cluster().qualify(spec.id());
		this.spec = spec;
		this.context = context;
		this.loop = loop;
		this.fence = fence;
		this.sources = sources;
		this.parts = parts;
		this.back = loop::serverIsBack;
		ObjectStore<T> primaries = sources.primary().store();
		this.wiring = new SourceBinder<>(spec, context, loop, primaries, parts.reports());
		CachedSources<T> caches = new CachedSources<>(spec.type(), this.wiring.shows(sources.primary()));
		this.caches = caches;
		this.applied = new AppliedStateCache(ModelContent::hash, caches::objects);
		this.takeover = new FieldTakeover(spec, context.json());
		String finalizer = spec.finalizer();
		this.finalizers = (finalizer != null) ? new FinalizerWrites<>(spec.type(), finalizer,
				new FinalizerWrites.Doubts(spec.ownWritesTimeout(), context.clocks().nanoTime())) : null;
		sources.all().stream().filter((source) -> source != sources.primary()).forEach(this::read);
		this.runner = this.wiring.runner(this::writer, caches, this.finalizers);
		this.gate = new CacheSyncGate("Reconciler '%s'".formatted(this.id), spec.ownWritesTimeout(), parts.checks(),
				context.clocks().nanoTime(), context.link(), loop, sources, this);
	}

	private <C extends KubernetesObject> void read(ControllerSource<C> source) {
		WriteOverlay<C> cache = this.wiring.shows(source);
		OwnedResource<C> owned = source.owned();
		WatchedResource<C> watched = source.watched();
		if (owned != null) {
			this.caches.own(this.wiring.owned(owned, cache), cache);
		}
		else if (watched != null) {
			this.caches.add(watched.type(), cache);
			if (this.spec.isUnowned(watched)) {
				this.caches.unowned(watched.type(), cache);
			}
		}
	}

	/** Connects the sources, which then feed the loop. */
	void start() {
		this.loop.start(this.fence, this.runner);
		connectPrimary(this.sources.primary());
		this.sources.all().forEach(this::connect);
		this.sources.attach(this.gate);
	}

	private void connectPrimary(ControllerSource<T> source) {
		this.wiring.connectPrimary(source, this.parts.timer());
		if (this.finalizers != null && (source.informer().spec().labelSelector() != null
				|| source.informer().spec().fieldSelector() != null)) {
			source.connect(new DeselectedFinalizerSink<>(this.finalizers, this.parts.reports(), this.parts.checks()));
		}
		UpdateCondition<? super T> condition = this.spec.updateCondition();
		if (condition != null) {
			UserFunction function = new UserFunction(FailingFunction.Kind.CONDITION, this.spec.type().name());
			source.handle(EnqueueMappedKeys.when(condition, this.loop, function), mapping("condition"), function,
					this.loop.idleSignal()::changed);
		}
	}

	private <C extends KubernetesObject> void connect(ControllerSource<C> source) {
		OwnedResource<C> owned = source.owned();
		WatchedResource<C> watched = source.watched();
		if (owned != null) {
			source.connect(this.wiring.owners(owned));
		}
		else if (watched != null) {
			int number = this.sources.all().indexOf(source);
			UserFunction function = new UserFunction(FailingFunction.Kind.MAPPER, watched.type().name());
			source.handle(EnqueueMappedKeys.of(watched.mapper(), this.loop, function), mapping("watch-" + number),
					function, this.loop.idleSignal()::changed);
			if (this.spec.isUnowned(watched)) {
				// This mapper is not user code, so a sink may call it.
				source.connect(new UnownedSink<>(this.loop, watched.mapper()));
			}
		}
		source.connect(new AppliedStateEviction<>(this.applied));
	}

	/**
	 * Returns the number of keys that are slowed down because this application's writes
	 * cause their runs.
	 * @return the number
	 */
	int slowedKeys() {
		return this.runner.slowedKeys();
	}

	/**
	 * Returns the number of writes that the caches should show by now but do not.
	 * @return the number
	 */
	int unseenWrites() {
		return this.runner.writesUnseen(this.spec.ownWritesTimeout());
	}

	private HandlerOptions mapping(String role) {
		ReconcilerSpec.Retry retry = this.spec.retry();
		return HandlerOptions.defaults()
			.withId(this.id + "-" + role)
			.withDrainTimeout(Duration.ZERO)
			.withThreadFactory(this.spec.threadFactory())
			.withRetry(RetryBackoff.exponential(ENDLESS, retry.delay(), retry.multiplier(), retry.maxDelay(),
					Duration.ofNanos((long) (Durations.nanos(retry.delay()) * retry.jitter()))));
	}

	// Returns the writing facilities for the current client: all informers may have been
	// restarted with another one.
	private synchronized ReconcilerWriter<T> writer() {
		InformerRuntime runtime = this.context.link().current();
		if (runtime == null) {
			throw new IllegalStateException("The informers are being stopped");
		}
		Written<T> current = this.written;
		if (current == null || current.runtime() != runtime) {
			ModelJson json = this.context.json();
			ApiWrites writes = new ApiWrites(runtime.connections(), json, this.parts.reports()::warned,
					(type) -> runtime.decoding().apply(type).protobuf());
			InformerRuntime.Clocks clocks = this.context.clocks();
			ApiEventRecorder events = new ApiEventRecorder(writes, json,
					new ApiEventRecorder.Reporter(this.id, this.spec.id(), host(), this.spec.fieldManager()),
					clocks.wall(), clocks.nanoTime());
			follow((current != null) ? current.runtime() : null, runtime);
			current = new Written<>(runtime, new ReconcilerWriter<>(this.spec, this.context.cluster().value(), writes,
					json, this.applied, this.takeover, events));
			this.written = current;
		}
		return current.writer();
	}

	private void follow(@Nullable InformerRuntime before, InformerRuntime runtime) {
		if (before != null) {
			before.outages().removeListener(this.back);
		}
		if (!this.closed) {
			runtime.outages().addListener(this.back);
			this.loop.serverAway(runtime.outages()::isAway);
		}
	}

	// Returns the host name. In a pod, this is the name of the pod.
	private static String host() {
		return Objects.requireNonNullElse(System.getenv("HOSTNAME"), "unknown");
	}

	List<ObjectKey> primaryKeys() {
		return this.sources.primary().store().keys();
	}

	/**
	 * Rejects a requested run if the primary cannot be decoded.
	 * @param key the primary
	 * @throws dev.kubeinformer.controller.UnreadableObjectException if it cannot be read
	 */
	void requireReadable(ObjectKey key) {
		UnreadablePrimary.requireReadable(this.sources.primary().store(), key, this.spec.finalizer());
	}

	void pause(boolean next) {
		this.gate.pause(next);
		this.parts.states().paused(next);
	}

	@Override
	public void synced(boolean synced) {
		this.parts.states().open(this, synced);
	}

	@Override
	public void late() {
		this.parts.reports().cacheIsLate();
	}

	Fence fence() {
		return this.fence;
	}

	/** Begins to end the session: no further runs begin. */
	void shut() {
		this.gate.close();
	}

	/** Forgets the writes of runs that the caches do not show yet. */
	void forgetWrites() {
		this.runner.forgetWrites();
	}

	/**
	 * Forgets everything about a primary that another process reconciles from now on.
	 * @param key the key of the primary
	 * @param uid the UID of the primary
	 */
	void forget(ObjectKey key, String uid) {
		this.runner.forget(key);
		this.caches.children(uid).forEach(this.applied::forget);
	}

	/** Disconnects the sources, which stay open. */
	void close() {
		this.sources.detach();
		unfollow();
	}

	private synchronized void unfollow() {
		this.closed = true;
		Written<T> last = this.written;
		if (last != null) {
			last.runtime().outages().removeListener(this.back);
			this.loop.serverAway(() -> false);
		}
	}

	/**
	 * Writing facilities of the runs, and the runtime for which they were created. If the
	 * informers use another runtime by now, for example with a new client, new facilities
	 * are created.
	 *
	 * @param <T> the model class of the primary
	 * @param runtime the resources that all informers share
	 * @param writer the writing facilities, valid while the informers use this runtime
	 */
	private record Written<T extends KubernetesObject>(InformerRuntime runtime, ReconcilerWriter<T> writer) {

	}

	/**
	 * Parts of a container that its session uses.
	 *
	 * @param states the state
	 * @param reports the log and the listeners
	 * @param timer runs delayed tasks
	 * @param checks checks whether caches are current
	 */
	record Parts(ReconcilerStateTracker states, ReconcilerReporter reports, ScheduledExecutorService timer,
			Executor checks) {

	}

}
