package dev.kubeinformer.shard;

import java.util.Set;

/**
 * Listener to changes of the {@linkplain Shards slots} that this process holds. Listeners
 * share a thread. A slow listener delays the hand-over of slots, but never a renewal.
 */
public interface ShardListener {

	/**
	 * Called when this process has gained slots, before a handler receives their objects.
	 * @param slots the indexes of the slots
	 */
	default void onShardGained(Set<Integer> slots) {
	}

	/**
	 * Called when this process has lost slots. By then, no reconciler runs for the keys
	 * of these slots, and no handler is called for their objects. After an expiry, the
	 * cache keeps the objects, and their handlers wait until this process or another
	 * member has gained the slots. If another member has gained them, the cache removes
	 * the objects, and this method is called again with {@link ShardLossReason#MOVED}.
	 * @param slots the indexes of the slots
	 * @param reason the reason why the slots were lost
	 */
	default void onShardLost(Set<Integer> slots, ShardLossReason reason) {
	}

	/**
	 * Called when the members of the group, or the slots that they hold, have changed.
	 */
	default void onMembersChanged() {
	}

}
