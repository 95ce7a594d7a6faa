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
