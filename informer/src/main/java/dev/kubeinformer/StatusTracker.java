package dev.kubeinformer;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.reflector.Condition;
import dev.kubeinformer.reflector.Failure;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.store.StoreSnapshot;

/**
 * What is known of the state of one informer, of all its namespaces together. It logs one
 * line for each change, and repeated failures once.
 */
final class StatusTracker {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	private final String id;

	private final ResourceType<?> type;

	private final Clock clock;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, Condition> conditions = new TreeMap<>();

	private final Map<String, Integer> quarantined = new TreeMap<>();

	/** Namespaces that were added after the sync, which they do not undo. */
	private final Set<String> late = new HashSet<>();

	private InformerState state = InformerState.NEW;

	private Instant since;

	private @Nullable Instant syncedAt;

	private boolean everSynced;

	private @Nullable InformerError lastError;

	/** What was logged since the informer was last as it should be. */
	private final Set<String> logged = new HashSet<>();

	private long lists;

	private long regressions;

	private volatile @Nullable Instant lastEventAt;

	StatusTracker(String id, ResourceType<?> type, Clock clock) {
		this.id = id;
		this.type = type;
		this.clock = clock;
		this.since = clock.instant();
	}

	void started(Set<String> partitions) {
		this.lock.lock();
		try {
			this.conditions.clear();
			this.quarantined.clear();
			this.late.clear();
			partitions.forEach((partition) -> this.conditions.put(partition, Condition.SYNCING));
			this.syncedAt = null;
			this.lists = 0;
			this.regressions = 0;
			this.lastError = null;
			this.logged.clear();
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
			this.logged.clear();
			logger.info("Informer '{}' is LIVE: {} objects at resourceVersion {}", this.id, snapshot.size(),
					snapshot.resourceVersion());
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
		if (next != this.state) {
			this.state = next;
			this.since = this.clock.instant();
		}
	}

	void failed(String verb, Failure failure, @Nullable String next) {
		Integer code = (failure.status() != null) ? Integer.valueOf(failure.status().code()) : null;
		InformerError error = new InformerError(this.clock.instant(), verb, this.type.name(), code, failure.reason(),
				failure.message());
		this.lock.lock();
		try {
			this.lastError = error;
			// One line for an outage, however the connections of it end.
			String signature = (code != null) ? "HTTP " + code : failure.kind().name().replace("REFUSED", "IO");
			if (!this.logged.add(signature)) {
				logger.debug("Informer '{}' cannot {} {} again: {}", this.id, verb, this.type.name(),
						failure.message());
				return;
			}
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

	void listed() {
		this.lock.lock();
		try {
			this.lists++;
		}
		finally {
			this.lock.unlock();
		}
	}

	void regressed(String resourceVersion, String newestSeen) {
		this.lock.lock();
		try {
			this.regressions++;
			if (this.logged.add("regression")) {
				logger.warn(
						"Informer '{}': the API server showed resourceVersion {} after {}; it may have been restored "
								+ "from a backup, and the most recent state is asked for",
						this.id, resourceVersion, newestSeen);
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
				this.syncedAt = this.clock.instant();
			}
			this.everSynced = true;
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
		this.lastEventAt = this.clock.instant();
	}

	Instant now() {
		return this.clock.instant();
	}

	InformerStatus status(StoreSnapshot<?> snapshot, boolean synced) {
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
			return new InformerStatus(this.state, this.since, synced, this.syncedAt, snapshot.resourceVersion(),
					snapshot.size(), this.lastEventAt, unreadable, this.lists, this.regressions, this.lastError,
					List.copyOf(missing), this.everSynced);
		}
		finally {
			this.lock.unlock();
		}
	}

}
