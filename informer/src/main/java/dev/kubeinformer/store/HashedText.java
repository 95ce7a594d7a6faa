package dev.kubeinformer.store;

import org.jspecify.annotations.Nullable;

/**
 * A key of a hash table with a hash that is not its own.
 *
 * @param text the key
 * @param hash the hash
 */
record HashedText(@Nullable String text, int hash) {

	@Override
	public int hashCode() {
		return this.hash;
	}

}
