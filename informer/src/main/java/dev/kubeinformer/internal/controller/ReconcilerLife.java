package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.UpdateCondition;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.reconcile.ApiEventRecorder;
import dev.kubeinformer.internal.reconcile.AppliedStates;
import dev.kubeinformer.internal.reconcile.CachedSources;
import dev.kubeinformer.internal.reconcile.Finalizers;
import dev.kubeinformer.internal.reconcile.ForgottenChildren;
import dev.kubeinformer.internal.reconcile.OwnedSource;
import dev.kubeinformer.internal.reconcile.ReconcileRunner;
import dev.kubeinformer.internal.reconcile.ReconcilerWriter;
import dev.kubeinformer.internal.reconcile.UnownedSink;
import dev.kubeinformer.internal.reconcile.UnreadablePrimary;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.internal.workqueue.KeyRun;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;
import dev.kubeinformer.internal.workqueue.RunEnd;
import dev.kubeinformer.types.ObjectKey;

/**
 * What a start of a reconciler connects its loop to, until the next stop: the informers
 * of its sources, what they feed, and what its runs read and write with.
 *
 * @param <T> the model class of the primary
 */
final class ReconcilerLife<T extends KubernetesObject> implements ReconcilerGate.Listener {

	private static final int ENDLESS = Integer.MAX_VALUE;

	private final String id;

	private final ReconcilerSpec<T> spec;

	private final ControllerContext context;

	private final ReconcileLoop loop;

	private final Fence fence;

	private final Parts parts;

	private final ReconcilerGate gate;

	private final SourceSet sources;

	private final AppliedStates applied;

	private volatile @Nullable ControllerSource<T> primary;

	private volatile @Nullable CachedSources<T> caches;

	private volatile @Nullable ReconcileRunner<T> runner;

	private @Nullable Written<T> written;

	/** Listener of the end of outages. */
	private final Runnable back;

	private boolean closed;

	/**
	 * Creates a life that has not begun.
	 * @param spec the settings
	 * @param context what reconcilers have of the informers
	 * @param loop the loop
	 * @param fence limits the time in which runs may begin and send requests
	 * @param parts what it has of its container
	 */
	ReconcilerLife(ReconcilerSpec<T> spec, ControllerContext context, ReconcileLoop loop, Fence fence, Parts parts) {
		this.id = context.cluster().qualify(spec.id());
		this.spec = spec;
		this.context = context;
		this.loop = loop;
		this.fence = fence;
		this.sources = new SourceSet(context);
		this.parts = parts;
		this.back = loop::serverIsBack;
		this.applied = new AppliedStates(ModelContent::hash, this::cachedObjects);
		this.gate = new ReconcilerGate("Reconciler '%s'".formatted(this.id), spec.ownWritesTimeout(), parts.checks(),
				context.clocks().nanoTime(), context.link(), loop, this);
	}

	/**
	 * Connects the informers of all sources, and lets them feed the loop.
	 */
	void start() {
		this.loop.start(this.fence);
		ControllerSource<T> first = this.sources.lease(ReconcilerSource.Role.PRIMARY, SourceSpecs.primary(this.spec));
		this.primary = first;
		CachedSources<T> caches = new CachedSources<>(this.spec.type(), first.store());
		this.caches = caches;
		ReconcilerWiring<T> wiring = new ReconcilerWiring<>(this.spec, this.context, this.loop, first.store(),
				this.parts.reports());
		wiring.shows(first);
		String finalizer = this.spec.finalizer();
		Finalizers<T> finalizers = (finalizer != null) ? new Finalizers<>(this.spec.type(), finalizer,
				new Finalizers.Doubts(this.spec.ownWritesTimeout(), this.context.clocks().nanoTime())) : null;
		List<Runnable> connections = new ArrayList<>();
		for (OwnedResource<?> owned : this.spec.owned()) {
			connections.add(own(owned, caches, wiring));
		}
		for (WatchedResource<?> watched : this.spec.watched()) {
			connections.add(watch(watched, caches, wiring));
		}
		this.runner = wiring.runner(this::writer, caches, finalizers);
		wiring.connectPrimary(first, this.parts.timer());
		first.connect(new ForgottenChildren<>(this.applied));
		if (finalizers != null && (first.informer().spec().labelSelector() != null
				|| first.informer().spec().fieldSelector() != null)) {
			first.connect(new StrandedObjects<>(finalizers, this.parts.reports(), this.parts.checks()));
		}
		UpdateCondition<? super T> condition = this.spec.updateCondition();
		if (condition != null) {
			UserFunction function = new UserFunction(FailingFunction.Kind.CONDITION, this.spec.type().name());
			first.handle(MappedKeys.when(condition, wiring.feed(), function), mapping("condition"), function,
					this.loop.idleSignal()::changed);
		}
		connections.forEach(Runnable::run);
		this.gate.watch(this.sources.all());
	}

	private <C extends KubernetesObject> Runnable own(OwnedResource<C> owned, CachedSources<T> caches,
			ReconcilerWiring<T> wiring) {
		ControllerSource<C> source = this.sources.lease(ReconcilerSource.Role.OWNED,
				SourceSpecs.owned(this.spec, owned));
		OwnedSource<C> index = wiring.owned(owned, source.store());
		caches.own(index, source.store());
		wiring.shows(source);
		return () -> {
			wiring.connect(index, source);
			source.connect(new ForgottenChildren<>(this.applied));
		};
	}

	private <C extends KubernetesObject> Runnable watch(WatchedResource<C> watched, CachedSources<T> caches,
			ReconcilerWiring<T> wiring) {
		ControllerSource<C> source = this.sources.lease(ReconcilerSource.Role.WATCHED,
				SourceSpecs.watched(this.spec, watched));
		caches.add(watched.type(), source.store());
		if (this.spec.isUnowned(watched)) {
			caches.unowned(watched.type(), source.store());
		}
		wiring.shows(source);
		int number = this.sources.all().size() - 1;
		UserFunction function = new UserFunction(FailingFunction.Kind.MAPPER, watched.type().name());
		return () -> {
			source.handle(MappedKeys.of(watched.mapper(), wiring.feed(), function), mapping("watch-" + number),
					function, this.loop.idleSignal()::changed);
			if (this.spec.isUnowned(watched)) {
				// The mapping is ours.
				source.connect(new UnownedSink<>(wiring.feed(), watched.mapper()));
			}
			source.connect(new ForgottenChildren<>(this.applied));
		};
	}

	private Stream<? extends KubernetesObject> cachedObjects() {
		CachedSources<T> current = this.caches;
		return (current != null) ? current.objects() : Stream.empty();
	}

	/**
	 * Returns the number of keys that are slowed down because writes of this application
	 * cause their runs.
	 * @return the number
	 */
	int slowedKeys() {
		ReconcileRunner<T> current = this.runner;
		return (current != null) ? current.slowedKeys() : 0;
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

	// All informers may have been stopped and started meanwhile, with another client.
	private synchronized ReconcilerWriter<T> writer() {
		InformerRuntime runtime = this.context.link().current();
		if (runtime == null) {
			throw new IllegalStateException("The informers are being stopped");
		}
		Written<T> current = this.written;
		if (current == null || current.runtime() != runtime) {
			ModelJson json = this.context.json();
			ApiWrites writes = new ApiWrites(runtime.connections(), json, this.parts.reports()::warned);
			InformerRuntime.Clocks clocks = this.context.clocks();
			ApiEventRecorder events = new ApiEventRecorder(writes, json,
					new ApiEventRecorder.Reporter(this.id, this.spec.id(), host(), this.spec.fieldManager()),
					clocks.wall(), clocks.nanoTime());
			follow((current != null) ? current.runtime() : null, runtime);
			current = new Written<>(runtime, new ReconcilerWriter<>(this.spec, this.context.cluster().value(), writes,
					json, this.applied, events));
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

	// In a pod, it is the name of the pod.
	private static String host() {
		return Objects.requireNonNullElse(System.getenv("HOSTNAME"), "unknown");
	}

	RunEnd run(KeyRun run) {
		ReconcileRunner<T> current = this.runner;
		return (current != null) ? current.run(run) : RunEnd.absent();
	}

	List<ObjectKey> primaryKeys() {
		ControllerSource<T> source = this.primary;
		return (source != null) ? source.store().keys() : List.of();
	}

	/**
	 * Refuses a run that was asked for and would not take place.
	 * @param key the primary
	 * @throws dev.kubeinformer.controller.UnreadableObjectException if it cannot be read
	 */
	void requireReadable(ObjectKey key) {
		ControllerSource<T> source = this.primary;
		if (source != null) {
			UnreadablePrimary.requireReadable(source.store(), key, this.spec.finalizer());
		}
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

	SourceSet sources() {
		return this.sources;
	}

	Fence fence() {
		return this.fence;
	}

	/**
	 * Begins the end: runs do not begin any more.
	 */
	void shut() {
		this.gate.close();
	}

	/**
	 * Forgets what the caches do not show yet of the writes of runs.
	 */
	void forgetWrites() {
		ReconcileRunner<T> current = this.runner;
		if (current != null) {
			current.forgetWrites();
		}
	}

	/**
	 * Disconnects the sources, and stops their informers unless others use them.
	 */
	void close() {
		this.sources.close();
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
	 * What runs write with.
	 *
	 * @param <T> the model class of the primary
	 * @param runtime what informers share
	 * @param writer what runs write with while they share that
	 */
	private record Written<T extends KubernetesObject>(InformerRuntime runtime, ReconcilerWriter<T> writer) {

	}

	/**
	 * What a life has of its container.
	 *
	 * @param states the state
	 * @param reports the log and the listeners
	 * @param timer does what is due
	 * @param checks finds out whether caches are up to date
	 */
	record Parts(ReconcilerStates states, ReconcilerReports reports, ScheduledExecutorService timer, Executor checks) {

	}

}
