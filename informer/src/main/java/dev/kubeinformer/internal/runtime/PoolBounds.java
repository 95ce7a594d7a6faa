package dev.kubeinformer.internal.runtime;

import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.pool.PoolBudget;

/**
 * Bounds for the pools of one reflector's decoder. Each informer has one bound, which its
 * reflectors, one per namespace, divide among them. All informers together also have a
 * budget.
 *
 * @param strings the maximum number of strings
 * @param partBytes the maximum number of bytes of encoded parts
 * @param share the share in the memory budget
 */
public record PoolBounds(int strings, int partBytes, PoolBudget.Share share) {

	/** Minimum size of a pool; smaller pools do not pay for their lookups. */
	private static final int LEAST_STRINGS = 512;

	private static final int LEAST_PART_BYTES = 64 * 1024;

	/** Budget of readers that are not reflectors, such as cache probes. */
	private static final long BYTES_OF_ITS_OWN = 64 * 1024;

	/**
	 * Returns the share of one reflector.
	 * @param reflectors the number of the informer's reflectors when this one starts
	 * @param share the share in the memory budget
	 * @return the bounds
	 */
	public static PoolBounds share(int reflectors, PoolBudget.Share share) {
		return new PoolBounds(share(KnownValues.STRINGS, reflectors, LEAST_STRINGS),
				share(PartPool.MOST_BYTES, reflectors, LEAST_PART_BYTES), share);
	}

	/**
	 * Returns the bounds of a reader that is not a reflector.
	 * @return bounds outside the shared budget
	 */
	public static PoolBounds ofItsOwn() {
		return share(1, new PoolBudget(BYTES_OF_ITS_OWN).share());
	}

	// Round down to a power of two, because pools would round up.
	private static int share(int all, int reflectors, int least) {
		return Math.max(least, Integer.highestOneBit(all / reflectors));
	}

}
