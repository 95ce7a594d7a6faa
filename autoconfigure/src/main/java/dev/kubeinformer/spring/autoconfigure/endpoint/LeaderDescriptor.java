package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of the leader election in the endpoint. Times are in ISO 8601, UTC.
 *
 * @param state the state of the elector
 * @param since the time at which that state began
 * @param leading whether this replica leads
 * @param lease the Lease, {@code namespace/name}
 * @param cluster the name of the cluster with the Lease; {@code null} if there is only
 * the default cluster
 * @param identity the identity of this replica in the Lease
 * @param holder the identity of the last known holder of the Lease; {@code null} if no
 * holder is known
 * @param term the current term of this replica; {@code null} if this replica does not
 * lead
 * @param slack the remaining time of that term unless it is renewed, such as {@code 8s};
 * {@code null} if this replica does not lead
 * @param awaiting the caches that the elector waits for before it stands for election
 * @param terms the number of terms of this replica
 * @param renewals the number of renewals of the Lease by this replica
 * @param lastError the last failure, until a request succeeds; {@code null} if there is
 * none
 * @param requiredRbac the missing RBAC rules
 */
public record LeaderDescriptor(String state, String since, boolean leading, String lease, @Nullable String cluster,
		String identity, @Nullable String holder, @Nullable Term term, @Nullable String slack, List<String> awaiting,
		long terms, long renewals, @Nullable Failure lastError,
		List<String> requiredRbac) implements OperationResponseBody {

	/**
	 * Term as leader.
	 *
	 * @param number the number, which grows with each change of the leader
	 * @param since the start of the term
	 * @param validUntil the time at which the term ends unless it is renewed
	 */
	public record Term(long number, String since, String validUntil) {

	}

	/**
	 * Failure of a request for the Lease.
	 *
	 * @param at the time of the failure
	 * @param verb the Kubernetes verb: {@code get}, {@code create}, {@code update} or
	 * {@code watch}
	 * @param httpStatus the HTTP status; {@code null} if there was no response
	 * @param reason the {@code reason} of Kubernetes, or the class of the exception
	 */
	public record Failure(String at, String verb, @Nullable Integer httpStatus, String reason) {

	}

}
