package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.spring.cluster.LocalId;
import dev.kubeinformer.spring.observation.DefaultReconcilerObservationConvention;

/**
 * The meters of one reconciler.
 */
final class ReconcilerMeters {

	private static final String PREFIX = "kubernetes.reconciler.";

	private final MeterRegistry registry;

	private final ReconcilerContainer reconciler;

	private final Tags tags;

	private final List<Meter> meters = new ArrayList<>();

	private final Map<QueueLane, Timer> queueTimes = new EnumMap<>(QueueLane.class);

	private final Counter retries;

	private final Counter loops;

	private final Counter warnings;

	private final Timer ownWritesSeen;

	private final Timer ownWritesTimedOut;

	ReconcilerMeters(MeterRegistry registry, ClusterTag clusterTag, ReconcilerContainer reconciler) {
		this.registry = registry;
		this.reconciler = reconciler;
		LocalId id = LocalId.of(reconciler);
		this.tags = clusterTag.of(id.cluster()).and("reconciler", id.id(), "resource", reconciler.spec().type().name());
		gauge("synced", "Whether all sources are synced (1) or not (0)", (status) -> status.synced() ? 1 : 0);
		gauge("parked", "Keys that wait until the caches show their own writes", (status) -> status.queue().parked());
		gauge("failing", "Keys whose last run failed, and objects whose mapping or condition did",
				(status) -> status.queue().failingKeys()
						+ status.failingFunctions().stream().mapToInt(FailingFunction::objects).sum());
		gauge("slowed", "Keys that are slowed down because writes of this application cause their runs",
				(status) -> status.queue().slowedKeys());
		for (QueueLane lane : QueueLane.values()) {
			Tags tagged = this.tags.and("lane", name(lane));
			added(Gauge
				.builder(PREFIX + "queue.size", reconciler,
						(current) -> current.status().queue().ready().getOrDefault(lane, 0))
				.description("Keys that wait for a worker")
				.tags(tagged)
				.register(registry));
			this.queueTimes.put(lane,
					added(Timer.builder(PREFIX + "queue.time")
						.description("Time from when a key is ready to the start of its run")
						.tags(tagged)
						.register(registry)));
		}
		added(TimeGauge
			.builder(PREFIX + "longest.running", reconciler, TimeUnit.MILLISECONDS,
					(current) -> current.status().runs().longestActive().toMillis())
			.description("Time of the longest run that is under way; 0 if there is none")
			.tags(this.tags)
			.register(registry));
		this.retries = counter("retries", "Runs after one that failed");
		this.loops = counter("loops", "Keys whose runs are all caused by their own writes");
		this.warnings = counter("warnings", "Warnings that the API server answered requests of runs with");
		this.ownWritesSeen = ownWrites("seen");
		this.ownWritesTimedOut = ownWrites("timeout");
	}

	private void gauge(String name, String description, ToDoubleFunction<ReconcilerStatus> value) {
		added(Gauge.builder(PREFIX + name, this.reconciler, (current) -> value.applyAsDouble(current.status()))
			.description(description)
			.tags(this.tags)
			.register(this.registry));
	}

	private Counter counter(String name, String description) {
		return added(Counter.builder(PREFIX + name).description(description).tags(this.tags).register(this.registry));
	}

	private Timer ownWrites(String outcome) {
		return added(Timer.builder(PREFIX + "own.writes.wait")
			.description("Time that keys wait until the caches show their own writes")
			.tags(this.tags)
			.tag("outcome", outcome)
			.register(this.registry));
	}

	private static String name(QueueLane lane) {
		return lane.name().toLowerCase(Locale.ROOT);
	}

	private <M extends Meter> M added(M meter) {
		this.meters.add(meter);
		return meter;
	}

	boolean isOf(ReconcilerContainer candidate) {
		return this.reconciler == candidate;
	}

	ReconcilerContainer reconciler() {
		return this.reconciler;
	}

	void ran(ReconcileRun run) {
		Objects.requireNonNull(this.queueTimes.get(run.lane())).record(run.queueTime());
		if (run.attempt() > 1) {
			this.retries.increment();
		}
	}

	void ownWritesAwaited(Duration waited, boolean seen) {
		(seen ? this.ownWritesSeen : this.ownWritesTimedOut).record(waited);
	}

	void loopDetected() {
		this.loops.increment();
	}

	void warned() {
		this.warnings.increment();
	}

	/**
	 * Removes what another reconciler of the same id will have too.
	 */
	void remove() {
		this.meters.forEach(this.registry::remove);
	}

	/**
	 * Removes the timers of the observations too: the reconciler is gone.
	 */
	void removeAll() {
		remove();
		ObservedTimers.of(DefaultReconcilerObservationConvention.NAME).removeFrom(this.registry, this.tags);
	}

}
