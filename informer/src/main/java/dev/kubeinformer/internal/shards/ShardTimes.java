package dev.kubeinformer.internal.shards;

import java.time.Duration;

/**
 * Times of a member.
 *
 * @param leaseDuration how long other members wait for a renewal
 * @param renewDeadline how long a term stays valid without a renewal
 * @param retryPeriod how often the Lease is renewed
 * @param settleTime how long members wait for more members to join before slots move to
 * those that joined
 */
public record ShardTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod, Duration settleTime) {

	int leaseSeconds() {
		return (int) Math.max(1, this.leaseDuration.plusNanos(999_999_999).toSeconds());
	}

}
