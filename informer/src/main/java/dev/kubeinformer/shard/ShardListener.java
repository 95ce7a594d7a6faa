package dev.kubeinformer.shard;

import java.util.Set;

/**
 * Listener to the slots of this process. Listeners share a thread. A listener that is
 * slow delays the hand-over of slots, but never a renewal.
 */
public interface ShardListener {

	/**
	 * Called when this process has gained slots, before a handler receives their objects.
	 * @param slots the indexes of the slots
	 */
	default void onShardGained(Set<Integer> slots) {
	}

	/**
	 * Called when this process has lost slots. No run of their keys is active, and no
	 * handler is called any more for their objects. After an expiry the cache keeps the
	 * objects, and its handlers wait, until the slots are gained again or, with another
	 * call of this method, have moved.
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
