package dev.kubeinformer.internal.status;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.kubeinformer.types.InformerState;

/**
 * The conditions of the partitions of one informer, and the state that they add up to.
 * Not safe for use by several threads.
 */
final class PartitionConditions {

	private static final List<InformerState> WORST_FIRST = List.of(InformerState.FORBIDDEN, InformerState.NOT_FOUND,
			InformerState.SYNCING, InformerState.STALE);

	private final Map<String, InformerState> conditions = new TreeMap<>();

	private final Map<String, Integer> quarantined = new TreeMap<>();

	/** Namespaces that were added after the sync, which they do not undo. */
	private final Set<String> late = new HashSet<>();

	/** Partitions that had a watch since the start. */
	private final Set<String> watched = new HashSet<>();

	/**
	 * Begins anew, with partitions that sync.
	 * @param partitions the partitions
	 */
	void started(Set<String> partitions) {
		this.conditions.clear();
		this.quarantined.clear();
		this.late.clear();
		this.watched.clear();
		partitions.forEach((partition) -> this.conditions.put(partition, InformerState.SYNCING));
	}

	/**
	 * Ends all conditions. What is quarantined stays known until the next start.
	 */
	void stopped() {
		this.conditions.clear();
	}

	void add(String partition, boolean afterSync) {
		if (afterSync) {
			this.late.add(partition);
		}
		this.conditions.put(partition, InformerState.SYNCING);
	}

	/**
	 * Removes a partition.
	 * @param partition the partition
	 * @return whether it had a condition
	 */
	boolean remove(String partition) {
		this.quarantined.remove(partition);
		this.watched.remove(partition);
		this.late.remove(partition);
		return this.conditions.remove(partition) != null;
	}

	/**
	 * Returns the number of facts that are known of partitions.
	 * @return the number
	 */
	int size() {
		return this.conditions.size() + this.quarantined.size() + this.late.size() + this.watched.size();
	}

	/**
	 * Sets the condition of a partition, unless it was removed.
	 * @param partition the partition
	 * @param condition the condition
	 * @return whether it was set
	 */
	boolean set(String partition, InformerState condition) {
		return this.conditions.replace(partition, condition) != null;
	}

	/**
	 * Notes that a partition has a watch, unless it was removed.
	 * @param partition the partition
	 * @return whether it was noted
	 */
	boolean watched(String partition) {
		boolean known = this.conditions.containsKey(partition);
		if (known) {
			this.watched.add(partition);
		}
		return known;
	}

	/**
	 * Returns whether each partition that the sync waited for had a watch since the
	 * start.
	 * @return whether all of them had
	 */
	boolean isEachWatched() {
		return this.conditions.keySet()
			.stream()
			.allMatch((partition) -> this.watched.contains(partition) || this.late.contains(partition));
	}

	/**
	 * Returns the state of the informer: the worst condition of a partition, where late
	 * ones that sync do not count.
	 * @return the state
	 */
	InformerState combined() {
		Set<InformerState> present = EnumSet.noneOf(InformerState.class);
		this.conditions.forEach((partition, condition) -> {
			if (condition != InformerState.SYNCING || !this.late.contains(partition)) {
				present.add(condition);
			}
		});
		return WORST_FIRST.stream().filter(present::contains).findFirst().orElse(InformerState.LIVE);
	}

	/**
	 * Returns whether rights or definitions are missing for some namespaces, which keeps
	 * the informer from being live.
	 * @return whether they are
	 */
	boolean isDeniedInPart() {
		return this.conditions.size() > 1 && (this.conditions.containsValue(InformerState.FORBIDDEN)
				|| this.conditions.containsValue(InformerState.NOT_FOUND));
	}

	List<String> forbidden() {
		return this.conditions.keySet()
			.stream()
			.filter((partition) -> this.conditions.get(partition) == InformerState.FORBIDDEN)
			.toList();
	}

	/**
	 * Sets the number of quarantined objects of a partition, unless it was removed.
	 * @param partition the partition
	 * @param count the number
	 */
	void quarantined(String partition, int count) {
		if (this.conditions.containsKey(partition)) {
			this.quarantined.put(partition, count);
		}
	}

	int quarantined() {
		return this.quarantined.values().stream().mapToInt(Integer::intValue).sum();
	}

}
