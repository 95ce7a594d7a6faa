package dev.kubeinformer.internal.reflector;

import java.time.Duration;

/**
 * Durations of the protocol. Tests scale them.
 *
 * @param backoffBase the first step of the backoff
 * @param backoffCap the longest wait
 * @param backoffReset how long watches must live without a failure to reset the backoff
 * @param shortWatch below what a watch without an event counts as a failure
 * @param watchTimeout the shortest timeout asked of the server; the longest is twice that
 * @param watchOverrun how much longer than that a watch may last
 * @param errorEventPatience how long error events other than 410 are answered by resuming
 * @param syncDeadline how long a streaming list may bring nothing new before its marker
 * @param streamMemo how long a server that rejected a streaming list, or missed its
 * deadline, is not asked for one again
 * @param slotPatience the time after which the right to read a full state is lent on,
 * although the list goes on
 * @param verifyEvery after how long a full list compares the cache with the server; zero
 * for never
 * @param idleTimeout after how long without a byte a watch counts as dead
 * @param probation how long a watch that is resumed after a failure must last, without an
 * event, before the cache counts as live
 */
public record ReflectorTimings(Duration backoffBase, Duration backoffCap, Duration backoffReset, Duration shortWatch,
		Duration watchTimeout, Duration watchOverrun, Duration errorEventPatience, Duration syncDeadline,
		Duration streamMemo, Duration slotPatience, Duration verifyEvery, Duration idleTimeout, Duration probation) {

	/**
	 * Returns the same durations with another deadline for streaming lists.
	 * @param deadline the deadline
	 * @return the durations
	 */
	public ReflectorTimings withSyncDeadline(Duration deadline) {
		return new ReflectorTimings(this.backoffBase, this.backoffCap, this.backoffReset, this.shortWatch,
				this.watchTimeout, this.watchOverrun, this.errorEventPatience, deadline, this.streamMemo,
				this.slotPatience, this.verifyEvery, this.idleTimeout, this.probation);
	}

	/**
	 * Returns the same durations with another period of comparing.
	 * @param period the period; zero for never
	 * @return the durations
	 */
	public ReflectorTimings withVerifyEvery(Duration period) {
		return new ReflectorTimings(this.backoffBase, this.backoffCap, this.backoffReset, this.shortWatch,
				this.watchTimeout, this.watchOverrun, this.errorEventPatience, this.syncDeadline, this.streamMemo,
				this.slotPatience, period, this.idleTimeout, this.probation);
	}

	/**
	 * Returns the same durations with another limit of silence.
	 * @param idle the limit
	 * @return the durations
	 */
	public ReflectorTimings withIdleTimeout(Duration idle) {
		return new ReflectorTimings(this.backoffBase, this.backoffCap, this.backoffReset, this.shortWatch,
				this.watchTimeout, this.watchOverrun, this.errorEventPatience, this.syncDeadline, this.streamMemo,
				this.slotPatience, this.verifyEvery, idle, this.probation);
	}

	/**
	 * Returns the durations for use against real servers.
	 * @return the defaults
	 */
	public static ReflectorTimings defaults() {
		return new ReflectorTimings(Duration.ofMillis(800), Duration.ofSeconds(30), Duration.ofSeconds(120),
				Duration.ofSeconds(1), Duration.ofSeconds(300), Duration.ofSeconds(5), Duration.ofSeconds(30),
				Duration.ofSeconds(60), Duration.ofHours(24), Duration.ofSeconds(10), Duration.ZERO,
				Duration.ofSeconds(150), Duration.ofSeconds(1));
	}

}
