package dev.kubeinformer.test.internal.builtin;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Syntax of the schedules of CronJobs (robfig/cron, the parser of kube-apiserver).
 */
final class CronSchedule {

	private static final Set<String> DESCRIPTORS = Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily",
			"@midnight", "@hourly");

	private static final List<Bounds> FIELDS = List.of(new Bounds(0, 59, List.of()), new Bounds(0, 23, List.of()),
			new Bounds(1, 31, List.of()),
			new Bounds(1, 12,
					List.of("", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
			new Bounds(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

	private CronSchedule() {
	}

	// Returns the error, or null for a valid schedule.
	static @Nullable String wrong(String schedule) {
		String text = schedule;
		if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
			text = text.substring(Math.max(text.indexOf(' '), 0)).strip();
		}
		if (text.startsWith("@")) {
			boolean known = DESCRIPTORS.contains(text)
					|| text.matches("@every ([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+");
			if (known) {
				return null;
			}
			return (text.startsWith("@every "))
					? "failed to parse duration " + text + ": time: invalid duration \"" + text.substring(7) + "\""
					: "unrecognized descriptor: " + text;
		}
		String[] fields = text.strip().split("\\s+");
		if (fields.length != 5) {
			return "expected exactly 5 fields, found " + ((text.isBlank()) ? 0 : fields.length) + ": ["
					+ String.join(" ", fields) + "]";
		}
		for (int i = 0; i < fields.length; i++) {
			for (String part : fields[i].split(",")) {
				String wrong = FIELDS.get(i).wrong(part);
				if (wrong != null) {
					return wrong;
				}
			}
		}
		return null;
	}

	/**
	 * Bounds of a field.
	 *
	 * @param least the least number
	 * @param most the greatest number
	 * @param names the names of the numbers from 0 on
	 */
	private record Bounds(int least, int most, List<String> names) {

		@Nullable String wrong(String part) {
			String[] rangeAndStep = part.split("/", -1);
			String[] limits = rangeAndStep[0].split("-", -1);
			if (limits.length > 2) {
				return "too many hyphens: " + part;
			}
			if (rangeAndStep.length > 2) {
				return "too many slashes: " + part;
			}
			int start = this.least;
			int end = this.most;
			if (!"*".equals(limits[0]) && !"?".equals(limits[0])) {
				for (String limit : limits) {
					if (number(limit) < 0) {
						return "failed to parse int from " + limit + ": strconv.Atoi: parsing \"" + limit
								+ "\": invalid syntax";
					}
				}
				start = number(limits[0]);
				end = (limits.length == 2) ? number(limits[1]) : (rangeAndStep.length == 2) ? this.most : start;
			}
			if (rangeAndStep.length == 2) {
				if (!rangeAndStep[1].matches("[0-9]{1,9}")) {
					return "failed to parse int from " + rangeAndStep[1] + ": strconv.Atoi: parsing \""
							+ rangeAndStep[1] + "\": invalid syntax";
				}
				if (Integer.parseInt(rangeAndStep[1]) == 0) {
					return "step of range should be a positive number: " + part;
				}
			}
			if (start < this.least) {
				return "beginning of range (" + start + ") below minimum (" + this.least + "): " + part;
			}
			if (end > this.most) {
				return "end of range (" + end + ") above maximum (" + this.most + "): " + part;
			}
			return (start > end) ? "beginning of range (" + start + ") beyond end of range (" + end + "): " + part
					: null;
		}

		private int number(String text) {
			int named = this.names.indexOf(text.toLowerCase(Locale.ROOT));
			if (named >= 0 && !text.isEmpty()) {
				return named;
			}
			return (text.matches("[0-9]{1,9}")) ? Integer.parseInt(text) : -1;
		}

	}

}
