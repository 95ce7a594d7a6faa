package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.UpdateCondition;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.control.ApiEventRecorder;
import dev.kubeinformer.internal.control.AppliedStates;
import dev.kubeinformer.internal.control.CachedSources;
import dev.kubeinformer.internal.control.Finalizers;
import dev.kubeinformer.internal.control.KeyRun;
import dev.kubeinformer.internal.control.OwnedSource;
import dev.kubeinformer.internal.control.ReconcileLoop;
import dev.kubeinformer.internal.control.ReconcileRunner;
import dev.kubeinformer.internal.control.ReconcilerWriter;
import dev.kubeinformer.internal.control.RunEnd;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.types.ObjectKey;

/**
 * What a start of a reconciler connects its loop to, until the next stop: the informers
 * of its sources, what they feed, and what its runs read and write with.
 *
 * @param <T> the model class of the primary
 */
final class ReconcilerLife<T extends KubernetesObject> implements ReconcilerGate.Listener {

	private static final int ENDLESS = Integer.MAX_VALUE;

	/** Short, because tests wait for it again and again. */
	private static final Duration GLANCE = Duration.ofMillis(20);

	private final ReconcilerSpec<T> spec;

	private final ControllerContext context;

	private final ReconcileLoop loop;

	private final Parts parts;

	private final ReconcilerGate gate;

	private final List<ControllerSource<?>> sources = new CopyOnWriteArrayList<>();

	private final AppliedStates applied = new AppliedStates(ModelContent::hash);

	private volatile @Nullable ControllerSource<T> primary;

	private volatile @Nullable ReconcileRunner<T> runner;

	private @Nullable Written<T> written;

	ReconcilerLife(ReconcilerSpec<T> spec, ControllerContext context, ReconcileLoop loop, Parts parts) {
		this.spec = spec;
		this.context = context;
		this.loop = loop;
		this.parts = parts;
		this.gate = new ReconcilerGate(spec.toString(), spec.ownWritesTimeout(), parts.checks(),
				context.clocks().nanoTime(), context.link(), loop, this);
	}

	/**
	 * Starts the informers of all sources, and connects them.
	 */
	void start() {
		ControllerSource<T> first = lease(ReconcilerSource.Role.PRIMARY, SourceSpecs.primary(this.spec));
		this.primary = first;
		CachedSources<T> caches = new CachedSources<>(this.spec.type(), first.store());
		ReconcilerWiring<T> wiring = new ReconcilerWiring<>(this.spec, this.context, this.loop);
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
		this.runner = wiring.runner(this::writer, caches, finalizers, this.parts.reports()::loopDetected);
		wiring.connectPrimary(first, this.parts.timer());
		if (finalizers != null && (first.informer().spec().labelSelector() != null
				|| first.informer().spec().fieldSelector() != null)) {
			first.connect(new StrandedObjects<>(finalizers, this.parts.reports(), this.parts.checks()));
		}
		UpdateCondition<? super T> condition = this.spec.updateCondition();
		if (condition != null) {
			first.handle(MappedKeys.when(condition, this.loop), mapping("condition"));
		}
		connections.forEach(Runnable::run);
		this.gate.watch(this.sources);
		this.sources.forEach((source) -> source.informer().run());
	}

	private <C extends KubernetesObject> Runnable own(OwnedResource<C> owned, CachedSources<T> caches,
			ReconcilerWiring<T> wiring) {
		ControllerSource<C> source = lease(ReconcilerSource.Role.OWNED, SourceSpecs.owned(this.spec, owned));
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
		ControllerSource<C> source = lease(ReconcilerSource.Role.WATCHED, SourceSpecs.watched(this.spec, watched));
		caches.add(watched.type(), source.store());
		wiring.shows(source);
		int number = this.sources.size() - 1;
		return () -> source.handle(MappedKeys.of(watched.mapper(), this.loop), mapping("watch-" + number));
	}

	private <C extends KubernetesObject> ControllerSource<C> lease(ReconcilerSource.Role role, InformerSpec<C> wanted) {
		ControllerSource<C> source = new ControllerSource<>(role, this.context.informers().lease(wanted));
		this.sources.add(source);
		return source;
	}

	private HandlerOptions mapping(String role) {
		ReconcilerSpec.Retry retry = this.spec.retry();
		return HandlerOptions.defaults()
			.withId(this.spec.id() + "-" + role)
			.withDrainTimeout(Duration.ZERO)
			.withThreadFactory(this.spec.threadFactory())
			.withRetry(RetryBackoff.exponential(ENDLESS, retry.delay(), retry.multiplier(), retry.maxDelay(),
					Duration.ofNanos((long) (retry.delay().toNanos() * retry.jitter()))));
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
			ApiWrites writes = new ApiWrites(runtime.connections(), json);
			InformerRuntime.Clocks clocks = this.context.clocks();
			ApiEventRecorder events = new ApiEventRecorder(writes, json,
					new ApiEventRecorder.Reporter(this.spec.id(), host(), this.spec.fieldManager()), clocks.wall(),
					clocks.nanoTime());
			current = new Written<>(runtime, new ReconcilerWriter<>(this.spec, writes, json, this.applied, events));
			this.written = current;
		}
		return current.writer();
	}

	// In a pod, it is the name of the pod.
	private static String host() {
		return Objects.requireNonNullElse(System.getenv("HOSTNAME"), "unknown");
	}

	RunEnd run(KeyRun run) {
		ReconcileRunner<T> current = this.runner;
		return (current != null) ? current.run(run) : RunEnd.absent();
	}

	boolean endCleanup(ObjectKey key) {
		ReconcileRunner<T> current = this.runner;
		return current != null && current.endCleanup(key);
	}

	List<ObjectKey> primaryKeys() {
		ControllerSource<T> source = this.primary;
		return (source != null) ? source.store().keys() : List.of();
	}

	void pause(boolean next) {
		this.gate.pause(next);
		this.parts.states().paused(next);
	}

	@Override
	public void synced(boolean synced) {
		this.parts.states().synced(synced);
	}

	@Override
	public void late() {
		this.parts.reports().cacheIsLate();
	}

	/**
	 * Returns the sources.
	 * @return their status, the primary first
	 */
	List<ReconcilerSource> sources() {
		return this.sources.stream().map(ControllerSource::status).toList();
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
	 * Begins the end: runs do not begin any more.
	 */
	void shut() {
		this.gate.close();
	}

	/**
	 * Disconnects the sources, and stops their informers unless others use them.
	 */
	void close() {
		Throwable failure = null;
		for (ControllerSource<?> source : this.sources) {
			try {
				source.close();
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
