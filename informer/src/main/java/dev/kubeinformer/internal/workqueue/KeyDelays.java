package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.internal.text.Durations;

/**
 * Computes how long the keys of a queue wait before their runs.
 *
 * @param minInterval the shortest time between the starts of two runs of a key
 * @param ownWritesTimeout the longest time for which a key waits until the caches show
 * its own writes
 * @param retry the backoff of failed runs
 * @param random the source of jitter
 */
public record KeyDelays(Duration minInterval, Duration ownWritesTimeout, Retry retry, RandomGenerator random) {

	/**
	 * Shortest wait for a requeue. If runs of a key could ask for less, the key would
	 * keep a worker busy forever.
	 */
	private static final Duration SHORTEST_REQUEUE = Duration.ofMillis(10);

	/**
	 * Returns the wait after a failed run.
	 * @param failures the number of failed runs, from 1
	 * @return the wait, with jitter
	 */
	long backoff(int failures) {
		double wait = Durations.nanos(this.retry.delay()) * Math.pow(this.retry.multiplier(), failures - 1);
		double capped = Math.min(wait, Durations.nanos(this.retry.maxDelay()));
		return (long) (capped * (1 + this.retry.jitter() * (2 * this.random.nextDouble() - 1)));
	}

	/**
	 * Returns the minimum time between the start of a failed run and a run that a change
	 * causes.
	 * @return the wait
	 */
	long hold() {
		return Durations.nanos(this.retry.delay());
	}

	static int millis(long nanos) {
		return (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
	}

	/**
	 * Limits the wait that an API server asked for. A server may ask for years, by
	 * mistake or on purpose, and the key must be retried even then.
	 * @param notBefore the requested wait; zero if the server did not ask for one
	 * @return the wait, at most the longest delay between retries
	 */
	long asked(long notBefore) {
		return Math.min(notBefore, Durations.nanos(this.retry.maxDelay()));
	}

	/**
	 * Returns the wait before a run that the previous run asked for.
	 * @param delay the requested wait
	 * @return the wait in nanoseconds, at least the shortest requeue
	 */
	static long requeue(Duration delay) {
		return Durations.nanos((delay.compareTo(SHORTEST_REQUEUE) < 0) ? SHORTEST_REQUEUE : delay);
	}

	static long ofMillis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
