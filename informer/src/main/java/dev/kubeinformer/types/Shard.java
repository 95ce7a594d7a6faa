package dev.kubeinformer.types;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * One of several equal shares of a resource's objects, selected by a hash of their UID or
 * namespace. Each share is a range of the hash (64-bit FNV-1a over the UTF-8 bytes,
 * unsigned, KEP-5866), so each object is in exactly one of them. Immutable and comparable
 * by value.
 *
 * @param key the hashed part of the metadata
 * @param index the index of this share, from 0
 * @param total the number of shares
 */
public record Shard(ShardKey key, int index, int total) {

	private static final long OFFSET_BASIS = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	private static final BigInteger HASHES = BigInteger.ONE.shiftLeft(64);

	private static final String END = "0x10000000000000000";

	/**
	 * Creates a shard.
	 * @param key the hashed part of the metadata
	 * @param index the index of this share, from 0
	 * @param total the number of shares
	 * @throws IllegalArgumentException if the number of shares is not positive, or the
	 * index is not below it
	 */
	public Shard {
		Objects.requireNonNull(key, "The key of the shard is null");
		if (total < 1) {
			throw new IllegalArgumentException("Invalid number of shards '%d': use at least 1".formatted(total));
		}
		if (index < 0 || index >= total) {
			throw new IllegalArgumentException(
					"Invalid index '%d' for %d shards: use 0 to %d".formatted(index, total, total - 1));
		}
	}

	/**
	 * Returns whether an object is in this shard.
	 * @param namespace its namespace; {@code null} or empty for a cluster-scoped object
	 * @param uid its UID; {@code null} counts as empty
	 * @return {@code true} if the object is in this shard
	 */
	public boolean contains(@Nullable String namespace, @Nullable String uid) {
		String text = (this.key == ShardKey.UID) ? uid : namespace;
		return containsHash(hash((text != null) ? text : ""));
	}

	/**
	 * Returns whether a hash is in the range of this shard.
	 * @param hash the unsigned hash
	 * @return {@code true} if the hash is in the range
	 */
	public boolean containsHash(long hash) {
		return Long.compareUnsigned(hash, firstHash()) >= 0 && Long.compareUnsigned(hash, lastHash()) <= 0;
	}

	/**
	 * Returns where the range of this shard begins.
	 * @return the lowest hash in it, unsigned
	 */
	public long firstHash() {
		return bound(this.index);
	}

	/**
	 * Returns where the range of this shard ends.
	 * @return the highest hash in it, unsigned
	 */
	public long lastHash() {
		return isLast() ? -1 : bound(this.index + 1) - 1;
	}

	private boolean isLast() {
		return this.index == this.total - 1;
	}

	/**
	 * Returns the hash of a text.
	 * @param text the UID or namespace
	 * @return the 64-bit FNV-1a hash of its UTF-8 bytes, unsigned
	 */
	public static long hash(String text) {
		long hash = OFFSET_BASIS;
		for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ (octet & 0xff)) * PRIME;
		}
		return hash;
	}

	/**
	 * Returns the selector that requests this shard from the API server.
	 * @return the selector in the API server's canonical form
	 */
	public String selector() {
		return selector(this);
	}

	/**
	 * Returns the selector of the range from this share to a later one.
	 * @param to the last share of the range, of the same division
	 * @return the selector in the API server's canonical form
	 */
	String selector(Shard to) {
		String end = to.isLast() ? END : hex(bound(to.index + 1));
		return "shardRange(%s, '%s', '%s')".formatted(this.key.field(), hex(firstHash()), end);
	}

	private long bound(int index) {
		return HASHES.multiply(BigInteger.valueOf(index)).divide(BigInteger.valueOf(this.total)).longValue();
	}

	private static String hex(long bound) {
		return "0x" + HexFormat.of().toHexDigits(bound);
	}

	/**
	 * Returns a readable form of the shard.
	 * @return index, total and key, such as {@code 2/5 by uid}
	 */
	@Override
	public String toString() {
		return "%d/%d by %s".formatted(this.index, this.total, this.key.name().toLowerCase(Locale.ROOT));
	}

}
