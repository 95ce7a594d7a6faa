package dev.kubeinformer.internal.codec;

import dev.kubeinformer.internal.text.TextBytes;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Distinguishes the objects of a shard from others by the bytes of a response, so that
 * only the identity of other objects is read. If the identity cannot be read from the
 * bytes, the object is decoded first. Immutable and safe for use by several threads.
 *
 * @param key the property that is hashed
 * @param first the lowest hash of the shard, unsigned
 * @param last the highest hash of the shard, unsigned
 * @param selector the value of {@code shardSelector} (KEP-5866), which requests only the
 * objects of the shard
 */
public record ShardFilter(ShardKey key, long first, long last, String selector) {

	/**
	 * Returns the filter of a shard.
	 * @param shard the shard
	 * @return the filter
	 */
	public static ShardFilter of(Shard shard) {
		return new ShardFilter(shard.key(), shard.firstHash(), shard.lastHash(), shard.selector());
	}

	/**
	 * Returns whether an object that was not decoded certainly belongs to another shard.
	 * @param identity the identity, which is empty if it could not be read from the bytes
	 * @return {@code true} if the object belongs to another shard; {@code false} also if
	 * that is unknown
	 */
	public boolean isForeign(ObjectIdentity identity) {
		TextBytes text = (this.key == ShardKey.UID) ? identity.uid() : identity.namespace();
		if (identity.name().isEmpty() || (text.isEmpty() && this.key == ShardKey.UID)) {
			return false;
		}
		return !contains(text.fnv1a());
	}

	/**
	 * Returns whether a decoded object belongs to another shard. An unreadable object
	 * does not, unless its identity is known.
	 * @param object the object
	 * @return {@code true} if the object belongs to another shard
	 */
	public boolean isForeign(DecodedObject<?> object) {
		ObjectMetadata metadata = object.metadata();
		String text = (this.key == ShardKey.UID) ? metadata.uid() : metadata.namespace();
		boolean unknown = !metadata.hasName() || (text.isEmpty() && this.key == ShardKey.UID);
		if (object.object() == null && unknown) {
			return false;
		}
		return !contains(Shard.hash(text));
	}

	boolean contains(long hash) {
		return Long.compareUnsigned(hash, this.first) >= 0 && Long.compareUnsigned(hash, this.last) <= 0;
	}

}
