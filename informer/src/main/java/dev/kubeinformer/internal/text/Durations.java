package dev.kubeinformer.internal.text;

import java.time.Duration;

/**
 * Converts durations to nanoseconds and to text. A duration that is too long for a
 * {@code long} of nanoseconds counts as infinite: it becomes a maximum, which is small
 * enough that sums and differences of a few durations do not overflow.
 */
public final class Durations {

	private static final Duration LONGEST = Duration.ofDays(365 * 50);

	private Durations() {
	}

	/**
	 * Limits a duration to the maximum that can be counted in nanoseconds.
	 * @param duration the duration
	 * @return the duration, which fits into nanoseconds
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

	/**
	 * Describes a duration for messages.
	 * @param duration the duration
	 * @return the duration in seconds, or in milliseconds if it has a fraction of a
	 * second
	 */
	public static String text(Duration duration) {
		long millis = millis(duration);
		return (millis % 1000 == 0) ? millis / 1000 + " s" : millis + " ms";
	}

}
