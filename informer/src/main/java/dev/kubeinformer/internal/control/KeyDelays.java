package dev.kubeinformer.internal.control;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import dev.kubeinformer.controller.ReconcilerSpec.Retry;

/**
 * How long the keys of a queue wait, in nanoseconds.
 *
 * @param minInterval the least time between the starts of two runs of a key
 * @param ownWritesTimeout how long a key is parked at most
 * @param retry the backoff of failed runs
 * @param random the source of jitter
 */
public record KeyDelays(Duration minInterval, Duration ownWritesTimeout, Retry retry, RandomGenerator random) {

	/** No wait is longer: sums of times must not overflow. */
	private static final Duration LONGEST = Duration.ofDays(365 * 50);

	/**
	 * Returns the wait after a failed run.
	 * @param failures the number of failed runs, from 1
	 * @return the wait, with jitter
	 */
	long backoff(int failures) {
		double wait = nanos(this.retry.delay()) * Math.pow(this.retry.multiplier(), failures - 1);
		double capped = Math.min(wait, nanos(this.retry.maxDelay()));
		return (long) (capped * (1 + this.retry.jitter() * (2 * this.random.nextDouble() - 1)));
	}

	/**
	 * Returns how long after the start of a failed run a change must wait.
	 * @param started the time from the start of the run to the beginning of the wait
	 * @param notBefore the wait that the API server asked for; zero if it did not
	 * @return the time in milliseconds
	 */
	int hold(long started, long notBefore) {
		long least = nanos(this.retry.delay());
		long nanos = (notBefore > 0) ? Math.max(least, started + notBefore) : least;
		return millis(nanos);
	}

	static int millis(long nanos) {
		return (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
	}

	static long nanos(Duration duration) {
		return (duration.compareTo(LONGEST) < 0) ? duration.toNanos() : LONGEST.toNanos();
	}

	static long ofMillis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
