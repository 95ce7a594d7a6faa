package dev.kubeinformer.internal.client;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The clocks of a client.
 *
 * @param clock the time of the day, for what expires
 * @param nanoTime the time that only grows, for periods
 */
public record ClientTime(Clock clock, LongSupplier nanoTime) {

	/** The clocks of this machine. */
	public static ClientTime system() {
		return new ClientTime(Clock.systemUTC(), System::nanoTime);
	}

}
