package dev.kubeinformer.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.types.ClusterName;
import dev.kubeinformer.types.ObjectKey;

/**
 * A reconciler that runs nothing, and shows what a test gives it.
 */
public final class FakeReconciler implements ReconcilerContainer {

	private final ReconcilerSpec<?> spec;

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private volatile String cluster = ClusterName.DEFAULT;

	private volatile ReconcilerState state = ReconcilerState.NEW;

	private volatile boolean synced;

	private volatile List<ReconcilerSource> sources = List.of();

	private volatile ReconcilerStatus.Queue queue = new ReconcilerStatus.Queue(Map.of(), 0, 0, 0, Duration.ZERO);

	private volatile ReconcilerStatus.Runs runs = new ReconcilerStatus.Runs(0, 0, Duration.ZERO, 0, 0, 0, 0, null);

	private volatile List<FailingKey> failing = List.of();

	private volatile List<FailingFunction> failingFunctions = List.of();

	public FakeReconciler(ReconcilerSpec<?> spec) {
		this.spec = spec;
	}

	public static FakeReconciler ofPods(String id) {
		return new FakeReconciler(ReconcilerSpec.of(id, V1Pod.class, (pod, run) -> Result.done()));
	}

	public static ReconcilerRegistry registry(FakeReconciler... reconcilers) {
		return new Registry(List.of(reconcilers));
	}

	public FakeReconciler in(String cluster) {
		this.cluster = cluster;
		return this;
	}

	public FakeReconciler synced(boolean synced) {
		this.synced = synced;
		return this;
	}

	public FakeReconciler sources(ReconcilerSource... sources) {
		this.sources = List.of(sources);
		return this;
	}

	public FakeReconciler queue(ReconcilerStatus.Queue queue) {
		this.queue = queue;
		return this;
	}

	public FakeReconciler runs(ReconcilerStatus.Runs runs) {
		this.runs = runs;
		return this;
	}

	public FakeReconciler failing(FailingKey... failing) {
		this.failing = List.of(failing);
		return failing(failing.length);
	}

	public FakeReconciler failingFunctions(FailingFunction... failing) {
		this.failingFunctions = List.of(failing);
		return this;
	}

	public FakeReconciler slowed(int keys) {
		ReconcilerStatus.Queue now = this.queue;
		return queue(new ReconcilerStatus.Queue(now.ready(), now.delayed(), now.parked(), now.failingKeys(),
				now.oldestReadyAge(), keys));
	}

	public FakeReconciler waiting(int objects) {
		ReconcilerStatus.Queue now = this.queue;
		return queue(new ReconcilerStatus.Queue(now.ready(), now.delayed(), now.parked(), now.failingKeys(),
				now.oldestReadyAge(), now.slowedKeys(), objects));
	}

	public FakeReconciler failing(int keys) {
		return queue(new ReconcilerStatus.Queue(Map.of(QueueLane.LIVE, 3, QueueLane.RETRY, 1), 4, 2, keys,
				Duration.ofSeconds(7)));
	}

	public FakeReconciler state(ReconcilerState state) {
		this.state = state;
		return this;
	}

	public void reach(ReconcilerState reached, Collection<? extends ReconcilerListener> listeners) {
		this.state = reached;
		listeners.forEach((listener) -> listener.stateChanged(this, reached));
	}

	/**
	 * Runs the reconciler once, as an engine does with the listeners of a context.
	 */
	public void run(ApplicationContext context, RunOutcome outcome, Throwable error) {
		ObjectKey key = new ObjectKey("web", "one");
		int attempt = (error != null) ? 2 : 1;
		List<ReconcilerListener> listeners = context.getBeanProvider(ReconcilerListener.class).stream().toList();
		List<RunScope> scopes = listeners.stream()
			.map((listener) -> listener.running(this, new RunScope.Start(key, attempt, false, null)))
			.filter(Objects::nonNull)
			.toList();
		ReconcileRun run = new ReconcileRun(key, attempt, false, QueueLane.LIVE, Duration.ofSeconds(3),
				Duration.ofSeconds(1), outcome, error);
		scopes.forEach((scope) -> write(scope, key));
		scopes.forEach((scope) -> scope.ended(run));
		listeners.forEach((listener) -> listener.ran(this, run));
		scopes.forEach(RunScope::close);
	}

	private static void write(RunScope scope, ObjectKey key) {
		RunScope.WriteScope write = scope.writing(new RunScope.Write("apply", "configmaps", key), (name, value) -> {
		});
		if (write != null) {
			write.answered(200);
			write.close();
		}
	}

	public List<String> calls() {
		return this.calls;
	}

	@Override
	public String id() {
		return this.cluster.equals(ClusterName.DEFAULT) ? this.spec.id() : this.cluster + "." + this.spec.id();
	}

	@Override
	public ReconcilerSpec<?> spec() {
		return this.spec;
	}

	@Override
	public void start() {
		if (!isRunning()) {
			this.state = ReconcilerState.ACTIVE;
			this.calls.add("start");
		}
	}

	@Override
	public void stop() {
		if (isRunning()) {
			this.state = ReconcilerState.STOPPED;
			this.calls.add("stop");
		}
	}

	@Override
	public boolean isRunning() {
		return this.state != ReconcilerState.NEW && this.state != ReconcilerState.STOPPED;
	}

	@Override
	public void pause() {
		requireRunning();
		this.state = ReconcilerState.PAUSED;
		this.calls.add("pause");
	}

	@Override
	public void resume() {
		requireRunning();
		this.state = ReconcilerState.ACTIVE;
		this.calls.add("resume");
	}

	@Override
	public void trigger(ObjectKey key) {
		requireRunning();
		this.calls.add("trigger " + key);
	}

	@Override
	public void triggerAll() {
		requireRunning();
		this.calls.add("trigger all");
	}

	private void requireRunning() {
		if (!isRunning()) {
			throw new IllegalStateException("stopped");
		}
	}

	@Override
	public boolean hasSynced() {
		return this.synced;
	}

	@Override
	public boolean awaitSync(Duration timeout) {
		return this.synced;
	}

	@Override
	public boolean awaitIdle(Duration timeout) {
		return true;
	}

	@Override
	public ReconcilerStatus status() {
		return new ReconcilerStatus(this.state,
				(this.state != ReconcilerState.NEW) ? Instant.parse("2026-11-22T10:00:00Z") : null, this.synced,
				this.sources, this.queue, this.runs, this.failing, this.failingFunctions);
	}

	private record Registry(Collection<ReconcilerContainer> all) implements ReconcilerRegistry {

		@Override
		public ReconcilerContainer get(String id) {
			return this.all.stream().filter((each) -> each.id().equals(id)).findFirst().orElseThrow();
		}

		@Override
		public boolean awaitIdle(Duration timeout) {
			return true;
		}

	}

}
