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

import dev.kubeinformer.codec.Encoding;
import dev.kubeinformer.reflector.Condition;
import dev.kubeinformer.reflector.Failure;
import dev.kubeinformer.resource.PrintableText;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.store.StoreSnapshot;

/**
 * What is known of the state of one informer, of all its namespaces together. It logs one
 * line for each change, and repeated failures once. What listeners are to be told of it
 * is noted in its order.
 */
final class StatusTracker {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	/** How long a watch must live to be a watch that works. */
	private static final Duration PROBATION = Duration.ofSeconds(1);

	/** How long all must have been well before failures are logged again. */
	private static final Duration STEADY = Duration.ofMinutes(2);

	/** What a server says of an internal error is looked at by people only. */
	private static final int LONGEST_STATUS = 4_000;

	private final String id;

	private final ResourceType<?> type;

	private final InformerRuntime.Clocks clocks;

	private final InformerNotices notices;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, Condition> conditions = new TreeMap<>();

	private final Map<String, Integer> quarantined = new TreeMap<>();

	/** Namespaces that were added after the sync, which they do not undo. */
	private final Set<String> late = new HashSet<>();

	private InformerState state = InformerState.NEW;

	private Instant since;

	private @Nullable Instant syncedAt;

	/** Since when a cache that was filled has had no watch that proved to work. */
	private @Nullable Instant staleSince;

	private @Nullable Instant listedAt;

	private boolean everSynced;

	private @Nullable InformerError lastError;

	/** What was logged since the informer was last as it should be. */
	private final Set<String> logged = new HashSet<>();

	/** Whether something was logged of which the end is to be logged too. */
	private boolean told = true;

	private int untold;

	private final Map<ListReason, Long> lists = new EnumMap<>(ListReason.class);

	private final Map<WatchEndReason, Long> watchRestarts = new EnumMap<>(WatchEndReason.class);

	/** When the informer was started, in nanoseconds. */
	private long startedAt;

	private long regressions;

	private volatile @Nullable Instant lastEventAt;

	StatusTracker(String id, ResourceType<?> type, InformerRuntime.Clocks clocks, InformerNotices notices) {
		this.id = id;
		this.type = type;
		this.clocks = clocks;
		this.notices = notices;
		this.since = now();
	}

	void started(Set<String> partitions) {
		this.lock.lock();
		try {
			this.conditions.clear();
			this.quarantined.clear();
			this.late.clear();
			partitions.forEach((partition) -> this.conditions.put(partition, Condition.SYNCING));
			this.syncedAt = null;
			this.startedAt = this.clocks.nanoTime().getAsLong();
			this.lists.clear();
			this.watchRestarts.clear();
			this.regressions = 0;
			this.lastError = null;
			this.logged.clear();
			this.untold = 0;
			this.told = true;
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
			this.conditions.put(namespace, Condition.SYNCING);
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
			if (this.conditions.remove(namespace) != null) {
				changeToCombined(snapshot);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void condition(String partition, Condition condition, StoreSnapshot<?> snapshot) {
		this.lock.lock();
		try {
			if (this.conditions.replace(partition, condition) != null) {
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
			// the end of what was told, or of nothing that anybody knows of
			logger.atLevel(this.told ? Level.INFO : Level.DEBUG)
				.log("Informer '{}' is LIVE: {} objects at resourceVersion {}", this.id, snapshot.size(),
						PrintableText.of(snapshot.resourceVersion()));
			this.told = false;
		}
	}

	private InformerState combined() {
		Set<Condition> present = EnumSet.noneOf(Condition.class);
		this.conditions.forEach((partition, condition) -> {
			if (condition != Condition.SYNCING || !this.late.contains(partition)) {
				present.add(condition);
			}
		});
		for (Condition worst : List.of(Condition.FORBIDDEN, Condition.NOT_FOUND, Condition.SYNCING, Condition.STALE)) {
			if (present.contains(worst)) {
				return InformerState.valueOf(worst.name());
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
		Integer code = (failure.status() != null) ? Integer.valueOf(failure.status().code()) : null;
		InformerError error = new InformerError(now(), verb, this.type.name(), code, failure.reason(),
				failure.message());
		if (failure.status() != null) {
			logger.debug("Informer '{}': the API server answered with {}", this.id,
					PrintableText.of(failure.status().toString(), LONGEST_STATUS));
		}
		this.lock.lock();
		try {
			this.lastError = error;
			this.notices.add((listener, informer) -> listener.requestFailed(informer, error, duration));
			forgetOldFailures();
			// One line for an outage, however the connections of it end.
			String signature = (code != null) ? "HTTP " + code : failure.kind().name().replace("REFUSED", "IO");
			if (!this.logged.add(signature)) {
				logger.debug("Informer '{}' cannot {} {} again: {}", this.id, verb, this.type.name(),
						failure.message());
				this.untold++;
				return;
			}
			this.told = true;
			if (code != null && code == 410) {
				logger.info("Informer '{}': its resourceVersion has expired at the API server; it lists again",
						this.id);
			}
			else {
				logger.warn("Informer '{}' cannot {} {}: {}{}; it will {}", this.id, verb, this.type.name(),
						(code != null) ? "HTTP " + code + ": " : "", failure.message(), next);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What was told is told again once the watch was well for a while. Where each
	 * connection is cut after a minute, that is what is usual.
	 */
	private void forgetOldFailures() {
		if (this.state != InformerState.LIVE || now().isBefore(this.since.plus(STEADY))) {
			return;
		}
		this.logged.clear();
		if (this.untold > 0) {
			logger.info("Informer '{}': {} more failures like those before were not told", this.id, this.untold);
			this.untold = 0;
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

	void watchStarted() {
		this.notices.add(InformerListener::watchStarted);
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
			if (this.logged.add("regression")) {
				logger.warn(
						"Informer '{}': the API server showed resourceVersion {} after {}; it may have been restored "
								+ "from a backup, and the most recent state is asked for",
						this.id, PrintableText.of(resourceVersion), PrintableText.of(newestSeen));
			}
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
		}
		finally {
			this.lock.unlock();
		}
	}

	void quarantined(String partition, int count, @Nullable InformerError error) {
		this.lock.lock();
		try {
			if (this.conditions.containsKey(partition)) {
				this.quarantined.put(partition, count);
			}
			if (error != null) {
				this.lastError = error;
				logger.warn("Informer '{}': {}", this.id, error.message());
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

	InformerStatus status(StoreSnapshot<?> snapshot, boolean synced, @Nullable Encoding encoding) {
		this.lock.lock();
		try {
			List<RequiredRbac> missing = new ArrayList<>();
			this.conditions.forEach((partition, condition) -> {
				if (condition == Condition.FORBIDDEN) {
					missing.add(new RequiredRbac(this.type.group(), this.type.plural(), List.of("list", "watch"),
							partition.isEmpty() ? null : partition));
				}
			});
			int unreadable = this.quarantined.values().stream().mapToInt(Integer::intValue).sum();
			boolean current = this.state == InformerState.LIVE && isProven(now());
			return new InformerStatus(this.state, this.since, current ? null : this.staleSince, synced, this.syncedAt,
					snapshot.resourceVersion(), snapshot.size(), this.lastEventAt, unreadable,
					this.lists.values().stream().mapToLong(Long::longValue).sum(), this.regressions, this.lastError,
					List.copyOf(missing), this.everSynced, Collections.unmodifiableMap(new EnumMap<>(this.lists)),
					Collections.unmodifiableMap(new EnumMap<>(this.watchRestarts)),
					(encoding != null) ? WireEncoding.valueOf(encoding.name()) : null);
		}
		finally {
			this.lock.unlock();
		}
	}

}
