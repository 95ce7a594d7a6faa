package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of the slots that move between the replicas, as far as this replica knows,
 * in the endpoint. Slots are written as ranges of indexes, such as {@code 0-12,20}. Times
 * are in ISO 8601, UTC.
 *
 * @param state the state of this replica in the group
 * @param since the time at which that state began
 * @param group the group of replicas, {@code namespace/name}
 * @param cluster the name of the cluster with the Leases; {@code null} if there is only
 * the default cluster
 * @param identity the name of this replica
 * @param lease the Lease of this replica; {@code null} if it has none
 * @param key the key of the objects, {@code UID} or {@code NAMESPACE}
 * @param total the number of slots
 * @param settled whether this replica knows its first share
 * @param slots the slots that this replica holds
 * @param draining the slots that this replica hands over
 * @param members the live replicas
 * @param unheld the slots without a known holder
 * @param gained the number of slots that this replica has gained
 * @param lost the number of slots that this replica has lost
 * @param renewals the number of its renewals of the Lease
 * @param slack the remaining validity of the Lease unless it is renewed, such as
 * {@code 8s}; {@code null} if it is not valid
 * @param refusedBy the Lease of a replica that divides the objects in another way, while
 * this replica takes no slots because of it; {@code null} otherwise
 * @param lastError the last failure, until a request succeeds; {@code null} if there is
 * none
 * @param requiredRbac the missing RBAC rules
 */
public record ShardsDescriptor(String state, String since, String group, @Nullable String cluster, String identity,
		@Nullable String lease, String key, int total, boolean settled, String slots, String draining,
		List<Member> members, List<Unheld> unheld, long gained, long lost, long renewals, @Nullable String slack,
		@Nullable String refusedBy, @Nullable Failure lastError,
		List<String> requiredRbac) implements OperationResponseBody {

	/**
	 * Replica that takes part.
	 *
	 * @param name the name of the replica
	 * @param slots the slots that it holds
	 * @param count the number of these slots
	 * @param self whether it is this replica
	 * @param leaving whether it hands its slots over because it stops
	 */
	public record Member(String name, String slots, int count, boolean self, boolean leaving) {

	}

	/**
	 * Slots without a known holder.
	 *
	 * @param slots the slots
	 * @param since the time since when they have none
	 */
	public record Unheld(String slots, String since) {

	}

	/**
	 * Failure of a request for the Leases.
	 *
	 * @param at the time of the failure
	 * @param verb the Kubernetes verb: {@code get}, {@code list}, {@code watch},
	 * {@code create}, {@code update} or {@code delete}
	 * @param httpStatus the HTTP status; {@code null} if there was no response
	 * @param reason the {@code reason} of Kubernetes, or the class of the exception
	 */
	public record Failure(String at, String verb, @Nullable Integer httpStatus, String reason) {

	}

}
