package dev.kubeinformer.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.LeaderStatus.Failure;
import dev.kubeinformer.leader.Leadership.Term;
import dev.kubeinformer.types.Slots;

/**
 * Status of a membership at one moment.
 *
 * @param state the state
 * @param since the time at which the state began
 * @param identity the identity of this process
 * @param namespace the namespace of the Leases
 * @param group the name of the group
 * @param lease the name of the Lease of this process; {@code null} if the membership is
 * stopped
 * @param division the division of objects into slots
 * @param slots the slots that this process holds, including slots that it is handing over
 * @param draining the slots that this process is handing over
 * @param members the live members, including this process
 * @param vacant the slots without a known holder, each with the start of the time without
 * one
 * @param settled {@code true} if the first distribution of slots is known
 * @param term the current term; {@code null} if this process has no valid Lease
 * @param slack the remaining validity of the Lease; {@code null} if it is not valid
 * @param refusedBy the name of the Lease of a member that divides the objects in another
 * way, so that this process takes no slots; {@code null} if there is no such member
 * @param renewals the number of successful renewals of the Lease
 * @param gained the number of slots that this process has gained
 * @param lost the number of slots that this process has lost
 * @param lastError the last failed request for the Leases; {@code null} after a request
 * succeeded
 * @param missingVerbs the verbs on Leases that the API server last denied
 */
public record ShardsStatus(ShardsState state, Instant since, String identity, String namespace, String group,
		@Nullable String lease, Slots division, Set<Integer> slots, Set<Integer> draining, List<ShardMember> members,
		Map<Integer, Instant> vacant, boolean settled, @Nullable Term term, @Nullable Duration slack,
		@Nullable String refusedBy, long renewals, long gained, long lost, @Nullable Failure lastError,
		List<String> missingVerbs) {

	/**
	 * Creates a status.
	 */
	public ShardsStatus {
		slots = Set.copyOf(slots);
		draining = Set.copyOf(draining);
		members = List.copyOf(members);
		vacant = Collections.unmodifiableMap(new TreeMap<>(vacant));
		missingVerbs = List.copyOf(missingVerbs);
	}

}
