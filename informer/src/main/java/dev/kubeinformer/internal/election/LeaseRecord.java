package dev.kubeinformer.internal.election;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Record of an election, as it stands in a Lease. The fields are those of client-go's
 * {@code LeaderElectionRecord}.
 *
 * @param holder the identity of the holder; empty if there is none
 * @param durationSeconds how long others wait for a renewal; 0 if the Lease does not say
 * @param acquireTime when the holder acquired the Lease, by the clock of the holder
 * @param renewTime when the holder renewed it, by the clock of the holder
 * @param transitions the number of the term
 * @param preferredHolder who should hold the Lease; empty if nobody in particular
 */
public record LeaseRecord(String holder, int durationSeconds, @Nullable Instant acquireTime,
		@Nullable Instant renewTime, long transitions, String preferredHolder) {

	/** What client-go writes when it releases a Lease: as 0 it would not be valid. */
	private static final int RELEASED_SECONDS = 1;

	/** The API has an int32, and kube-apiserver refuses a Lease with more. */
	private static final long LAST_TERM = Integer.MAX_VALUE;

	private static final long FIRST_TERM = 1;

	/**
	 * Creates a record. A number of a term that the API does not have is taken for the
	 * next one that it has.
	 */
	public LeaseRecord {
		transitions = Math.min(Math.max(transitions, 0), LAST_TERM);
	}

	/**
	 * Returns the number of the term that follows another one. After the last number that
	 * fits into a Lease, it begins again.
	 * @param number the number of the other one
	 * @return the number
	 */
	static long termAfter(long number) {
		return (number < LAST_TERM) ? number + 1 : FIRST_TERM;
	}

	/**
	 * Returns the highest number of a term that was seen, of which the next one follows.
	 * @param highest the highest one before
	 * @return the number
	 */
	long highest(long highest) {
		// After the last number, any lower one is later.
		return (highest < LAST_TERM) ? Math.max(highest, this.transitions) : this.transitions;
	}

	/**
	 * Returns whether the last holder has given the Lease up, or there was none yet. A
	 * holder that was removed in any other way may still think that it leads.
	 * @return whether the Lease is free
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
