package dev.kubeinformer.test;

import java.time.Duration;

/**
 * Checks the times and numbers that a test passes to this API.
 */
final class Checks {

	private Checks() {
	}

	static Duration notNegative(String name, Duration duration) {
		if (duration.isNegative()) {
			throw new IllegalArgumentException("%s '%s' must not be negative".formatted(name, duration));
		}
		return duration;
	}

	static Duration positive(String name, Duration duration) {
		if (duration.isNegative() || duration.isZero()) {
			throw new IllegalArgumentException("%s '%s' must be positive".formatted(name, duration));
		}
		return duration;
	}

	static int atLeast(int least, String name, int number) {
		if (number < least) {
			throw new IllegalArgumentException("%s '%d' must be at least %d".formatted(name, number, least));
		}
		return number;
	}

}
