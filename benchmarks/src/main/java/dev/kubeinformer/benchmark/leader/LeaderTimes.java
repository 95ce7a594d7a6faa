package dev.kubeinformer.benchmark.leader;

import java.time.Duration;

/**
 * Times of an election, and the bounds that follow from them.
 *
 * @param leaseDuration the time for which standbys wait for a change of the Lease
 * @param renewDeadline the duration of a term without a renewal
 * @param retryPeriod the time between two attempts
 */
record LeaderTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	static final LeaderTimes DEFAULTS = new LeaderTimes(Duration.ofSeconds(15), Duration.ofSeconds(10),
			Duration.ofSeconds(2));

	private static final Duration FIRST_RUN = Duration.ofMillis(500);

	/**
	 * Returns the time from the sudden death of a leader to the first run elsewhere:
	 * standbys check again after the period and a fifth of it.
	 * @return the bound
	 */
	Duration takeover() {
		return this.leaseDuration.plus(this.retryPeriod.multipliedBy(12).dividedBy(10)).plus(FIRST_RUN);
	}

	/**
	 * Returns the remaining time of a term at a renewal that is not late: the renewal is
	 * sent after the period, and may take a second.
	 * @return the minimum
	 */
	Duration slack() {
		return this.renewDeadline.minus(this.retryPeriod).minusSeconds(1);
	}

}
