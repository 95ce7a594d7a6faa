package dev.kubeinformer.internal.codec;

/**
 * Range of hashes, which are compared without sign.
 *
 * @param first the lowest hash in it
 * @param last the highest hash in it
 */
record HashRange(long first, long last) {

	boolean contains(long hash) {
		return Long.compareUnsigned(hash, this.first) >= 0 && Long.compareUnsigned(hash, this.last) <= 0;
	}

}
