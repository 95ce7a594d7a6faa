package dev.kubeinformer.internal.election;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Record of an election in a Lease. The fields are those of client-go's
 * {@code LeaderElectionRecord}.
 *
 * @param holder the identity of the holder; empty if there is none
 * @param durationSeconds how long others wait for a renewal; 0 if the Lease has no
 * duration
 * @param acquireTime the time of the acquisition, by the clock of the holder
 * @param renewTime the time of the last renewal, by the clock of the holder
 * @param transitions the number of the term
 * @param preferredHolder the preferred holder; empty if there is none
 */
public record LeaseRecord(String holder, int durationSeconds, @Nullable Instant acquireTime,
		@Nullable Instant renewTime, long transitions, String preferredHolder) {

	/** Duration that client-go writes when it releases a Lease; 0 would not be valid. */
	private static final int RELEASED_SECONDS = 1;

	/**
	 * Highest number of a term: the API has an int32, and kube-apiserver rejects a Lease
	 * with a higher number.
	 */
	private static final long LAST_TERM = Integer.MAX_VALUE;

	private static final long FIRST_TERM = 1;

	/**
	 * Creates a record. A term number outside the range of the API is replaced by the
	 * next valid one.
	 */
	public LeaseRecord {
		transitions = Math.min(Math.max(transitions, 0), LAST_TERM);
	}

	/**
	 * Returns the number of the next term. Numbers restart after the last one that fits
	 * into a Lease.
	 * @param number the number of the current term
	 * @return the next number
	 */
	static long termAfter(long number) {
		return (number < LAST_TERM) ? number + 1 : FIRST_TERM;
	}

	/**
	 * Returns the highest term number seen, from which the next one is derived.
	 * @param highest the previous highest number
	 * @return the number
	 */
	long highest(long highest) {
		// After a restart of the numbers, a lower number is later.
		return (highest < LAST_TERM) ? Math.max(highest, this.transitions) : this.transitions;
	}

	/**
	 * Returns whether the last holder has released the Lease, or there was no holder. A
	 * holder that was removed in any other way may still consider itself the leader.
	 * @return {@code true} if the Lease is free
	 */
	boolean isFree() {
		return this.holder.isEmpty() && (this.durationSeconds <= RELEASED_SECONDS || this.renewTime == null);
	}

	boolean prefersOtherThan(String identity) {
		return !this.preferredHolder.isEmpty() && !this.preferredHolder.equals(identity);
	}

	LeaseRecord renewed(Instant now, int seconds, long number) {
		return new LeaseRecord(this.holder, seconds, this.acquireTime, now, Math.max(number, this.transitions),
				this.preferredHolder);
	}

	LeaseRecord released(Instant now) {
		return new LeaseRecord("", RELEASED_SECONDS, now, now, this.transitions, this.preferredHolder);
	}

}
