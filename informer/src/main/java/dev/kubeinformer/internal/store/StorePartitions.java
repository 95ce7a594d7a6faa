package dev.kubeinformer.internal.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tracks the epoch of each partition of a store, and which partitions hold a full state.
 * An epoch is a number, and the store accepts only writers of the current epoch. An added
 * partition gets a new epoch, and at a restart all partitions get a new one. Guarded by
 * the store's lock.
 */
final class StorePartitions {

	/** Current epoch of each partition. */
	private final Map<String, Integer> epochs = new HashMap<>();

	/** Partitions without a full state. */
	private final Set<String> unlisted = new HashSet<>();

	/**
	 * Partitions that hold a list, but not yet the objects of all shard slots of this
	 * process.
	 */
	private final Set<String> listing = new HashSet<>();

	/** Latest epoch of any partition. */
	private int youngest;

	StorePartitions(Set<String> names) {
		names.forEach((name) -> this.epochs.put(name, this.youngest));
		this.unlisted.addAll(names);
	}

	boolean contains(String partition) {
		return this.epochs.containsKey(partition);
	}

	/**
	 * Returns the current epoch of a partition.
	 * @param partition the partition
	 * @return the number of the epoch
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
	 * Returns whether an epoch is the current one of a partition.
	 * @param partition the partition
	 * @param epoch the number of the epoch
	 * @return {@code true} if the epoch is current; {@code false} also if the partition
	 * was removed
	 */
	boolean isIn(String partition, int epoch) {
		Integer present = this.epochs.get(partition);
		return present != null && present == epoch;
	}

	/**
	 * Adds a partition in an epoch that no partition has had.
	 * @param partition the partition
	 * @return {@code true} if the partition was added, {@code false} if it existed
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
		this.listing.remove(partition);
	}

	/** Begins the next epoch of every partition, without a full state. */
	void restart() {
		this.youngest++;
		this.epochs.replaceAll((partition, epoch) -> this.youngest);
		this.unlisted.addAll(this.epochs.keySet());
		this.listing.clear();
	}

	void listed(String partition) {
		this.unlisted.remove(partition);
		this.listing.remove(partition);
	}

	/**
	 * Notes that a partition holds a list, but that lists of further shard slots are
	 * awaited.
	 * @param partition the partition
	 */
	void listing(String partition) {
		if (this.unlisted.contains(partition)) {
			this.listing.add(partition);
		}
	}

	boolean isListing(String partition) {
		return this.listing.contains(partition);
	}

	Set<String> names() {
		return this.epochs.keySet();
	}

	/**
	 * Returns the partitions that hold a full state.
	 * @return the names
	 */
	Set<String> listed() {
		Set<String> listed = new HashSet<>(this.epochs.keySet());
		listed.removeAll(this.unlisted);
		return listed;
	}

	boolean isListed(String partition) {
		return contains(partition) && !this.unlisted.contains(partition);
	}

	/**
	 * Returns whether every partition holds a full state.
	 * @return {@code true} if no list is awaited any more
	 */
	boolean areAllListed() {
		return this.unlisted.isEmpty();
	}

}
