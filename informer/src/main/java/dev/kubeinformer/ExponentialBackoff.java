package dev.kubeinformer;

import java.time.Duration;
import java.util.function.DoubleSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A {@link RetryBackoff} whose delays grow by a factor.
 *
 * @param maxRetries the number of attempts after the first
 * @param delay the delay before the first of them
 * @param multiplier the factor
 * @param maxDelay the longest delay
 * @param jitter how much shorter or longer a delay may be at most
 * @param random gives numbers from 0 to 1
 */
record ExponentialBackoff(int maxRetries, Duration delay, double multiplier, Duration maxDelay, Duration jitter,
		DoubleSupplier random) implements RetryBackoff {

	ExponentialBackoff {
		if (maxRetries < 0 || delay.isNegative() || maxDelay.isNegative() || jitter.isNegative()) {
			throw new IllegalArgumentException(
					"Retries '%d', delay '%s', longest delay '%s' and jitter '%s' must not be negative"
						.formatted(maxRetries, delay, maxDelay, jitter));
		}
		if (!(multiplier >= 1)) {
			throw new IllegalArgumentException("Multiplier '%s' must be at least 1".formatted(multiplier));
		}
		delay = HandlerOptions.countable(delay);
		maxDelay = HandlerOptions.countable(maxDelay);
		jitter = HandlerOptions.countable(jitter);
	}

	@Override
	public @Nullable Duration delay(int failures, Throwable cause) {
		if (failures > this.maxRetries) {
			return null;
		}
		double longest = this.maxDelay.toNanos();
		double middle = Math.min(longest, this.delay.toNanos() * Math.pow(this.multiplier, failures - 1));
		double spread = this.jitter.toNanos() * (2 * this.random.getAsDouble() - 1);
		return Duration.ofNanos((long) Math.max(0, Math.min(longest, middle + spread)));
	}

}
