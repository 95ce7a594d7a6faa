package dev.kubeinformer.internal.election;

import java.util.concurrent.TimeUnit;

/**
 * Reading of both clocks of a process at one moment. Neither clock is trusted alone,
 * because the monotonic clock may stop while a machine is suspended, and the wall clock
 * may be set to another time.
 *
 * @param nanos the reading of the monotonic clock
 * @param wallMillis the reading of the wall clock
 */
public record ClockReading(long nanos, long wallMillis) {

	/**
	 * Returns the time since an earlier reading, by the monotonic clock.
	 * @param earlier the earlier reading
	 * @return the nanoseconds
	 */
	public long monotonicSince(ClockReading earlier) {
		return this.nanos - earlier.nanos;
	}

	/**
	 * Returns the time since an earlier reading, by the wall clock.
	 * @param earlier the earlier reading
	 * @return the nanoseconds; negative if the clock was set back
	 */
	public long wallSince(ClockReading earlier) {
		return TimeUnit.MILLISECONDS.toNanos(this.wallMillis - earlier.wallMillis);
	}

}
