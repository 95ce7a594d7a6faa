package dev.kubeinformer.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.Leadership.Term;

/**
 * Status of an elector at one moment.
 *
 * @param state the state
 * @param since the time at which the state began
 * @param identity the identity of this process in the Lease
 * @param namespace the namespace of the Lease
 * @param name the name of the Lease
 * @param holder the holder of the Lease when this process last read it; {@code null} if
 * no holder is known
 * @param term the current term; {@code null} if this process does not lead
 * @param slack the remaining validity of the current term; {@code null} if this process
 * does not lead
 * @param awaiting the caches that the elector waits for before it stands for election
 * @param terms the number of terms of this process
 * @param renewals the number of its successful renewals of the Lease
 * @param lastError the last failed request for the Lease; {@code null} after a request
 * succeeded
 * @param missingVerbs the verbs on Leases that the API server last denied
 */
public record LeaderStatus(LeaderState state, Instant since, String identity, String namespace, String name,
		@Nullable String holder, @Nullable Term term, @Nullable Duration slack, List<String> awaiting, long terms,
		long renewals, @Nullable Failure lastError, List<String> missingVerbs) {

	/**
	 * Creates a status.
	 */
	public LeaderStatus {
		awaiting = List.copyOf(awaiting);
		missingVerbs = List.copyOf(missingVerbs);
	}

	/**
	 * Failure of a request for the Lease.
	 *
	 * @param at the time of the failure
	 * @param verb the verb of the request: get, create, update or watch
	 * @param httpStatus the HTTP status; {@code null} if there was no response
	 * @param reason the {@code reason} of the Kubernetes {@code Status}, or the class
	 * name of the exception
	 */
	public record Failure(Instant at, String verb, @Nullable Integer httpStatus, String reason) {
	}

}
