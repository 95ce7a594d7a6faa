package dev.kubeinformer.spring.settings;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Checks of properties against the ranges in which their values make sense. A property
 * without value is always in range. Internal to the starter.
 */
public final class PropertyRanges {

	/**
	 * Above every sensible time, and below what overflows in nanoseconds.
	 */
	private static final Duration LONGEST = Duration.ofDays(3650);

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private final String prefix;

	/**
	 * Creates the checks.
	 * @param prefix what precedes the keys
	 */
	public PropertyRanges(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Returns the name of an entry of a map. A key with dots needs brackets.
	 * @param map the name of the map
	 * @param key the key
	 * @return the name
	 */
	public static String entry(String map, String key) {
		return (key.contains(".") ? "%s[%s]" : "%s.%s").formatted(map, key);
	}

	/**
	 * Returns whether a duration other than zero makes sense in a property or an
	 * annotation.
	 * @param duration the duration
	 * @return whether it is neither too short to be meant nor too long to be counted
	 */
	static boolean isSensible(Duration duration) {
		return duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0;
	}

	/**
	 * Checks a whole number.
	 * @param key the key of the property
	 * @param value the value
	 * @param least the least value that makes sense
	 * @throws InvalidPropertyValueException if it is out of range
	 */
	public void atLeast(String key, @Nullable Integer value, int least) {
		if (value != null && value < least) {
			throw new InvalidPropertyValueException(name(key), value.toString(), "must be at least " + least);
		}
	}

	/**
	 * Checks a number.
	 * @param key the key of the property
	 * @param value the value
	 * @param least the least value that makes sense
	 * @throws InvalidPropertyValueException if it is out of range
	 */
	public void atLeast(String key, @Nullable Double value, int least) {
		// Written so that it is refused if it is no number.
		if (value != null && !(value >= least && value <= Integer.MAX_VALUE)) {
			throw new InvalidPropertyValueException(name(key), value.toString(),
					"must be a number, and at least " + least);
		}
	}

	/**
	 * Checks a number that is a part of something.
	 * @param key the key of the property
	 * @param value the value
	 * @throws InvalidPropertyValueException if it is out of range
	 */
	public void part(String key, @Nullable Double value) {
		if (value != null && !(value >= 0 && value <= 1)) {
			throw new InvalidPropertyValueException(name(key), value.toString(), "must be a number from 0 to 1");
		}
	}

	/**
	 * Checks a duration that cannot be zero.
	 * @param key the key of the property
	 * @param value the value
	 * @throws InvalidPropertyValueException if it is out of range
	 */
	public void moreThanZero(String key, @Nullable Duration value) {
		if (value != null && !isSensible(value)) {
			throw new InvalidPropertyValueException(name(key), text(value),
					"must be between 1ms and %s".formatted(text(LONGEST)));
		}
	}

	/**
	 * Checks a duration that may be zero.
	 * @param key the key of the property
	 * @param value the value
	 * @throws InvalidPropertyValueException if it is out of range
	 */
	public void zeroOrMore(String key, @Nullable Duration value) {
		zeroOrMore(key, value, LONGEST);
	}

	/**
	 * Checks a duration that may be zero and has a limit of its own.
	 * @param key the key of the property
	 * @param value the value
	 * @param longest the limit
	 * @throws InvalidPropertyValueException if it is out of range
	 */
	public void zeroOrMore(String key, @Nullable Duration value, Duration longest) {
		if (value == null || value.isZero()) {
			return;
		}
		if (value.compareTo(SHORTEST) < 0 || value.compareTo(longest) > 0) {
			throw new InvalidPropertyValueException(name(key), text(value),
					"must be zero or between 1ms and %s".formatted(text(longest)));
		}
	}

	private String name(String key) {
		return this.prefix + "." + key;
	}

	private static String text(Duration duration) {
		if (duration.getNano() == 0) {
			return (duration.toSecondsPart() == 0 && duration.toHoursPart() == 0 && duration.toMinutesPart() == 0
					&& !duration.isZero()) ? duration.toDays() + "d" : duration.toSeconds() + "s";
		}
		return duration.toString();
	}

}
