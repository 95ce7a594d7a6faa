package dev.kubeinformer.internal.reconcile;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.events.ApiEventRecorder;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.internal.transport.ApiConnections;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.internal.transport.RunCalls;
import dev.kubeinformer.internal.workqueue.KeyRun;
import dev.kubeinformer.internal.workqueue.RunStep;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Runs of a reconciler on a client, with caches that hold what a test puts there, and a
 * log that can be read.
 */
final class TestRuns implements RunSources, WriteLog {

	private static final Duration LONG = Duration.ofSeconds(60);

	final ModelJson json = new ModelJson(new JsonMappers(false));

	final AppliedStateCache applied = new AppliedStateCache(ModelContent::hash, () -> this.cache.values().stream());

	final ApiWrites writes;

	final RunCalls calls = new RunCalls(Fence.NONE);

	final List<KubernetesObject> written = new ArrayList<>();

	final List<ResourceType<?>> writtenTypes = new ArrayList<>();

	final List<KubernetesObject> deleted = new ArrayList<>();

	private final Map<Cached, KubernetesObject> cache = new HashMap<>();

	/** Takeovers by the former field managers; all runs of a reconciler share one. */
	private final Map<Set<String>, FieldTakeover> takeovers = new HashMap<>();

	TestRuns(ApiClient client) {
		this.writes = new ApiWrites(new ApiConnections(client, new Deadlines(LONG, LONG, LONG), System::nanoTime),
				this.json, WarningSink.NONE);
	}

	<T extends KubernetesObject> RunReconciliation<T> run(ResourceType<T> type, T primary) {
		ReconcilerSpec<T> spec = ReconcilerSpec.of("tester", type, (object, run) -> Result.done())
			.withOwned(V1ConfigMap.class);
		spec = type.objectClass().equals(V1Deployment.class) ? spec : spec.withOwned(V1Deployment.class);
		return run(spec, primary);
	}

	<T extends KubernetesObject> RunReconciliation<T> run(ReconcilerSpec<T> spec, T primary) {
		ApiEventRecorder events = new ApiEventRecorder(this.writes, this.json,
				new ApiEventRecorder.Reporter("tester", "tester", "host", "tester"), Clock.systemUTC(),
				System::nanoTime);
		FieldTakeover takeover = this.takeovers.computeIfAbsent(spec.formerFieldManagers(),
				(any) -> new FieldTakeover(spec, this.json));
		return new RunReconciliation<>(
				new ReconcilerWriter<>(spec, "default", this.writes, this.json, this.applied, takeover, events),
				new RunContext<>(new Run(ObjectKey.of(primary)), primary, this, this, this.calls, false));
	}

	void cache(ResourceType<?> type, KubernetesObject object) {
		this.cache.put(new Cached(type, ObjectKey.of(object)), object);
	}

	@Override
	public <C extends KubernetesObject> Owned<C> owned(Class<C> objectClass) {
		return Owned.of(this.cache.values().stream().filter(objectClass::isInstance).map(objectClass::cast).toList());
	}

	@Override
	public <C extends KubernetesObject> Owned<C> unowned(Class<C> objectClass) {
		return owned(objectClass);
	}

	@Override
	public <C extends KubernetesObject> @Nullable C cached(ResourceType<C> type, ObjectKey key) {
		return type.objectClass().cast(this.cache.get(new Cached(type, key)));
	}

	@Override
	@SuppressWarnings("unchecked") // the resource is that of the class
	public <C extends KubernetesObject> Owned<Metadata<C>> ownedMetadata(Class<C> objectClass) {
		return Owned.of(this.cache.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().type().equals(ResourceType.of(objectClass).metadata()))
			.map((entry) -> (Metadata<C>) entry.getValue())
			.toList());
	}

	@Override
	public void written(ResourceType<?> type, KubernetesObject returned) {
		this.written.add(returned);
		this.writtenTypes.add(type);
	}

	@Override
	public void deleted(ResourceType<?> type, KubernetesObject last) {
		this.deleted.add(last);
	}

	@Override
	public void deleted(ResourceType<?> type, KubernetesObject last, ApiWrites.Deleted<?> outcome) {
		this.deleted.add(last);
	}

	private record Cached(ResourceType<?> type, ObjectKey key) {

	}

	private record Run(ObjectKey key) implements KeyRun {

		@Override
		public void begins(RunStep step) {
		}

		@Override
		public RunStep step() {
			return RunStep.RECONCILE;
		}

		@Override
		public Fence fence() {
			return Fence.NONE;
		}

		@Override
		public int attempt() {
			return 1;
		}

		@Override
		public QueueLane lane() {
			return QueueLane.LIVE;
		}

		@Override
		public Duration queueTime() {
			return Duration.ZERO;
		}

		@Override
		public boolean ownWritesTimedOut() {
			return false;
		}

		@Override
		public void onCancel(Runnable cancel) {
		}

		@Override
		public boolean timedOut() {
			return false;
		}

	}

}
