package dev.kubeinformer.internal.codec.pool;

import org.jspecify.annotations.Nullable;

/**
 * Table of values by hash, in which each place holds the newest of those that belong
 * there. It begins small, and is larger the more values it has to replace.
 * <p>
 * It is not thread-safe.
 *
 * @param <V> the class of the values
 */
final class ValuePlaces<V> {

	private static final int FIRST_PLACES = 2;

	private final int most;

	private final int bytesOfAPlace;

	private final PoolBudget.Share share;

	private @Nullable Object[] values = new Object[FIRST_PLACES];

	/** How many values were replaced since the table had its size, or was refused one. */
	private int replaced;

	/**
	 * Creates an empty table.
	 * @param most how many places there are at most, a power of two
	 * @param bytesOfAPlace how many bytes a place and its value take
	 * @param share what it takes its memory from
	 */
	ValuePlaces(int most, int bytesOfAPlace, PoolBudget.Share share) {
		this.most = most;
		this.bytesOfAPlace = bytesOfAPlace;
		this.share = share;
	}

	/**
	 * Returns what is in the place of a hash.
	 * @param hash the hash
	 * @return a value of this hash or another one; {@code null} if there is none
	 */
	@SuppressWarnings("unchecked")
	@Nullable V get(int hash) {
		return (V) this.values[place(hash)];
	}

	/**
	 * Puts a value into its place.
	 * @param hash its hash
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
		// Multiplied by the golden ratio, all bits of the hash are in the upper ones.
		return (hash * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(this.values.length) + 1);
	}

}
