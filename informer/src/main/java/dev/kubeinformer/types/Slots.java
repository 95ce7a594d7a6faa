package dev.kubeinformer.types;

import java.util.Locale;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Fixed division of a resource's objects into slots, which move between the replicas of
 * an application. A slot is a {@link Shard}: a range of the hash of a UID or namespace.
 * The number of slots never changes during the life of an application. Immutable and
 * comparable by value.
 *
 * @param key the hashed part of the metadata
 * @param total the number of slots
 */
public record Slots(ShardKey key, int total) {

	/** Highest number of slots. */
	private static final int MOST = 1024;

	/**
	 * Creates a division.
	 * @param key the hashed part of the metadata
	 * @param total the number of slots
	 * @throws IllegalArgumentException if the number is not between 1 and 1024
	 */
	public Slots {
		Objects.requireNonNull(key, "The key of the slots is null");
		if (total < 1 || total > MOST) {
			throw new IllegalArgumentException(
					"Invalid number of slots '%d': use 1 to %d, for example 64".formatted(total, MOST));
		}
	}

	/**
	 * Returns the slot of an object.
	 * @param namespace its namespace; {@code null} or empty for a cluster-scoped object
	 * @param uid its UID; {@code null} counts as empty
	 * @return the index of the slot, from 0
	 */
	public int slotOf(@Nullable String namespace, @Nullable String uid) {
		String text = (this.key == ShardKey.UID) ? uid : namespace;
		return slotOfHash(Shard.hash((text != null) ? text : ""));
	}

	/**
	 * Returns the slot of a hash.
	 * @param hash the hash, unsigned
	 * @return the index of the slot, from 0
	 * @see Shard#hash(String)
	 */
	public int slotOfHash(long hash) {
		// High half of the unsigned product. It may be one slot too low, because the
		// bounds of slots are rounded down.
		int slot = (int) Math.multiplyHigh(hash, this.total) + ((hash < 0) ? this.total : 0);
		return (slot + 1 < this.total && Long.compareUnsigned(hash, slot(slot + 1).firstHash()) >= 0) ? slot + 1 : slot;
	}

	/**
	 * Returns one slot as a shard.
	 * @param index the index of the slot, from 0
	 * @return the shard
	 * @throws IllegalArgumentException if the index is not below the number of slots
	 */
	public Shard slot(int index) {
		return new Shard(this.key, index, this.total);
	}

	/**
	 * Returns the selector that requests a range of slots from the API server.
	 * @param first the index of the first slot
	 * @param last the index of the last slot, which is not below the first
	 * @return the selector in the API server's canonical form
	 * @see Shard#selector()
	 */
	public String selector(int first, int last) {
		return slot(first).selector(slot(last));
	}

	/**
	 * Returns a readable form of the division.
	 * @return number and key, such as {@code 64 by uid}
	 */
	@Override
	public String toString() {
		return "%d by %s".formatted(this.total, this.key.name().toLowerCase(Locale.ROOT));
	}

}
