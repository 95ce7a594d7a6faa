package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.settings.ShownText;
import dev.kubeinformer.types.FailedWrite;
import dev.kubeinformer.types.InformerState;

/**
 * Health of a reconciler and its sources, the informers that fill its caches. Failing
 * objects do not affect the health, because the other objects are still reconciled. The
 * health is down if not a single object can be decoded, because then the model class does
 * not match.
 *
 * @param sources the sources
 * @param missingRights the permissions that the reconciler was denied
 * @param cluster the name of its cluster; {@code null} if there is only one
 * @param statusMapper the rules that map the state of an informer to a health status
 */
record ReconcilerHealthIndicator(SourceHealth sources, Supplier<List<RequiredRbac>> missingRights,
		@Nullable String cluster, InformerStatusMapper statusMapper) implements HealthIndicator {

	/**
	 * Time after which the details show a current run.
	 */
	private static final Duration LONG = Duration.ofSeconds(1);

	/**
	 * Maximum number of failing objects in the details; the endpoint shows more.
	 */
	private static final int FAILING = 3;

	@Override
	public Health health() {
		ReconcilerContainer container = this.sources.container();
		ReconcilerSpec<?> spec = container.spec();
		ReconcilerStatus status = container.status();
		Health.Builder health = Health.status(status(container, status));
		InformerDetails details = new InformerDetails(health);
		details.put("cluster", this.cluster);
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
		details.putAny("longestFailing",
				status.failing().stream().limit(FAILING).map(ReconcilerHealthIndicator::failing).toList());
		details.putAny("failingFunctions",
				status.failingFunctions().stream().map(ReconcilerHealthIndicator::describe).toList());
		sources(details, status);
		quarantined(details, status);
		requiredRbac(details, status);
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
		if (queue.waiting() > 0) {
			details.put("waiting", queue.waiting());
		}
		details.put("oldestReadyAge", InformerDetails.text(queue.oldestReadyAge()));
	}

	private static Map<String, Object> failing(FailingKey key) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("object", ShownText.of(key.key().toString()));
		described.put("since", key.failingSince().toString());
		described.put("exception", key.exceptionClass());
		if (key.cleanup()) {
			described.put("cleanup", true);
		}
		FailedWrite write = key.write();
		if (write != null) {
			described.put("write", ShownText.of(write.toString()));
			if (!write.answer().isEmpty()) {
				described.put("answer", write.answer());
			}
		}
		return described;
	}

	private static Map<String, Object> describe(FailingFunction failing) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("kind", failing.kind().name());
		described.put("resource", failing.resource());
		described.put("objects", failing.objects());
		described.put("key", failing.key());
		described.put("exception", failing.exceptionClass());
		described.put("failedAt", failing.failedAt().toString());
		return described;
	}

	private void sources(InformerDetails details, ReconcilerStatus status) {
		sources(details, "notSynced", status.sources().stream().filter((source) -> !source.synced()));
		// These caches may be outdated, but runs continue with their last content. So
		// list them separately from caches that were never synced.
		sources(details, "notLive",
				status.sources().stream().filter((source) -> source.synced() && source.state() != InformerState.LIVE));
	}

	private void sources(InformerDetails details, String name, Stream<ReconcilerSource> sources) {
		details.putAny(name, sources.map(this::describe).toList());
	}

	private void quarantined(InformerDetails details, ReconcilerStatus status) {
		List<Map<String, Object>> described = new ArrayList<>();
		for (ReconcilerSource source : status.sources()) {
			InformerStatus informer = this.sources.informer(source);
			if (informer != null && informer.cache().quarantined() > 0) {
				Map<String, Object> each = named(source);
				each.put("count", informer.cache().quarantined());
				each.put("objects", new TreeMap<>(this.sources.quarantined(source).problems()));
				described.add(each);
			}
		}
		details.putAny("quarantined", described);
	}

	private static Map<String, Object> named(ReconcilerSource source) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("informer", source.informer());
		described.put("role", source.role().name());
		return described;
	}

	private Map<String, Object> describe(ReconcilerSource source) {
		Map<String, Object> described = named(source);
		described.put("state", source.state().name());
		described.put("since", source.since().toString());
		InformerStatus informer = this.sources.informer(source);
		Map<String, Object> error = (informer != null) ? InformerDetails.error(informer.lastError()) : null;
		if (error != null) {
			described.put("error", error);
		}
		return described;
	}

	private void requiredRbac(InformerDetails details, ReconcilerStatus status) {
		Stream<String> ofSources = status.sources()
			.stream()
			.map(ReconcilerSource::requiredRbac)
			.filter(Objects::nonNull);
		Stream<String> ofRuns = this.missingRights.get().stream().map(RequiredRbac::toString);
		details.putAny("requiredRbac", Stream.concat(ofSources, ofRuns).distinct().toList());
	}

	private Status status(ReconcilerContainer container, ReconcilerStatus status) {
		if (!container.isRunning() || status.state() == ReconcilerState.PAUSED) {
			return Status.UNKNOWN;
		}
		Status caches = this.sources.worst(status.sources(), this.statusMapper);
		boolean synced = status.synced() || status.state() == ReconcilerState.STANDBY;
		if (caches.equals(Status.UP) && isUnreadable(status)) {
			return Status.DOWN;
		}
		return (caches.equals(Status.UP) && !synced) ? Status.OUT_OF_SERVICE : caches;
	}

	private boolean isUnreadable(ReconcilerStatus status) {
		return status.sources()
			.stream()
			.filter((source) -> source.role() == ReconcilerSource.Role.PRIMARY)
			.anyMatch((source) -> this.sources.quarantined(source).everything());
	}

}
