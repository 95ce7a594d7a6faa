package dev.kubeinformer.spring.settings;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Checks the ranges of property values. A property without a value is always valid.
 * Internal to the starter.
 */
public final class PropertyRanges {

	/**
	 * Longest valid duration. Its number of nanoseconds fits into a {@code long}.
	 */
	private static final Duration LONGEST = Duration.ofDays(3650);

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private final String prefix;

	/**
	 * Creates the checks.
	 * @param prefix the prefix of the keys
	 */
	public PropertyRanges(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Returns the name of the property for an entry of a map, such as
	 * {@code handlers.pods}. A key with dots needs brackets, as in {@code handlers[a.b]}.
	 * @param map the name of the map
	 * @param key the key
	 * @return the name
	 */
	public static String entry(String map, String key) {
		return (key.contains(".") ? "%s[%s]" : "%s.%s").formatted(map, key);
	}

	/**
	 * Returns whether a duration is valid in a property or an annotation. Callers that
	 * accept zero check that first.
	 * @param duration the duration
	 * @return {@code true} if the duration is neither too short nor too long
	 */
	static boolean isSensible(Duration duration) {
		return duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0;
	}

	/**
	 * Checks an integer.
	 * @param key the key of the property
	 * @param value the value
	 * @param least the smallest valid value
	 * @throws InvalidPropertyValueException if the value is out of range
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
	 * @param least the smallest valid value
	 * @throws InvalidPropertyValueException if the value is out of range
	 */
	public void atLeast(String key, @Nullable Double value, int least) {
		// This comparison also rejects NaN, unlike 'value < least'.
		if (value != null && !(value >= least && value <= Integer.MAX_VALUE)) {
			throw new InvalidPropertyValueException(name(key), value.toString(),
					"must be a number, and at least " + least);
		}
	}

	/**
	 * Checks a fraction, which must be from 0 to 1.
	 * @param key the key of the property
	 * @param value the value
	 * @throws InvalidPropertyValueException if the value is out of range
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
	 * @throws InvalidPropertyValueException if the value is out of range
	 */
	public void moreThanZero(String key, @Nullable Duration value) {
		moreThanZero(key, value, LONGEST);
	}

	/**
	 * Checks a duration that cannot be zero and has an upper limit of its own.
	 * @param key the key of the property
	 * @param value the value
	 * @param longest the limit
	 * @throws InvalidPropertyValueException if the value is out of range
	 */
	public void moreThanZero(String key, @Nullable Duration value, Duration longest) {
		if (value != null && (value.compareTo(SHORTEST) < 0 || value.compareTo(longest) > 0)) {
			throw new InvalidPropertyValueException(name(key), text(value),
					"must be between 1ms and %s".formatted(text(longest)));
		}
	}

	/**
	 * Checks a duration that may be zero.
	 * @param key the key of the property
	 * @param value the value
	 * @throws InvalidPropertyValueException if the value is out of range
	 */
	public void zeroOrMore(String key, @Nullable Duration value) {
		zeroOrMore(key, value, LONGEST);
	}

	/**
	 * Checks a duration that may be zero and has an upper limit of its own.
	 * @param key the key of the property
	 * @param value the value
	 * @param longest the limit
	 * @throws InvalidPropertyValueException if the value is out of range
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
