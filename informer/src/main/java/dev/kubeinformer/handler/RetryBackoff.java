package dev.kubeinformer.handler;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether and when an event that a handler failed on is handed to it again. It is
 * asked on the handler's worker, and should only compute. An exception of it counts as
 * {@code null}.
 */
@FunctionalInterface
public interface RetryBackoff {

	/**
	 * Returns how long to wait before the next attempt.
	 * @param failures the number of attempts that have failed, from 1
	 * @param cause the exception of the last one
	 * @return the delay, zero or more, or {@code null} if there shall be no further
	 * attempt
	 */
	@Nullable Duration delay(int failures, Throwable cause);

	/**
	 * Returns a backoff that makes no further attempt after exceptions of some classes,
	 * and is this one for all others. The log says which class it was.
	 * @param excluded the classes; subclasses count as well, and causes
	 * @return the backoff
	 */
	default RetryBackoff excluding(Collection<Class<? extends Throwable>> excluded) {
		return new SelectiveBackoff(this, excluded);
	}

	/**
	 * Returns a backoff without retries: a failed event is given up at once.
	 * @return the backoff
	 */
	static RetryBackoff none() {
		return (failures, cause) -> null;
	}

	/**
	 * Returns a backoff whose delays grow by a factor, each spread at random so that what
	 * failed together does not return together.
	 * @param maxRetries the number of attempts after the first
	 * @param delay the delay before the first of them
	 * @param multiplier the factor, at least 1
	 * @param maxDelay the longest delay
	 * @param jitter how much shorter or longer a delay may be at most
	 * @return the backoff
	 * @throws IllegalArgumentException if a number or duration is negative, or the factor
	 * below 1
	 */
	static RetryBackoff exponential(int maxRetries, Duration delay, double multiplier, Duration maxDelay,
			Duration jitter) {
		return new ExponentialBackoff(maxRetries, delay, multiplier, maxDelay, jitter,
				() -> ThreadLocalRandom.current().nextDouble());
	}

}
