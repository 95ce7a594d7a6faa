package dev.kubeinformer.internal.codec.pool;

import org.jspecify.annotations.Nullable;

/**
 * Hash table that holds one value at each position: a new value replaces the old one. The
 * table starts small, and grows when many values were replaced.
 * <p>
 * Not thread-safe.
 *
 * @param <V> the class of the values
 */
final class ValuePlaces<V> {

	private static final int FIRST_PLACES = 2;

	private final int most;

	private final int bytesOfAPlace;

	private final PoolBudget.Share share;

	private @Nullable Object[] values = new Object[FIRST_PLACES];

	/**
	 * Number of values that were replaced since the table last changed its size, or since
	 * the budget denied it memory.
	 */
	private int replaced;

	/**
	 * Creates an empty table.
	 * @param most the maximum number of positions, a power of two
	 * @param bytesOfAPlace the estimated bytes of a position with its value
	 * @param share the share in the memory budget
	 */
	ValuePlaces(int most, int bytesOfAPlace, PoolBudget.Share share) {
		this.most = most;
		this.bytesOfAPlace = bytesOfAPlace;
		this.share = share;
	}

	/**
	 * Returns the value at the position of a hash.
	 * @param hash the hash
	 * @return a value, which may have another hash; {@code null} if the position is empty
	 */
	@SuppressWarnings("unchecked")
	@Nullable V get(int hash) {
		return (V) this.values[place(hash)];
	}

	/**
	 * Puts a value at the position of its hash.
	 * @param hash the hash of the value
	 * @param value the value
	 * @return the value
	 */
	V put(int hash, V value) {
		if (this.values[place(hash)] != null && ++this.replaced >= this.values.length) {
			resize();
		}
		this.values[place(hash)] = value;
		return value;
	}

	private void resize() {
		int size = this.values.length;
		this.replaced = 0;
		if (this.share.isExcessive() && size > FIRST_PLACES) {
			this.values = new Object[size / 2];
			this.share.release((long) this.bytesOfAPlace * (size / 2));
		}
		else if (size < this.most && this.share.reserve((long) this.bytesOfAPlace * size)) {
			this.values = new Object[2 * size];
		}
	}

	private int place(int hash) {
		// The multiplication by the golden ratio mixes all bits of the hash into the
		// upper ones.
		return (hash * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(this.values.length) + 1);
	}

}
