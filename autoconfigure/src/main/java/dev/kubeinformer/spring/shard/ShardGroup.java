package dev.kubeinformer.spring.shard;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsStatus;

/**
 * Group of replicas between which shard slots move by Leases, with the status of this
 * replica. Internal to the starter.
 *
 * @param shards the slots of all replicas
 * @param status the supplier of the status
 */
public record ShardGroup(Shards shards, Supplier<ShardsStatus> status) {

	/** Remedy if another member divides the objects differently. */
	public static final String OTHER_DIVISION = "Set 'kubernetes.informers.shard.slots' and 'key' to the values of the "
			+ "other replicas, or stop all replicas before you start them with other values.";

	private static final List<String> VERBS = List.of("get", "list", "watch", "create", "update", "delete");

	/**
	 * Returns the group of replicas, if Leases decide which replica holds which slot.
	 * @param shards the slots of all replicas; {@code null} for none
	 * @return the group; {@code null} if Leases do not decide this
	 */
	public static @Nullable ShardGroup of(@Nullable Shards shards) {
		return (shards instanceof ShardMembership membership) ? new ShardGroup(membership, membership::status) : null;
	}

	/**
	 * Returns the RBAC rules that members need. The rules cannot name the Leases, because
	 * each start of a replica creates a Lease with a new name.
	 * @return the rules
	 */
	public List<RequiredRbac> requiredRbac() {
		return rules(this.status.get(), VERBS);
	}

	/**
	 * Returns the RBAC rules that the API server reported as missing.
	 * @param status the status
	 * @return the rules; empty if no rule is known to be missing
	 */
	public static List<RequiredRbac> missingRbac(ShardsStatus status) {
		return rules(status, status.missingVerbs());
	}

	private static List<RequiredRbac> rules(ShardsStatus status, Collection<String> verbs) {
		return verbs.isEmpty() ? List.of() : List
			.of(new RequiredRbac("coordination.k8s.io", "leases", List.of(), List.copyOf(verbs), status.namespace()));
	}

}
