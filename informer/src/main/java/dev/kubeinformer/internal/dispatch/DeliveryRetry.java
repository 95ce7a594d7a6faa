package dev.kubeinformer.internal.dispatch;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Rule whether and when an event that a handler failed on is tried again.
 */
@FunctionalInterface
public interface DeliveryRetry {

	/**
	 * Returns how long an event waits for its next attempt.
	 * @param failures the number of attempts that failed, from 1
	 * @param cause the last exception
	 * @return the delay, or {@code null} if there shall be no further attempt
	 */
	@Nullable Duration delay(int failures, Throwable cause);

}
