package dev.kubeinformer.internal.elector;

import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;

import dev.kubeinformer.internal.election.ClockReading;

/**
 * Clocks of an elector.
 *
 * @param nanoTime the monotonic clock
 * @param wall the wall clock
 */
public record ElectorClocks(LongSupplier nanoTime, Clock wall) {

	public static ElectorClocks system() {
		return new ElectorClocks(System::nanoTime, Clock.systemUTC());
	}

	public ClockReading read() {
		return new ClockReading(this.nanoTime.getAsLong(), this.wall.millis());
	}

	public Instant now() {
		return this.wall.instant();
	}

}
