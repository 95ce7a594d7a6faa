package dev.kubeinformer.internal.text;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Text as the key of a hash table, with a hash that the caller has computed.
 *
 * @param text the key
 * @param hash the hash
 */
public record HashedText(@Nullable String text, int hash) {

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof HashedText key && this.hash == key.hash && Objects.equals(this.text, key.text);
	}

	@Override
	public int hashCode() {
		return this.hash;
	}

}
