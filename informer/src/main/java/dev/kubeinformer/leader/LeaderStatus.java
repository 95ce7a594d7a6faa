package dev.kubeinformer.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.Leadership.Term;

/**
 * What an elector is doing.
 *
 * @param state the state
 * @param since when the state began
 * @param identity the identity of this process in the Lease
 * @param namespace the namespace of the Lease
 * @param name the name of the Lease
 * @param holder the holder as it was seen last; {@code null} if there is none, or none
 * was seen
 * @param term the current term; {@code null} if this process does not lead
 * @param slack what is left of the current term; {@code null} if this process does not
 * lead
 * @param awaiting what the elector waits for before it stands for election
 * @param terms how many terms this process has had
 * @param renewals how often it has renewed the Lease
 * @param lastError the last failure to read or write the Lease, until one succeeds
 * @param missingVerbs the verbs on Leases that the API server refused last
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
	 * @param at when it failed
	 * @param verb what was asked of the API server: get, create, update or watch
	 * @param httpStatus the HTTP status; {@code null} if there was no answer
	 * @param reason the reason of Kubernetes, or the class of the exception
	 */
	public record Failure(Instant at, String verb, @Nullable Integer httpStatus, String reason) {
	}

}
