package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.InformerStatus;
import dev.kubeinformer.RequiredRbac;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.types.InformerState;

/**
 * Health of a reconciler and of its sources. Failing objects do not make it fail: the
 * others are reconciled.
 */
final class ReconcilerHealthIndicator implements HealthIndicator {

	/**
	 * How long a run takes before it is shown.
	 */
	private static final Duration LONG = Duration.ofSeconds(1);

	private final ReconcilerSources sources;

	private final MissingRights missingRights;

	private final ClusterDetail cluster;

	private final InformerStatusMapper statusMapper;

	ReconcilerHealthIndicator(ReconcilerSources sources, MissingRights missingRights, ClusterDetail cluster,
			InformerStatusMapper statusMapper) {
		this.sources = sources;
		this.missingRights = missingRights;
		this.cluster = cluster;
		this.statusMapper = statusMapper;
	}

	@Override
	public Health health() {
		ReconcilerContainer container = this.sources.container();
		ReconcilerSpec<?> spec = container.spec();
		ReconcilerStatus status = container.status();
		Health.Builder health = Health.status(status(container, status));
		InformerDetails details = new InformerDetails(health);
		this.cluster.addTo(details);
		details.put("resource", spec.type().name());
		details.put("namespaces", spec.namespaces().isEmpty() ? List.of("*") : List.copyOf(spec.namespaces()));
		details.put("synced", status.synced());
		status.sources()
			.stream()
			.filter((source) -> source.role() == ReconcilerSource.Role.PRIMARY)
			.map(this.sources::informer)
			.filter(Objects::nonNull)
			.findFirst()
			.ifPresent((primaries) -> details.shard(primaries.sharding()));
		details.put("state", status.state().name());
		details.put("since", (status.since() != null) ? status.since().toString() : null);
		if (status.state() == ReconcilerState.STANDBY) {
			details.put("standby", true);
		}
		queue(details, status.queue());
		details.put("running", status.runs().active());
		if (status.runs().longestActive().compareTo(LONG) > 0) {
			details.put("longestRunning", InformerDetails.text(status.runs().longestActive()));
		}
		sources(details, status);
		requiredRbac(details, container, status);
		return health.build();
	}

	private static void queue(InformerDetails details, ReconcilerStatus.Queue queue) {
		Map<String, Integer> queued = new LinkedHashMap<>();
		for (QueueLane lane : QueueLane.values()) {
			queued.put(lane.name().toLowerCase(Locale.ROOT), queue.ready().getOrDefault(lane, 0));
		}
		details.put("queued", queued);
		details.put("parked", queue.parked());
		details.put("failingKeys", queue.failingKeys());
		if (queue.slowedKeys() > 0) {
			details.put("slowedKeys", queue.slowedKeys());
		}
		details.put("oldestReadyAge", InformerDetails.text(queue.oldestReadyAge()));
	}

	private void sources(InformerDetails details, ReconcilerStatus status) {
		sources(details, "notSynced", status.sources().stream().filter((source) -> !source.synced()));
		// Runs go on with what these caches held last.
		sources(details, "notLive",
				status.sources().stream().filter((source) -> source.synced() && source.state() != InformerState.LIVE));
	}

	private void sources(InformerDetails details, String name, Stream<ReconcilerSource> sources) {
		List<Map<String, Object>> described = sources.map(this::describe).toList();
		if (!described.isEmpty()) {
			details.put(name, described);
		}
	}

	private Map<String, Object> describe(ReconcilerSource source) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("informer", source.informer());
		described.put("role", source.role().name());
		described.put("state", source.state().name());
		described.put("since", source.since().toString());
		InformerStatus informer = this.sources.informer(source);
		Map<String, Object> error = (informer != null) ? InformerDetails.error(informer.lastError()) : null;
		if (error != null) {
			described.put("error", error);
		}
		return described;
	}

	private void requiredRbac(InformerDetails details, ReconcilerContainer container, ReconcilerStatus status) {
		Stream<String> ofSources = status.sources()
			.stream()
			.map(ReconcilerSource::requiredRbac)
			.filter(Objects::nonNull);
		Stream<String> ofRuns = this.missingRights.of(container).stream().map(RequiredRbac::toString);
		List<String> missing = Stream.concat(ofSources, ofRuns).distinct().toList();
		if (!missing.isEmpty()) {
			details.put("requiredRbac", missing);
		}
	}

	private Status status(ReconcilerContainer container, ReconcilerStatus status) {
		if (!container.isRunning() || status.state() == ReconcilerState.PAUSED) {
			return Status.UNKNOWN;
		}
		Status caches = this.sources.worst(status.sources(), this.statusMapper);
		boolean synced = status.synced() || status.state() == ReconcilerState.STANDBY;
		return (caches.equals(Status.UP) && !synced) ? Status.OUT_OF_SERVICE : caches;
	}

}
