package dev.kubeinformer.internal.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.http.DailyNotes;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WireEncoding;

/**
 * Tracks the state of one informer across its namespaces, and notifies listeners of
 * changes in order.
 */
public final class StatusTracker {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	/** Time for which a watch must stay open before it counts as working. */
	private static final Duration PROBATION = Duration.ofSeconds(1);

	private static final List<InformerState> WORST_FIRST = List.of(InformerState.FORBIDDEN, InformerState.NOT_FOUND,
			InformerState.SYNCING, InformerState.STALE);

	/** Maximum length of a logged {@code Status} object, which only humans read. */
	private static final int LONGEST_STATUS = 4_000;

	private final String id;

	private final ResourceType<?> type;

	/** Names of the objects that are read; empty to read all objects. */
	private final List<String> names;

	private final InformerRuntime.Clocks clocks;

	private final InformerNotices notices;

	private final @Nullable ShardTracker sharding;

	private volatile @Nullable Instant lastEventAt;

	private volatile @Nullable DailyNotes dailyNotes;

	/** Guards all fields below. */
	private final ReentrantLock lock = new ReentrantLock();

	/** Partitions by name; kept until the next start. */
	private final Map<String, Partition> partitions = new TreeMap<>();

	private final OutageLog outages;

	/** Number of lists since the start, by reason. */
	private final Map<ListReason, Long> lists = new EnumMap<>(ListReason.class);

	/** Number of watches that ended since the start, by reason. */
	private final Map<WatchEndReason, Long> watchRestarts = new EnumMap<>(WatchEndReason.class);

	/**
	 * Number of lists since the start that were older than an earlier response of the
	 * server.
	 */
	private long regressions;

	private InformerState state = InformerState.NEW;

	private Instant since;

	/** Time of the last start, in nanoseconds. */
	private long startedAt;

	private @Nullable Instant syncedAt;

	private @Nullable Instant watchedAt;

	private @Nullable Instant listedAt;

	/**
	 * Time at which the last working watch of a filled cache ended; {@code null} while
	 * one is open.
	 */
	private @Nullable Instant staleSince;

	private boolean everSynced;

	private boolean everWatched;

	private @Nullable InformerError lastError;

	public StatusTracker(String id, InformerSpec<?> spec, InformerRuntime.Clocks clocks, InformerNotices notices) {
		this.id = id;
		this.type = spec.type();
		String name = spec.objectName();
		this.names = (name != null) ? List.of(name) : List.of();
		this.clocks = clocks;
		this.notices = notices;
		this.outages = new OutageLog(id, spec.type());
		this.sharding = ShardTracker.of(id, spec);
		this.since = now();
	}

	public void started(Set<String> partitions) {
		this.lock.lock();
		try {
			this.partitions.clear();
			partitions.forEach((partition) -> this.partitions.put(partition, new Partition(false)));
			this.lists.clear();
			this.watchRestarts.clear();
			this.regressions = 0;
			this.outages.started();
			if (this.sharding != null) {
				this.sharding.started();
			}
			this.startedAt = this.clocks.nanoTime().getAsLong();
			this.lastError = null;
			this.syncedAt = null;
			this.watchedAt = null;
			this.listedAt = null;
			change(InformerState.SYNCING);
		}
		finally {
			this.lock.unlock();
		}
	}

	public void stopped() {
		this.lock.lock();
		try {
			this.partitions.values().forEach((partition) -> partition.condition = null);
			change(InformerState.STOPPED);
		}
		finally {
			this.lock.unlock();
		}
	}

	public void namespaceAdded(String namespace) {
		this.lock.lock();
		try {
			this.partitions.put(namespace, new Partition(this.syncedAt != null));
			change(combined());
		}
		finally {
			this.lock.unlock();
		}
	}

	public void namespaceRemoved(String namespace, StoreSnapshot<?> snapshot) {
		this.lock.lock();
		try {
			if (this.sharding != null) {
				this.sharding.removed(namespace);
			}
			Partition removed = this.partitions.remove(namespace);
			if (removed != null && removed.condition != null) {
				changeToCombined(snapshot);
				judgeWatches();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	public void condition(String partition, InformerState condition, StoreSnapshot<?> snapshot) {
		this.lock.lock();
		try {
			Partition running = running(partition);
			if (running != null) {
				running.condition = condition;
				if (condition == InformerState.LIVE) {
					opened(partition);
				}
				changeToCombined(snapshot);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void changeToCombined(StoreSnapshot<?> snapshot) {
		InformerState before = this.state;
		change(combined());
		if (this.state == InformerState.LIVE && before != InformerState.LIVE) {
			this.outages.ended(now(), snapshot);
		}
	}

	private void opened(String partition) {
		Partition running = running(partition);
		if (running != null) {
			running.watched = true;
			judgeWatches();
		}
	}

	private @Nullable Partition running(String partition) {
		Partition known = this.partitions.get(partition);
		return (known != null && known.condition != null) ? known : null;
	}

	/**
	 * Returns the state of the informer: the worst condition of its partitions. A
	 * partition that was added after the sync does not count while it is syncing.
	 * @return the state
	 */
	private InformerState combined() {
		return WORST_FIRST.stream()
			.filter((worst) -> this.partitions.values().stream().anyMatch((partition) -> partition.is(worst)))
			.findFirst()
			.orElse(InformerState.LIVE);
	}

	// If the access to one namespace is denied, or the resource is not served there, the
	// informer never becomes live.
	private boolean isDeniedInPart() {
		return this.partitions.size() > 1 && this.partitions.values()
			.stream()
			.anyMatch((partition) -> partition.is(InformerState.FORBIDDEN) || partition.is(InformerState.NOT_FOUND));
	}

	private void judgeWatches() {
		if (this.watchedAt == null && this.syncedAt != null
				&& this.partitions.values().stream().allMatch(Partition::isAsWatchedAsNeeded)) {
			this.watchedAt = now();
			this.everWatched = true;
		}
	}

	private void change(InformerState next) {
		InformerState before = this.state;
		if (next != before) {
			if (before == InformerState.LIVE && isProven(now())) {
				this.staleSince = null;
			}
			this.state = next;
			this.since = now();
			this.notices.add((listener, informer) -> listener.stateChanged(informer, before, next));
		}
		judgeStaleness();
	}

	private void judgeStaleness() {
		if (this.syncedAt == null || this.state == InformerState.STOPPED) {
			this.staleSince = null;
		}
		else if (this.state != InformerState.LIVE && this.state != InformerState.SYNCING && this.staleSince == null) {
			this.staleSince = now();
		}
	}

	/**
	 * Returns whether the watch has proved to work. A server may open every watch and end
	 * it at once.
	 * @param now the time
	 * @return {@code true} if something arrived on the watch, it has been open for long
	 * enough, or it followed a list
	 */
	private boolean isProven(Instant now) {
		return !now.isBefore(this.since.plus(PROBATION)) || isFrom(this.lastEventAt, this.since)
				|| isFrom(this.listedAt, Objects.requireNonNullElse(this.staleSince, this.since));
	}

	private static boolean isFrom(@Nullable Instant instant, Instant since) {
		return instant != null && !instant.isBefore(since);
	}

	public void failed(String verb, Failure failure, @Nullable String next, Duration duration) {
		InformerError error = new InformerError(now(), verb, this.type.name(), failure.problem(), failure.httpStatus(),
				failure.reason(), this.outages.message(failure), this.outages.advice(failure));
		if (failure.status() != null) {
			logger.debug("Informer '{}': the API server responded with {}", this.id,
					PrintableText.of(failure.status().toString(), LONGEST_STATUS));
		}
		this.lock.lock();
		try {
			this.lastError = error;
			this.notices.add((listener, informer) -> listener.requestFailed(informer, error, duration));
			boolean live = this.state == InformerState.LIVE;
			this.outages.failed(verb, failure, next,
					new OutageLog.Moment(now(), live ? this.since : null, live && isProven(now()), isDeniedInPart()));
		}
		finally {
			this.lock.unlock();
		}
	}

	public void listed(ListReason reason, int objects, Duration duration) {
		this.lock.lock();
		try {
			this.lists.merge(reason, 1L, Long::sum);
			this.listedAt = now();
			this.notices.add((listener, informer) -> listener.listed(informer, reason, objects, duration));
		}
		finally {
			this.lock.unlock();
		}
	}

	public void watchStarted(String partition) {
		this.lock.lock();
		try {
			opened(partition);
			this.notices.add(InformerListener::watchStarted);
		}
		finally {
			this.lock.unlock();
		}
	}

	public void watchEnded(WatchEndReason reason, Duration lived) {
		this.lock.lock();
		try {
			this.watchRestarts.merge(reason, 1L, Long::sum);
			this.notices.add((listener, informer) -> listener.watchEnded(informer, reason, lived));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Sets the record of logged messages, so that informers of the same resource do not
	 * log the same message again.
	 * @param dailyNotes the record that all informers of the client share
	 */
	public void notes(DailyNotes dailyNotes) {
		this.dailyNotes = dailyNotes;
	}

	/**
	 * Logs that lists are read in pages, which is not a failure.
	 * @param httpStatus the status of an API server that does not support streaming
	 * lists; {@code null} if the initial events of a stream did not end in time
	 */
	public void listsInPages(@Nullable Integer httpStatus) {
		String name = this.type.name();
		String what = (httpStatus != null)
				? "%s are listed in pages because the API server does not support streaming lists (HTTP %d)"
					.formatted(name, httpStatus)
				: ("%s are listed in pages because the streaming list did not finish its initial events "
						+ "in time; the API server may be overloaded, or not support streaming lists")
					.formatted(name);
		DailyNotes notes = this.dailyNotes;
		String subject = this.type.apiVersion() + " " + name + ((httpStatus != null) ? "" : " overdue");
		logger.atLevel((notes == null || notes.add(subject)) ? Level.INFO : Level.DEBUG)
			.log("Informer '{}': {}; it will try streaming lists again after a day", this.id, what);
	}

	public void fellBack(String why) {
		logger.info("Informer '{}': {}", this.id, why);
	}

	public void regressed(String resourceVersion, String newestSeen) {
		this.lock.lock();
		try {
			this.regressions++;
			this.outages.regressed(resourceVersion, newestSeen);
		}
		finally {
			this.lock.unlock();
		}
	}

	public void synced() {
		this.lock.lock();
		try {
			if (this.syncedAt == null) {
				this.syncedAt = now();
				Duration duration = Duration.ofNanos(this.clocks.nanoTime().getAsLong() - this.startedAt);
				this.notices.add((listener, informer) -> listener.synced(informer, duration));
			}
			this.everSynced = true;
			judgeStaleness();
			judgeWatches();
		}
		finally {
			this.lock.unlock();
		}
	}

	void quarantined(String partition, int count, @Nullable InformerError error, boolean known) {
		this.lock.lock();
		try {
			Partition running = running(partition);
			if (running != null) {
				running.quarantined = count;
			}
			if (error != null) {
				this.lastError = error;
				logger.atLevel(known ? Level.DEBUG : Level.WARN).log("Informer '{}': {}", this.id, error.message());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	public void alive() {
		this.lastEventAt = now();
	}

	/**
	 * Returns the tracker of the shard.
	 * @return the tracker; {@code null} without a shard
	 */
	public @Nullable ShardTracker sharding() {
		return this.sharding;
	}

	Instant now() {
		return this.clocks.wall().instant();
	}

	public InformerStatus status(StoreSnapshot<?> snapshot, boolean synced, @Nullable WireEncoding encoding,
			@Nullable MetadataMode metadata) {
		this.lock.lock();
		try {
			boolean current = this.state == InformerState.LIVE && isProven(now());
			return new InformerStatus(this.state, this.since,
					new InformerStatus.Sync(synced, this.syncedAt, this.everSynced),
					new InformerStatus.Cache(snapshot.size(), snapshot.resourceVersion(),
							current ? null : this.staleSince,
							this.partitions.values().stream().mapToInt((each) -> each.quarantined).sum()),
					new InformerStatus.Lists(Collections.unmodifiableMap(new EnumMap<>(this.lists)), this.regressions),
					new InformerStatus.Watch(this.watchedAt, this.everWatched, this.lastEventAt,
							Collections.unmodifiableMap(new EnumMap<>(this.watchRestarts))),
					encoding, metadata, (this.sharding != null) ? this.sharding.status() : null, this.lastError,
					this.partitions.entrySet()
						.stream()
						.filter((each) -> each.getValue().is(InformerState.FORBIDDEN))
						.map((each) -> missing(each.getKey()))
						.toList());
		}
		finally {
			this.lock.unlock();
		}
	}

	private RequiredRbac missing(String partition) {
		return new RequiredRbac(this.type.group(), this.type.plural(), this.names, List.of("list", "watch"),
				partition.isEmpty() ? null : partition);
	}

	/**
	 * State of a partition. Guarded by the lock.
	 */
	private static final class Partition {

		/**
		 * Whether the partition was added after the informer was synced. The informer
		 * stays synced while such a partition is filled.
		 */
		private final boolean late;

		/** Current condition; {@code null} after the informer has stopped. */
		private @Nullable InformerState condition = InformerState.SYNCING;

		/** Whether the partition has had a watch since the start. */
		private boolean watched;

		/** Number of quarantined objects. */
		private int quarantined;

		Partition(boolean late) {
			this.late = late;
		}

		boolean is(InformerState state) {
			return this.condition == state && !(this.late && state == InformerState.SYNCING);
		}

		boolean isAsWatchedAsNeeded() {
			return this.watched || this.late || this.condition == null;
		}

	}

}
