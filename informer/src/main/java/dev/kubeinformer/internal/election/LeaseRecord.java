package dev.kubeinformer.internal.election;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Fields of a Lease that concern the election, as in client-go's
 * {@code LeaderElectionRecord}.
 *
 * @param holder the identity of the holder; empty if there is none
 * @param durationSeconds the seconds without a renewal after which others may acquire the
 * Lease; 0 if the Lease has no duration
 * @param acquireTime the time at which the term of the holder began, by the clock of the
 * holder
 * @param renewTime the time of the last renewal, by the clock of the holder
 * @param transitions the number of the term
 * @param preferredHolder the identity of the process that should acquire the Lease next;
 * empty if there is none
 */
public record LeaseRecord(String holder, int durationSeconds, @Nullable Instant acquireTime,
		@Nullable Instant renewTime, long transitions, String preferredHolder) {

	/** Duration that client-go writes when it releases a Lease; 0 would not be valid. */
	private static final int RELEASED_SECONDS = 1;

	/**
	 * Highest number of a term. The field of the API is an int32, and kube-apiserver
	 * rejects a Lease with a higher number.
	 */
	private static final long LAST_TERM = Integer.MAX_VALUE;

	private static final long FIRST_TERM = 1;

	/**
	 * Creates a record. If the term number is outside the range of the API, the next
	 * valid number is used.
	 */
	public LeaseRecord {
		transitions = Math.min(Math.max(transitions, 0), LAST_TERM);
	}

	/**
	 * Returns the number of the next term. After the highest number that fits into a
	 * Lease, the numbers restart.
	 * @param number the number of the current term
	 * @return the next number
	 */
	static long termAfter(long number) {
		return (number < LAST_TERM) ? number + 1 : FIRST_TERM;
	}

	/**
	 * Returns the higher one of a term number and the number in this record. The number
	 * of the next term is derived from the highest number that a process has read.
	 * @param highest the highest number that was read before
	 * @return the highest number
	 */
	long highest(long highest) {
		// After a restart of the numbers, a lower number is later.
		return (highest < LAST_TERM) ? Math.max(highest, this.transitions) : this.transitions;
	}

	/**
	 * Returns whether the last holder has released the Lease, or there was no holder. If
	 * somebody else has removed the holder from the Lease, the holder may still consider
	 * itself the leader, and the Lease is not free.
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
