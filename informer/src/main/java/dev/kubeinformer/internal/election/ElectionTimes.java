package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * Durations of an election.
 *
 * @param leaseDuration the time without a renewal after which a standby acquires the
 * Lease
 * @param renewDeadline the time without a renewal after which a term ends
 * @param retryPeriod the time between two renewals, and between two reads of a standby
 * @param syncTimeout the longest time for which a process waits to become ready before it
 * stands for election
 */
public record ElectionTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod,
		Duration syncTimeout) {

	int leaseSeconds() {
		return (int) Math.max(1, this.leaseDuration.plusNanos(999_999_999).toSeconds());
	}

}
