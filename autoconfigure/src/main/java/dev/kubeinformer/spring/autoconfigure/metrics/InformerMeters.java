package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * Meters of one informer. A counter with a tag is registered for each value of the tag at
 * the start, so that the first occurrence is visible as an increase.
 */
final class InformerMeters extends SubjectMeters<Informer<?>> {

	private final Map<WatchEventType, Counter> events = new EnumMap<>(WatchEventType.class);

	private final Map<ListReason, Counter> relists = new EnumMap<>(ListReason.class);

	private final Map<WatchEndReason, Counter> watchRestarts = new EnumMap<>(WatchEndReason.class);

	/** Strong reference, because meters refer to the measured object weakly. */
	private final @Nullable ShardMeters shard;

	private final Counter decodeErrors;

	private final Counter warnings;

	private final Timer lists;

	private final Timer failedLists;

	private volatile @Nullable Duration syncTime;

	InformerMeters(MeterRegistry registry, ClusterTag clusterTag, Informer<?> informer) {
		super(registry, informer, "kubernetes.informer.", clusterTag.of(informer.cluster())
			.and("informer", ClusterScopedId.of(informer).id(), "resource", informer.spec().type().name()));
		gauges(informer);
		this.shard = ShardMeters.of(informer);
		if (this.shard != null) {
			this.shard.register(this);
		}
		for (WatchEventType type : EnumSet.complementOf(EnumSet.of(WatchEventType.ERROR))) {
			this.events.put(type, counter("events", "Events that the API server sent on watches", "event", type));
		}
		for (ListReason reason : ListReason.values()) {
			if (reason != ListReason.INITIAL) {
				this.relists.put(reason, counter("relists", "Full lists after the first of a start", "reason", reason));
			}
		}
		for (WatchEndReason reason : WatchEndReason.values()) {
			this.watchRestarts.put(reason,
					counter("watch.restarts", "Watches that ended or could not be opened", "reason", reason));
		}
		this.decodeErrors = counter("decode.errors", "Objects that could not be read or transformed");
		this.warnings = counter("warnings", "Warnings in responses of the API server to lists and watches");
		this.lists = list("success");
		this.failedLists = list("error");
	}

	private void gauges(Informer<?> informer) {
		gauge("synced", "Whether the cache holds a full state (1) or not (0)", informer,
				(current) -> current.hasSynced() ? 1 : 0);
		gauge("cache.size", "Objects in the cache", informer, (current) -> current.status().cache().size());
		gauge("quarantined", "Objects that cannot be read or transformed now", informer,
				(current) -> current.status().cache().quarantined());
		timeGauge("last.event.age", "Time since the API server sent an event or bookmark, or since the sync", informer,
				TimeUnit.MILLISECONDS, InformerMeters::lastEventAge);
		timeGauge("stale.time", "Time for which the cache has not been up to date; 0 while it is", informer,
				TimeUnit.MILLISECONDS, InformerMeters::staleTime);
		timeGauge("sync.time", "Time from the last start to the first full state", this, TimeUnit.MILLISECONDS,
				(meters) -> millis(meters.syncTime));
	}

	private static double lastEventAge(Informer<?> informer) {
		InformerStatus status = informer.status();
		boolean watched = status.state() != InformerState.NEW && status.state() != InformerState.STOPPED;
		Instant last = later(status.sync().syncedAt(), status.watch().lastEventAt());
		return millis((watched && last != null) ? Duration.between(last, Instant.now()) : null);
	}

	private static @Nullable Instant later(@Nullable Instant synced, @Nullable Instant event) {
		// Return null before the first sync, even if there was an event.
		return (synced != null && event != null && event.isAfter(synced)) ? event : synced;
	}

	private static double staleTime(Informer<?> informer) {
		Instant since = informer.status().cache().staleSince();
		return (since != null) ? millis(Duration.between(since, Instant.now())) : 0;
	}

	private static double millis(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : Double.NaN;
	}

	private Counter counter(String name, String description, String tag, Enum<?> value) {
		return counter(name, description, tag, value.name().toLowerCase(Locale.ROOT));
	}

	private Timer list(String outcome) {
		return timer("list", "Full lists", "outcome", outcome);
	}

	void stateChanged(InformerState before) {
		if (this.shard != null) {
			this.shard.stateChanged(before);
		}
	}

	void synced(Duration duration) {
		this.syncTime = duration;
	}

	void listed(ListReason reason, Duration duration) {
		this.lists.record(duration);
		Counter relist = this.relists.get(reason);
		if (relist != null) {
			relist.increment();
		}
	}

	void listFailed(Duration duration) {
		this.failedLists.record(duration);
	}

	void watchEnded(WatchEndReason reason) {
		Objects.requireNonNull(this.watchRestarts.get(reason)).increment();
	}

	void received(WatchEventType type) {
		Objects.requireNonNull(this.events.get(type)).increment();
	}

	void unreadable(int objects) {
		this.decodeErrors.increment(objects);
	}

	void warned() {
		this.warnings.increment();
	}

}
