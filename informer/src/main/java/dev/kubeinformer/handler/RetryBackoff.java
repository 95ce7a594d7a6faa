package dev.kubeinformer.handler;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether and when a failed event is delivered again. A worker of the handler
 * calls it, so it should only compute and not wait. If it throws an exception, there is
 * no further attempt.
 */
@FunctionalInterface
public interface RetryBackoff {

	/**
	 * Returns the delay before the next attempt.
	 * @param failures the number of attempts that have failed, from 1
	 * @param cause the exception of the last attempt
	 * @return the delay, zero or more, or {@code null} for no further attempt
	 */
	@Nullable Duration delay(int failures, Throwable cause);

	/**
	 * Returns a backoff that allows no further attempt after exceptions of some classes,
	 * and delegates to this backoff for all others. The log then names the class that
	 * matched.
	 * @param excluded the classes; an exception matches if it, or one of its causes, is
	 * an instance of one of them
	 * @return the backoff
	 */
	default RetryBackoff excluding(Collection<Class<? extends Throwable>> excluded) {
		return new SelectiveBackoff(this, excluded);
	}

	/**
	 * Returns a backoff without retries: a failed event is exhausted at once.
	 * @return the backoff
	 */
	static RetryBackoff none() {
		return (failures, cause) -> null;
	}

	/**
	 * Returns a backoff whose delays grow by a factor, with random jitter, so that events
	 * that failed together are not retried together.
	 * @param maxRetries the number of attempts after the first
	 * @param delay the delay before the first retry
	 * @param multiplier the factor, at least 1
	 * @param maxDelay the longest delay
	 * @param jitter the largest random deviation from a delay
	 * @return the backoff
	 * @throws IllegalArgumentException if a number or duration is negative, or the factor
	 * is below 1
	 */
	static RetryBackoff exponential(int maxRetries, Duration delay, double multiplier, Duration maxDelay,
			Duration jitter) {
		return new ExponentialBackoff(maxRetries, delay, multiplier, maxDelay, jitter,
				() -> ThreadLocalRandom.current().nextDouble());
	}

}
