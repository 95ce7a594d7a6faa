package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The election of a leader as the endpoint shows it. Times are those of ISO 8601, in UTC.
 *
 * @param state what the elector is doing
 * @param since since when it is in that state
 * @param leading whether this replica leads
 * @param lease the Lease, {@code namespace/name}
 * @param cluster the name of the cluster that has the Lease; {@code null} where there is
 * only the default one
 * @param identity the identity of this replica in the Lease
 * @param holder the identity of who leads, as it was seen last; {@code null} if there is
 * none, or none was seen
 * @param term the current term of this replica; {@code null} if it does not lead
 * @param slack what is left of that term without another renewal, such as {@code 8s};
 * {@code null} if it does not lead
 * @param awaiting what the elector waits for before it stands for election
 * @param terms the number of terms that this replica has had
 * @param renewals how often it has renewed the Lease
 * @param lastError the last failure, until a request succeeds; {@code null} if there is
 * none
 * @param requiredRbac the RBAC rules that are missing
 */
public record LeaderDescriptor(String state, String since, boolean leading, String lease, @Nullable String cluster,
		String identity, @Nullable String holder, @Nullable Term term, @Nullable String slack, List<String> awaiting,
		long terms, long renewals, @Nullable Failure lastError,
		List<String> requiredRbac) implements OperationResponseBody {

	/**
	 * A term as leader.
	 *
	 * @param number the number, which grows with each change of the leader
	 * @param since when it began
	 * @param validUntil until when it is valid without another renewal
	 */
	public record Term(long number, String since, String validUntil) {

	}

	/**
	 * What went wrong with a request for the Lease.
	 *
	 * @param at when it happened
	 * @param verb the Kubernetes verb: {@code get}, {@code create}, {@code update} or
	 * {@code watch}
	 * @param httpStatus the HTTP status; {@code null} if there was no answer
	 * @param reason the reason that Kubernetes gave, or the class of the exception
	 */
	public record Failure(String at, String verb, @Nullable Integer httpStatus, String reason) {

	}

}
