package dev.kubeinformer.shard;

import java.util.Set;

/**
 * Replica of an application, as a member of a group that shares {@linkplain Shards
 * slots}.
 *
 * @param name the identity of the replica, such as the name of its pod
 * @param slots the slots that it holds, as far as this process knows
 * @param self {@code true} if this process is the member
 * @param leaving {@code true} if the member hands its slots over because it stops
 */
public record ShardMember(String name, Set<Integer> slots, boolean self, boolean leaving) {

	/**
	 * Creates a member.
	 */
	public ShardMember {
		slots = Set.copyOf(slots);
	}

}
