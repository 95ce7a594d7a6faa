package dev.kubeinformer.internal.client;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Clocks of a client.
 *
 * @param clock the wall clock, for expiry times
 * @param nanoTime the monotonic clock, for periods
 */
public record ClientTime(Clock clock, LongSupplier nanoTime) {

	/** Returns the clocks of this machine. */
	public static ClientTime system() {
		return new ClientTime(Clock.systemUTC(), System::nanoTime);
	}

}
