package dev.kubeinformer.internal.slots;

import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * Selects the objects of a resource that this process handles, by their namespace or UID.
 */
@FunctionalInterface
public interface ObjectShare {

	/** Share that contains all objects. */
	ObjectShare ALL = (namespace, uid) -> true;

	/**
	 * Returns whether an object may belong to the share.
	 * @param namespace its namespace; {@code null} or empty for a cluster-scoped object
	 * @param uid its UID; {@code null} if it is unknown
	 * @return {@code false} if the object belongs to another share
	 */
	boolean mayContain(@Nullable String namespace, @Nullable String uid);

	/**
	 * Returns the share of a shard that does not move.
	 * @param shard the shard
	 * @return the share
	 */
	static ObjectShare of(Shard shard) {
		return (namespace, uid) -> (uid == null && shard.key() == ShardKey.UID) || shard.contains(namespace, uid);
	}

	/**
	 * Returns the share that consists of slots, which may move between replicas.
	 * @param division the division of the objects
	 * @param slots returns {@code true} if the slot with an index belongs to the share at
	 * the moment
	 * @return the share
	 */
	static ObjectShare of(Slots division, IntPredicate slots) {
		return (namespace, uid) -> (uid == null && division.key() == ShardKey.UID)
				|| slots.test(division.slotOf(namespace, uid));
	}

}
