package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * Times of an election.
 *
 * @param leaseDuration how long a standby waits for a renewal
 * @param renewDeadline how long a term stays valid without a renewal
 * @param retryPeriod how often the Lease is renewed and read
 * @param syncTimeout how long a candidate waits to become ready
 */
public record ElectionTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod,
		Duration syncTimeout) {

	int leaseSeconds() {
		return (int) Math.max(1, this.leaseDuration.plusNanos(999_999_999).toSeconds());
	}

}
