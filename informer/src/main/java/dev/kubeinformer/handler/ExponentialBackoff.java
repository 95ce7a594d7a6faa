package dev.kubeinformer.handler;

import java.time.Duration;
import java.util.function.DoubleSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.Durations;

/**
 * {@link RetryBackoff} whose delays grow by a factor.
 *
 * @param maxRetries the number of attempts after the first
 * @param delay the delay before the first retry
 * @param multiplier the factor
 * @param maxDelay the longest delay
 * @param jitter the largest random deviation from a delay
 * @param random supplies random numbers from 0 to 1
 */
record ExponentialBackoff(int maxRetries, Duration delay, double multiplier, Duration maxDelay, Duration jitter,
		DoubleSupplier random) implements RetryBackoff {

	ExponentialBackoff {
		if (maxRetries < 0) {
			throw new IllegalArgumentException("Number of retries '%d' must not be negative".formatted(maxRetries));
		}
		notNegative("Retry delay", delay);
		notNegative("Longest retry delay", maxDelay);
		notNegative("Retry jitter", jitter);
		if (!(multiplier >= 1)) {
			throw new IllegalArgumentException("Retry multiplier '%s' must be at least 1".formatted(multiplier));
		}
		delay = Durations.countable(delay);
		maxDelay = Durations.countable(maxDelay);
		jitter = Durations.countable(jitter);
	}

	private static void notNegative(String name, Duration duration) {
		if (duration.isNegative()) {
			throw new IllegalArgumentException("%s '%s' must not be negative".formatted(name, duration));
		}
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
