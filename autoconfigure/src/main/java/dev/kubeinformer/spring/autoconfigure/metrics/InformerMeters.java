package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.cluster.LocalId;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * The meters of one informer. Every value of a tag is there from the start, so that the
 * first of its kind shows as an increase.
 */
final class InformerMeters {

	private static final String PREFIX = "kubernetes.informer.";

	private final MeterRegistry registry;

	private final Informer<?> informer;

	private final Tags tags;

	private final List<Meter> meters = new ArrayList<>();

	private final Map<WatchEventType, Counter> events = new EnumMap<>(WatchEventType.class);

	private final Map<ListReason, Counter> relists = new EnumMap<>(ListReason.class);

	private final Map<WatchEndReason, Counter> watchRestarts = new EnumMap<>(WatchEndReason.class);

	/** Meters keep no strong reference to what they measure. */
	private final @Nullable ShardMeters shard;

	private final Counter decodeErrors;

	private final Counter warnings;

	private final Timer lists;

	private final Timer failedLists;

	private volatile @Nullable Duration syncTime;

	InformerMeters(MeterRegistry registry, ClusterTag clusterTag, Informer<?> informer) {
		this.registry = registry;
		this.informer = informer;
		this.tags = clusterTag.of(informer.cluster())
			.and("informer", LocalId.of(informer).id(), "resource", informer.spec().type().name());
		gauges();
		this.shard = ShardMeters.of(informer);
		if (this.shard != null) {
			this.meters.addAll(this.shard.register(registry, this.tags));
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
		this.decodeErrors = added(Counter.builder(PREFIX + "decode.errors")
			.description("Objects that could not be read or transformed")
			.tags(this.tags)
			.register(registry));
		this.warnings = added(Counter.builder(PREFIX + "warnings")
			.description("Warnings that the API server answered lists and watches with")
			.tags(this.tags)
			.register(registry));
		this.lists = list("success");
		this.failedLists = list("error");
	}

	private void gauges() {
		added(Gauge.builder(PREFIX + "synced", this.informer, (current) -> current.hasSynced() ? 1 : 0)
			.description("Whether the cache holds a full state (1) or not (0)")
			.tags(this.tags)
			.register(this.registry));
		added(Gauge.builder(PREFIX + "cache.size", this.informer, (current) -> current.status().cache().size())
			.description("Objects in the cache")
			.tags(this.tags)
			.register(this.registry));
		added(Gauge.builder(PREFIX + "quarantined", this.informer, (current) -> current.status().cache().quarantined())
			.description("Objects that cannot be read or transformed now")
			.tags(this.tags)
			.register(this.registry));
		added(TimeGauge
			.builder(PREFIX + "last.event.age", this.informer, TimeUnit.MILLISECONDS, InformerMeters::lastEventAge)
			.description("Time since the API server sent an event or bookmark, or since the sync")
			.tags(this.tags)
			.register(this.registry));
		added(TimeGauge.builder(PREFIX + "stale.time", this.informer, TimeUnit.MILLISECONDS, InformerMeters::staleTime)
			.description("Time since when the cache is not kept up to date; 0 while it is")
			.tags(this.tags)
			.register(this.registry));
		added(TimeGauge.builder(PREFIX + "sync.time", this, TimeUnit.MILLISECONDS, (meters) -> millis(meters.syncTime))
			.description("Time from the last start to the first full state")
			.tags(this.tags)
			.register(this.registry));
	}

	private static double lastEventAge(Informer<?> informer) {
		InformerStatus status = informer.status();
		boolean watched = status.state() != InformerState.NEW && status.state() != InformerState.STOPPED;
		Instant last = later(status.sync().syncedAt(), status.watch().lastEventAt());
		return millis((watched && last != null) ? Duration.between(last, Instant.now()) : null);
	}

	private static @Nullable Instant later(@Nullable Instant synced, @Nullable Instant event) {
		// Without a sync there is nothing to be old.
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
		return added(Counter.builder(PREFIX + name)
			.description(description)
			.tags(this.tags)
			.tag(tag, value.name().toLowerCase(Locale.ROOT))
			.register(this.registry));
	}

	private Timer list(String outcome) {
		return added(Timer.builder(PREFIX + "list")
			.description("Full lists")
			.tags(this.tags)
			.tag("outcome", outcome)
			.register(this.registry));
	}

	private <M extends Meter> M added(M meter) {
		this.meters.add(meter);
		return meter;
	}

	boolean isOf(Informer<?> candidate) {
		return this.informer == candidate;
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

	void remove() {
		this.meters.forEach(this.registry::remove);
	}

}
