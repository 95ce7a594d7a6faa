package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.internal.text.Durations;

/**
 * How long the keys of a queue wait, in nanoseconds.
 *
 * @param minInterval the least time between the starts of two runs of a key
 * @param ownWritesTimeout how long a key is parked at most
 * @param retry the backoff of failed runs
 * @param random the source of jitter
 */
public record KeyDelays(Duration minInterval, Duration ownWritesTimeout, Retry retry, RandomGenerator random) {

	/** Shortest requeue: a run that asks for less would keep a worker busy for ever. */
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
	 * Returns how long after the start of a failed run a change must wait.
	 * @return the wait
	 */
	long hold() {
		return Durations.nanos(this.retry.delay());
	}

	static int millis(long nanos) {
		return (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
	}

	/**
	 * Bounds the wait that an API server asked for: one that asks for years, by mistake
	 * or on purpose, would not be asked again.
	 * @param notBefore the wait; zero if it did not ask for one
	 * @return the wait, which is at most the longest delay between retries
	 */
	long asked(long notBefore) {
		return Math.min(notBefore, Durations.nanos(this.retry.maxDelay()));
	}

	/**
	 * Returns the wait before another run that a run has asked for.
	 * @param delay the wait that it asked for
	 * @return the wait in nanoseconds, which is at least that of the shortest requeue
	 */
	static long requeue(Duration delay) {
		return Durations.nanos((delay.compareTo(SHORTEST_REQUEUE) < 0) ? SHORTEST_REQUEUE : delay);
	}

	static long ofMillis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
