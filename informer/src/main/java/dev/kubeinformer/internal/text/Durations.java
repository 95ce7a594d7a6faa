package dev.kubeinformer.internal.text;

import java.time.Duration;

/**
 * Durations that clocks can count. A longer one means for ever: it is taken to be the
 * longest, so that sums and differences of a few of them do not overflow.
 */
public final class Durations {

	private static final Duration LONGEST = Duration.ofDays(365 * 50);

	private Durations() {
	}

	/**
	 * Returns a duration, or the longest or shortest that can be counted.
	 * @param duration the duration
	 * @return the duration, of which there are nanoseconds
	 */
	public static Duration countable(Duration duration) {
		if (duration.compareTo(LONGEST) > 0) {
			return LONGEST;
		}
		return (duration.compareTo(LONGEST.negated()) < 0) ? LONGEST.negated() : duration;
	}

	public static long nanos(Duration duration) {
		return countable(duration).toNanos();
	}

	public static long millis(Duration duration) {
		return countable(duration).toMillis();
	}

}
