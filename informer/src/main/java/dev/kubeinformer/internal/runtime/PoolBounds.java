package dev.kubeinformer.internal.runtime;

import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.pool.PoolBudget;

/**
 * Limits for the pools of one reflector's decoders. Each informer has the same limits.
 * The reflectors of an informer, such as one for each namespace, divide its limits
 * evenly. In addition, all informers together have a memory budget.
 *
 * @param strings the maximum number of strings
 * @param partBytes the maximum number of bytes of encoded parts
 * @param share the share in the memory budget
 */
public record PoolBounds(int strings, int partBytes, PoolBudget.Share share) {

	/** Minimum size of a pool. In a smaller pool, lookups cost more than they save. */
	private static final int LEAST_STRINGS = 512;

	private static final int LEAST_PART_BYTES = 64 * 1024;

	/**
	 * Memory budget, in bytes, of a reader that is not a reflector, such as a cache
	 * probe.
	 */
	private static final long BYTES_OF_ITS_OWN = 64 * 1024;

	/**
	 * Returns the limits for one reflector.
	 * @param reflectors the number of the informer's reflectors when this reflector
	 * starts
	 * @param share the share in the memory budget
	 * @return the limits
	 */
	public static PoolBounds share(int reflectors, PoolBudget.Share share) {
		return new PoolBounds(share(KnownValues.STRINGS, reflectors, LEAST_STRINGS),
				share(PartPool.MOST_BYTES, reflectors, LEAST_PART_BYTES), share);
	}

	/**
	 * Returns the limits for a reader that is not a reflector. It does not use the memory
	 * budget of the informers.
	 * @return the limits
	 */
	public static PoolBounds ofItsOwn() {
		return share(1, new PoolBudget(BYTES_OF_ITS_OWN).share());
	}

	// Round down to a power of two, because pools would round up.
	private static int share(int all, int reflectors, int least) {
		return Math.max(least, Integer.highestOneBit(all / reflectors));
	}

}
