package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
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

import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.transport.Failure;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WireEncoding;

/**
 * What is known of the state of one informer, of all its namespaces together. What
 * listeners are to be told of it is noted in its order.
 */
final class StatusTracker {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	/** How long a watch must live to be a watch that works. */
	private static final Duration PROBATION = Duration.ofSeconds(1);

	/** What a server says of an internal error is looked at by people only. */
	private static final int LONGEST_STATUS = 4_000;

	private final String id;

	private final ResourceType<?> type;

	/** The only object that is read; empty for all. */
	private final List<String> names;

	private final InformerRuntime.Clocks clocks;

	private final InformerNotices notices;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, InformerState> conditions = new TreeMap<>();

	private final Map<String, Integer> quarantined = new TreeMap<>();

	/** Namespaces that were added after the sync, which they do not undo. */
	private final Set<String> late = new HashSet<>();

	/** Namespaces that had a watch since the start. */
	private final Set<String> watched = new HashSet<>();

	private InformerState state = InformerState.NEW;

	private Instant since;

	private @Nullable Instant syncedAt;

	private @Nullable Instant watchedAt;

	/** Since when a cache that was filled has had no watch that proved to work. */
	private @Nullable Instant staleSince;

	private @Nullable Instant listedAt;

	private boolean everSynced;

	private boolean everWatched;

	private @Nullable InformerError lastError;

	private final OutageLog outages;

	private final Map<ListReason, Long> lists = new EnumMap<>(ListReason.class);

	private final Map<WatchEndReason, Long> watchRestarts = new EnumMap<>(WatchEndReason.class);

	/** When the informer was started, in nanoseconds. */
	private long startedAt;

	private long regressions;

	private volatile @Nullable Instant lastEventAt;

	StatusTracker(InformerSpec<?> spec, InformerRuntime.Clocks clocks, InformerNotices notices) {
		this.id = spec.id();
		this.type = spec.type();
		String name = spec.objectName();
		this.names = (name != null) ? List.of(name) : List.of();
		this.clocks = clocks;
		this.notices = notices;
		this.outages = new OutageLog(spec.id(), spec.type());
		this.since = now();
	}

	void started(Set<String> partitions) {
		this.lock.lock();
		try {
			this.conditions.clear();
			this.quarantined.clear();
			this.late.clear();
			partitions.forEach((partition) -> this.conditions.put(partition, InformerState.SYNCING));
			this.syncedAt = null;
			this.startedAt = this.clocks.nanoTime().getAsLong();
			this.lists.clear();
			this.watchRestarts.clear();
			this.regressions = 0;
			this.lastError = null;
			this.outages.started();
			this.watched.clear();
			this.watchedAt = null;
			this.listedAt = null;
			change(InformerState.SYNCING);
		}
		finally {
			this.lock.unlock();
		}
	}

	void stopped() {
		this.lock.lock();
		try {
			this.conditions.clear();
			change(InformerState.STOPPED);
		}
		finally {
			this.lock.unlock();
		}
	}

	void namespaceAdded(String namespace) {
		this.lock.lock();
		try {
			if (this.syncedAt != null) {
				this.late.add(namespace);
			}
			this.conditions.put(namespace, InformerState.SYNCING);
			change(combined());
		}
		finally {
			this.lock.unlock();
		}
	}

	void namespaceRemoved(String namespace, StoreSnapshot<?> snapshot) {
		this.lock.lock();
		try {
			this.quarantined.remove(namespace);
			this.watched.remove(namespace);
			if (this.conditions.remove(namespace) != null) {
				changeToCombined(snapshot);
				judgeWatches();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void condition(String partition, InformerState condition, StoreSnapshot<?> snapshot) {
		this.lock.lock();
		try {
			if (this.conditions.replace(partition, condition) != null) {
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
		if (this.conditions.containsKey(partition)) {
			this.watched.add(partition);
			judgeWatches();
		}
	}

	private void judgeWatches() {
		boolean all = this.conditions.keySet()
			.stream()
			.allMatch((partition) -> this.watched.contains(partition) || this.late.contains(partition));
		if (this.watchedAt == null && this.syncedAt != null && all) {
			this.watchedAt = now();
			this.everWatched = true;
		}
	}

	private InformerState combined() {
		Set<InformerState> present = EnumSet.noneOf(InformerState.class);
		this.conditions.forEach((partition, condition) -> {
			if (condition != InformerState.SYNCING || !this.late.contains(partition)) {
				present.add(condition);
			}
		});
		for (InformerState worst : List.of(InformerState.FORBIDDEN, InformerState.NOT_FOUND, InformerState.SYNCING,
				InformerState.STALE)) {
			if (present.contains(worst)) {
				return worst;
			}
		}
		return InformerState.LIVE;
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
	 * Whether the watch has shown that it works. One that was opened and told nothing may
	 * be that of a server which ends each of them.
	 * @param now the time
	 * @return whether it brought something, lives, or followed a list
	 */
	private boolean isProven(Instant now) {
		return !now.isBefore(this.since.plus(PROBATION)) || isFrom(this.lastEventAt, this.since)
				|| isFrom(this.listedAt, Objects.requireNonNullElse(this.staleSince, this.since));
	}

	private static boolean isFrom(@Nullable Instant instant, Instant since) {
		return instant != null && !instant.isBefore(since);
	}

	void failed(String verb, Failure failure, @Nullable String next, Duration duration) {
		InformerError error = new InformerError(now(), verb, this.type.name(), failure.problem(), failure.httpStatus(),
				failure.reason(), this.outages.message(failure));
		if (failure.status() != null) {
			logger.debug("Informer '{}': the API server answered with {}", this.id,
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

	void listed(ListReason reason, int objects, Duration duration) {
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

	void watchStarted(String partition) {
		this.lock.lock();
		try {
			opened(partition);
			this.notices.add(InformerListener::watchStarted);
		}
		finally {
			this.lock.unlock();
		}
	}

	void watchEnded(WatchEndReason reason, Duration lived) {
		this.lock.lock();
		try {
			this.watchRestarts.merge(reason, 1L, Long::sum);
			this.notices.add((listener, informer) -> listener.watchEnded(informer, reason, lived));
		}
		finally {
			this.lock.unlock();
		}
	}

	void fellBack(String why) {
		logger.info("Informer '{}': {}; JSON is asked for from now on", this.id, why);
	}

	void regressed(String resourceVersion, String newestSeen) {
		this.lock.lock();
		try {
			this.regressions++;
			this.outages.regressed(resourceVersion, newestSeen);
		}
		finally {
			this.lock.unlock();
		}
	}

	void synced() {
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

	/**
	 * Whether rights or definitions are missing for some namespaces, which keeps the
	 * informer from being live.
	 * @return whether they are
	 */
	private boolean isDeniedInPart() {
		return this.conditions.size() > 1 && (this.conditions.containsValue(InformerState.FORBIDDEN)
				|| this.conditions.containsValue(InformerState.NOT_FOUND));
	}

	void quarantined(String partition, int count, @Nullable InformerError error, boolean known) {
		this.lock.lock();
		try {
			if (this.conditions.containsKey(partition)) {
				this.quarantined.put(partition, count);
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

	void alive() {
		this.lastEventAt = now();
	}

	Instant now() {
		return this.clocks.wall().instant();
	}

	InformerStatus status(StoreSnapshot<?> snapshot, boolean synced, @Nullable WireEncoding encoding) {
		this.lock.lock();
		try {
			List<RequiredRbac> missing = new ArrayList<>();
			this.conditions.forEach((partition, condition) -> {
				if (condition == InformerState.FORBIDDEN) {
					missing.add(new RequiredRbac(this.type.group(), this.type.plural(), this.names,
							List.of("list", "watch"), partition.isEmpty() ? null : partition));
				}
			});
			int unreadable = this.quarantined.values().stream().mapToInt(Integer::intValue).sum();
			boolean current = this.state == InformerState.LIVE && isProven(now());
			return new InformerStatus(this.state, this.since, current ? null : this.staleSince, synced, this.syncedAt,
					this.watchedAt, snapshot.resourceVersion(), snapshot.size(), this.lastEventAt, unreadable,
					this.lists.values().stream().mapToLong(Long::longValue).sum(), this.regressions, this.lastError,
					List.copyOf(missing), this.everSynced, this.everWatched,
					Collections.unmodifiableMap(new EnumMap<>(this.lists)),
					Collections.unmodifiableMap(new EnumMap<>(this.watchRestarts)), encoding);
		}
		finally {
			this.lock.unlock();
		}
	}

}
