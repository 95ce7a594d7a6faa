package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.spring.observation.DefaultReconcilerObservationConvention;
import dev.kubeinformer.spring.observation.DefaultReconcilerWriteObservationConvention;

/**
 * Meters of one reconciler.
 */
final class ReconcilerMeters extends SubjectMeters<ReconcilerContainer> {

	private final Map<QueueLane, Timer> queueTimes = new EnumMap<>(QueueLane.class);

	private final Counter retries;

	private final Counter loops;

	private final Counter warnings;

	private final Timer ownWritesSeen;

	private final Timer ownWritesTimedOut;

	ReconcilerMeters(MeterRegistry registry, ClusterTag clusterTag, ReconcilerContainer reconciler) {
		super(registry, reconciler, "kubernetes.reconciler.", clusterTag.of(ClusterScopedId.of(reconciler).cluster())
			.and("reconciler", ClusterScopedId.of(reconciler).id(), "resource", reconciler.spec().type().name()));
		gauge("synced", "Whether all sources are synced (1) or not (0)", (status) -> status.synced() ? 1 : 0);
		gauge("parked", "Keys that wait until the caches show their own writes", (status) -> status.queue().parked());
		gauge("failing", "Keys whose last run failed, and objects whose mapping or condition failed",
				(status) -> status.queue().failingKeys()
						+ status.failingFunctions().stream().mapToInt(FailingFunction::objects).sum());
		gauge("slowed", "Keys that are slowed down because writes of this application cause their runs",
				(status) -> status.queue().slowedKeys());
		gauge("waiting", "Objects whose writes by runs the caches have not shown in time",
				(status) -> status.queue().waiting());
		for (QueueLane lane : QueueLane.values()) {
			String name = lane.name().toLowerCase(Locale.ROOT);
			gauge("queue.size", "Keys that wait for a worker", (status) -> status.queue().ready().getOrDefault(lane, 0),
					"lane", name);
			this.queueTimes.put(lane,
					timer("queue.time", "Time from when a key is ready to the start of its run", "lane", name));
		}
		timeGauge("longest.running", "Time of the longest current run; 0 if there is none", reconciler,
				TimeUnit.MILLISECONDS, (current) -> current.status().runs().longestActive().toMillis());
		this.retries = counter("retries", "Runs after one that failed");
		this.loops = counter("loops", "Keys whose runs are all caused by their own writes");
		this.warnings = counter("warnings", "Warnings in responses of the API server to requests of runs");
		this.ownWritesSeen = ownWrites("seen");
		this.ownWritesTimedOut = ownWrites("timeout");
	}

	private void gauge(String name, String description, ToDoubleFunction<ReconcilerStatus> value, String... tags) {
		gauge(name, description, subject(), (current) -> value.applyAsDouble(current.status()), tags);
	}

	private Timer ownWrites(String outcome) {
		return timer("own.writes.wait", "Time that keys wait until the caches show their own writes", "outcome",
				outcome);
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
	 * Removes all meters, including the timers of observations. Otherwise a new
	 * reconciler with the same id would continue these timers.
	 */
	@Override
	void removeAll() {
		remove();
		ObservedTimers.of(DefaultReconcilerObservationConvention.NAME).removeFrom(registry(), tags());
		// Ignore the tag 'resource': for these timers, it is the written resource instead
		// of that of the primary.
		ObservedTimers.of(DefaultReconcilerWriteObservationConvention.NAME)
			.removeFrom(registry(), tags().stream().filter((tag) -> !tag.getKey().equals("resource")).toList());
	}

}
