package dev.kubeinformer.spring.settings;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What one place says about the retries of a handler's failed events. {@code null} where
 * it says nothing.
 *
 * @param maxRetries the number of attempts after the first, zero for none
 * @param delay the delay before the first of them
 * @param multiplier the factor by which each delay is longer than the one before
 * @param maxDelay the longest delay
 * @param jitter how much the first delay may be longer at random; later ones may be
 * shorter as well, by as much more as they are longer
 */
public record RetrySettings(@Nullable Integer maxRetries, @Nullable Duration delay, @Nullable Double multiplier,
		@Nullable Duration maxDelay, @Nullable Duration jitter) {

	private static final RetrySettings NONE = new RetrySettings(null, null, null, null, null);

	/**
	 * Settings that say nothing.
	 * @return empty settings
	 */
	public static RetrySettings none() {
		return NONE;
	}

	/**
	 * Adds what another place says about the things that these settings leave open.
	 * @param other the settings with less precedence
	 * @return the combination
	 */
	public RetrySettings orElse(RetrySettings other) {
		return new RetrySettings(InformerSettings.first(this.maxRetries, other.maxRetries),
				InformerSettings.first(this.delay, other.delay),
				InformerSettings.first(this.multiplier, other.multiplier),
				InformerSettings.first(this.maxDelay, other.maxDelay),
				InformerSettings.first(this.jitter, other.jitter));
	}

}
