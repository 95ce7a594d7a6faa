package dev.kubeinformer;

import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;

/**
 * How much the decoder of one reflector may remember to find it again. The bound is that
 * of an informer: its reflectors, one for each of its namespaces, share it out.
 *
 * @param strings how many strings
 * @param partBytes how many bytes of encoded parts
 */
record PoolBounds(int strings, int partBytes) {

	/** What is less than this finds too little to be worth the search. */
	private static final int LEAST_STRINGS = 512;

	private static final int LEAST_PART_BYTES = 64 * 1024;

	/**
	 * Returns the share of one reflector.
	 * @param reflectors how many reflectors the informer has when this one starts
	 * @return the share
	 */
	static PoolBounds share(int reflectors) {
		return new PoolBounds(share(KnownValues.STRINGS, reflectors, LEAST_STRINGS),
				share(PartPool.MOST_BYTES, reflectors, LEAST_PART_BYTES));
	}

	// Pools have sizes that are powers of two, and would round up.
	private static int share(int all, int reflectors, int least) {
		return Math.max(least, Integer.highestOneBit(all / reflectors));
	}

}
