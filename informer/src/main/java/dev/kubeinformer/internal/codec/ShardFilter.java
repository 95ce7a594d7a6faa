package dev.kubeinformer.internal.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

import dev.kubeinformer.internal.text.TextBytes;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * Distinguishes the objects of a shard, or of several slots, from all other objects. It
 * reads the bytes of the response, so objects that do not belong to the shard or slots
 * need not be decoded. If the identity cannot be read from the bytes, the object is
 * decoded first. Immutable and safe for use by several threads.
 */
public final class ShardFilter {

	/**
	 * Maximum number of ranges in a selector. The selector is part of the URL: 32 ranges
	 * have 3.5 KB, and proxies reject URLs of 8 KB or more. If there are more ranges, the
	 * closest ones are joined. This filter then drops the objects between them.
	 */
	static final int MOST_RANGES = 32;

	private static final String OR = " || ";

	private final ShardKey key;

	/** Lowest hash of each range, unsigned, in ascending order. */
	private final long[] first;

	/** Highest hash of each range, unsigned. */
	private final long[] last;

	private final String selector;

	/**
	 * Creates a filter of one range.
	 * @param key the property that is hashed
	 * @param first the lowest hash of the range, unsigned
	 * @param last the highest hash of the range, unsigned
	 * @param selector the value of {@code shardSelector} (KEP-5866)
	 */
	ShardFilter(ShardKey key, long first, long last, String selector) {
		this(key, new long[] { first }, new long[] { last }, selector);
	}

	private ShardFilter(ShardKey key, long[] first, long[] last, String selector) {
		this.key = key;
		this.first = first;
		this.last = last;
		this.selector = selector;
	}

	/**
	 * Returns the filter of a shard.
	 * @param shard the shard
	 * @return the filter
	 */
	public static ShardFilter of(Shard shard) {
		return new ShardFilter(shard.key(), shard.firstHash(), shard.lastHash(), shard.selector());
	}

	/**
	 * Returns the filter of slots.
	 * @param division the division into slots
	 * @param slots the indexes of the slots
	 * @return the filter
	 */
	public static ShardFilter of(Slots division, Collection<Integer> slots) {
		List<Integer> sorted = List.copyOf(new TreeSet<>(slots));
		List<int[]> runs = new ArrayList<>();
		for (int slot : sorted) {
			int[] run = runs.isEmpty() ? null : runs.get(runs.size() - 1);
			if (run != null && run[1] + 1 == slot) {
				run[1] = slot;
			}
			else {
				runs.add(new int[] { slot, slot });
			}
		}
		long[] first = runs.stream().mapToLong((run) -> division.slot(run[0]).firstHash()).toArray();
		long[] last = runs.stream().mapToLong((run) -> division.slot(run[1]).lastHash()).toArray();
		return new ShardFilter(division.key(), first, last, selector(division, runs));
	}

	private static String selector(Slots division, List<int[]> runs) {
		List<int[]> asked = new ArrayList<>(runs);
		while (asked.size() > MOST_RANGES) {
			joinClosest(asked);
		}
		return String.join(OR, asked.stream().map((run) -> division.selector(run[0], run[1])).toList());
	}

	private static void joinClosest(List<int[]> runs) {
		int closest = 0;
		for (int i = 1; i + 1 < runs.size(); i++) {
			closest = (gap(runs, i) < gap(runs, closest)) ? i : closest;
		}
		int[] joined = { runs.get(closest)[0], runs.get(closest + 1)[1] };
		runs.set(closest, joined);
		runs.remove(closest + 1);
	}

	private static int gap(List<int[]> runs, int index) {
		return runs.get(index + 1)[0] - runs.get(index)[1];
	}

	/**
	 * Returns the value of the parameter {@code shardSelector} (KEP-5866). If ranges were
	 * joined, it also selects some objects that do not pass this filter.
	 * @return the selector in the API server's canonical form; empty if no object passes
	 * the filter
	 */
	public String selector() {
		return this.selector;
	}

	/**
	 * Returns whether the identity of an object shows that the object belongs to another
	 * shard.
	 * @param identity the identity, which is empty if it could not be read from the bytes
	 * @return {@code true} if the object belongs to another shard; {@code false} also if
	 * its shard is unknown
	 */
	public boolean isForeign(ObjectIdentity identity) {
		TextBytes text = (this.key == ShardKey.UID) ? identity.uid() : identity.namespace();
		if (identity.name().isEmpty() || (text.isEmpty() && this.key == ShardKey.UID)) {
			return false;
		}
		return !contains(text.fnv1a());
	}

	/**
	 * Returns whether a decoded object belongs to another shard. An unreadable object
	 * without an identity does not count as foreign.
	 * @param object the object
	 * @return {@code true} if the object belongs to another shard
	 */
	public boolean isForeign(DecodedObject<?> object) {
		ObjectMetadata metadata = object.metadata();
		String text = (this.key == ShardKey.UID) ? metadata.uid() : metadata.namespace();
		boolean unknown = !metadata.hasName() || (text.isEmpty() && this.key == ShardKey.UID);
		if (object.object() == null && unknown) {
			return false;
		}
		return !contains(Shard.hash(text));
	}

	boolean contains(long hash) {
		for (int i = 0; i < this.first.length && Long.compareUnsigned(hash, this.first[i]) >= 0; i++) {
			if (Long.compareUnsigned(hash, this.last[i]) <= 0) {
				return true;
			}
		}
		return false;
	}

	@Override
	public boolean equals(Object other) {
		return this == other || (other instanceof ShardFilter that && this.key == that.key
				&& Arrays.equals(this.first, that.first) && Arrays.equals(this.last, that.last));
	}

	@Override
	public int hashCode() {
		return 31 * this.key.hashCode() + Arrays.hashCode(this.first);
	}

	@Override
	public String toString() {
		return this.selector;
	}

}
