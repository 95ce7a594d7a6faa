package dev.kubeinformer.test.internal.table;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

import tools.jackson.databind.JsonNode;

/**
 * Prints the age of a time in the format of kubectl.
 */
final class Age {

	private static final String UNKNOWN = "<unknown>";

	private Age() {
	}

	static String of(JsonNode timestamp) {
		if (!timestamp.isString()) {
			return UNKNOWN;
		}
		try {
			Instant then = OffsetDateTime.parse(timestamp.stringValue()).toInstant();
			return human(Duration.between(then, Instant.now()));
		}
		catch (DateTimeException ex) {
			return "<invalid>";
		}
	}

	// HumanDuration of k8s.io/apimachinery: two units while the first is small.
	static String human(Duration age) {
		long seconds = age.toSeconds();
		if (seconds < 0) {
			return (seconds < -1) ? "<invalid>" : "0s";
		}
		long minutes = age.toMinutes();
		long hours = age.toHours();
		long days = hours / 24;
		if (seconds < 120) {
			return seconds + "s";
		}
		if (minutes < 10) {
			return two(minutes, "m", seconds % 60, "s");
		}
		if (minutes < 180) {
			return minutes + "m";
		}
		if (hours < 8) {
			return two(hours, "h", minutes % 60, "m");
		}
		if (hours < 48) {
			return hours + "h";
		}
		if (days < 8) {
			return two(days, "d", hours % 24, "h");
		}
		if (days < 730) {
			return days + "d";
		}
		long years = days / 365;
		return (years < 8) ? two(years, "y", days % 365, "d") : years + "y";
	}

	private static String two(long first, String unit, long second, String smaller) {
		return (second == 0) ? first + unit : first + unit + second + smaller;
	}

}
