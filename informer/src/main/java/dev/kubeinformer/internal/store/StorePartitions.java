package dev.kubeinformer.internal.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Partitions of a store: which life each of them is in, and which of them hold a full
 * state. Guarded by the store's lock.
 */
final class StorePartitions {

	/** The present life of each partition. */
	private final Map<String, Integer> epochs = new HashMap<>();

	/** The partitions without a full state. */
	private final Set<String> unlisted = new HashSet<>();

	/** The youngest life of any partition. */
	private int youngest;

	StorePartitions(Set<String> names) {
		names.forEach((name) -> this.epochs.put(name, this.youngest));
		this.unlisted.addAll(names);
	}

	boolean contains(String partition) {
		return this.epochs.containsKey(partition);
	}

	/**
	 * Returns the present life of a partition.
	 * @param partition the partition
	 * @return the number of its life
	 * @throws IllegalArgumentException if there is no such partition
	 */
	int epoch(String partition) {
		Integer epoch = this.epochs.get(partition);
		if (epoch == null) {
			throw new IllegalArgumentException("There is no partition '%s'".formatted(partition));
		}
		return epoch;
	}

	/**
	 * Returns whether a partition is still in a life.
	 * @param partition the partition
	 * @param epoch the number of the life
	 * @return {@code false} also if there is no such partition any more
	 */
	boolean isIn(String partition, int epoch) {
		Integer present = this.epochs.get(partition);
		return present != null && present == epoch;
	}

	/**
	 * Adds a partition, in a life that no other has had.
	 * @param partition the partition
	 * @return whether it was not there
	 */
	boolean add(String partition) {
		if (contains(partition)) {
			return false;
		}
		this.epochs.put(partition, ++this.youngest);
		this.unlisted.add(partition);
		return true;
	}

	void remove(String partition) {
		this.epochs.remove(partition);
		this.unlisted.remove(partition);
	}

	/**
	 * Begins the next life of every partition: none holds a full state any more.
	 */
	void restart() {
		this.youngest++;
		this.epochs.replaceAll((partition, epoch) -> this.youngest);
		this.unlisted.addAll(this.epochs.keySet());
	}

	void listed(String partition) {
		this.unlisted.remove(partition);
	}

	boolean isListed(String partition) {
		return contains(partition) && !this.unlisted.contains(partition);
	}

	/**
	 * Returns whether every partition holds a full state.
	 * @return whether no list is awaited any more
	 */
	boolean areAllListed() {
		return this.unlisted.isEmpty();
	}

}
