package dev.kubeinformer.internal.reflector;

import java.time.Duration;

/**
 * Durations of the list-watch protocol. Tests use shorter ones.
 *
 * @param backoffBase the first step of the backoff
 * @param backoffCap the longest wait
 * @param backoffReset the total time with open watches and without a failure after which
 * the backoff is reset
 * @param shortWatch the shortest lifetime at which a watch without an event does not
 * count as a failure
 * @param watchTimeout the shortest timeout requested from the server; the longest is
 * twice that
 * @param watchOverrun the time beyond that timeout for which a watch may last
 * @param errorEventPatience the time for which a watch is resumed after error events
 * other than 410. If they go on for longer, the reflector lists again
 * @param syncDeadline the longest time without a new object or the marker of a streaming
 * list
 * @param streamMemo the time during which no streaming list is requested from a server
 * that rejected one or did not complete one in time
 * @param slotPatience the time after which the permission to read a full state is lent to
 * another reflector, although the list continues
 * @param verifyEvery the interval of full lists that compare the cache with the server;
 * zero for never
 * @param idleTimeout the time without a byte after which a watch counts as dead
 * @param probation the time that a watch must stay open before the cache counts as live,
 * if it is resumed after a failure and no event arrives
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
	 * Returns a copy with another interval between verifications.
	 * @param period the interval; zero for never
	 * @return the durations
	 */
	public ReflectorTimings withVerifyEvery(Duration period) {
		return new ReflectorTimings(this.backoffBase, this.backoffCap, this.backoffReset, this.shortWatch,
				this.watchTimeout, this.watchOverrun, this.errorEventPatience, this.syncDeadline, this.streamMemo,
				this.slotPatience, period, this.idleTimeout, this.probation);
	}

	/**
	 * Returns the same durations with another idle timeout.
	 * @param idle the timeout
	 * @return the durations
	 */
	public ReflectorTimings withIdleTimeout(Duration idle) {
		return new ReflectorTimings(this.backoffBase, this.backoffCap, this.backoffReset, this.shortWatch,
				this.watchTimeout, this.watchOverrun, this.errorEventPatience, this.syncDeadline, this.streamMemo,
				this.slotPatience, this.verifyEvery, idle, this.probation);
	}

	/**
	 * Returns the durations for use with real servers.
	 * @return the defaults
	 */
	public static ReflectorTimings defaults() {
		return new ReflectorTimings(Duration.ofMillis(800), Duration.ofSeconds(30), Duration.ofSeconds(120),
				Duration.ofSeconds(1), Duration.ofSeconds(300), Duration.ofSeconds(5), Duration.ofSeconds(30),
				Duration.ofSeconds(60), Duration.ofHours(24), Duration.ofSeconds(10), Duration.ZERO,
				Duration.ofSeconds(150), Duration.ofSeconds(1));
	}

}
