package dev.kubeinformer.internal.runtime;

import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.pool.PoolBudget;

/**
 * How much the decoder of one reflector may remember to find it again. The bound is that
 * of an informer: its reflectors, one for each of its namespaces, share it out. All
 * informers together have a budget beside.
 *
 * @param strings how many strings
 * @param partBytes how many bytes of encoded parts
 * @param share what the memory is taken from
 */
public record PoolBounds(int strings, int partBytes, PoolBudget.Share share) {

	/** What is less than this finds too little to be worth the search. */
	private static final int LEAST_STRINGS = 512;

	private static final int LEAST_PART_BYTES = 64 * 1024;

	/** For who reads a list now and then, beside the informers. */
	private static final long BYTES_OF_ITS_OWN = 64 * 1024;

	/**
	 * Returns the share of one reflector.
	 * @param reflectors how many reflectors the informer has when this one starts
	 * @param share what the memory is taken from
	 * @return the share
	 */
	public static PoolBounds share(int reflectors, PoolBudget.Share share) {
		return new PoolBounds(share(KnownValues.STRINGS, reflectors, LEAST_STRINGS),
				share(PartPool.MOST_BYTES, reflectors, LEAST_PART_BYTES), share);
	}

	/**
	 * Returns bounds of a reader that is no reflector.
	 * @return bounds that need nothing of what informers share
	 */
	public static PoolBounds ofItsOwn() {
		return share(1, new PoolBudget(BYTES_OF_ITS_OWN).share());
	}

	// Pools have sizes that are powers of two, and would round up.
	private static int share(int all, int reflectors, int least) {
		return Math.max(least, Integer.highestOneBit(all / reflectors));
	}

}
