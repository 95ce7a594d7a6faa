package dev.kubeinformer.internal.codec;

import dev.kubeinformer.internal.text.TextBytes;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Tells the objects of a shard from foreign ones by what lies in the bytes of an answer,
 * so that no more than the identity of a foreign object is read. An object whose identity
 * does not say it is not foreign: it is decoded first. Immutable and safe for use by
 * several threads.
 *
 * @param key what is hashed
 * @param first the lowest hash of the shard, without sign
 * @param last the highest hash of the shard, without sign
 * @param selector asks the API server for the objects of the shard only: the value of
 * {@code shardSelector} (KEP-5866)
 */
public record ShardFilter(ShardKey key, long first, long last, String selector) {

	/**
	 * Returns the filter of a shard.
	 * @param shard the shard
	 * @return its filter
	 */
	public static ShardFilter of(Shard shard) {
		return new ShardFilter(shard.key(), shard.firstHash(), shard.lastHash(), shard.selector());
	}

	/**
	 * Returns whether an object that was not decoded is known to be foreign.
	 * @param identity its identity, which is empty if it is not plain to see
	 * @return whether it is; {@code false} if that is not known
	 */
	public boolean isForeign(ObjectIdentity identity) {
		TextBytes text = (this.key == ShardKey.UID) ? identity.uid() : identity.namespace();
		if (identity.name().isEmpty() || (text.isEmpty() && this.key == ShardKey.UID)) {
			return false;
		}
		return !contains(text.fnv1a());
	}

	/**
	 * Returns whether an object that was decoded is foreign. One that could not be read
	 * is not, unless its identity could.
	 * @param object the object
	 * @return whether it is
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
