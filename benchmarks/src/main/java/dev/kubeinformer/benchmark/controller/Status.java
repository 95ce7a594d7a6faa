package dev.kubeinformer.benchmark.controller;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Report of a program about itself.
 *
 * @param reconciles runs that ended
 * @param failures the failed ones of these runs
 * @param writes writes that the server responded
 * @param lastWrite the time of the last response, in milliseconds of the epoch
 * @param heap the bytes of the heap in use after collections; 0 if not requested
 */
record Status(long reconciles, long failures, long writes, long lastWrite, long heap) {

	static final String MARK = "STATUS ";

	private static final String FORMAT = "{\"reconciles\": %d, \"failures\": %d, \"writes\": %d, \"lastWrite\": %d, \"heap\": %d}";

	private static final Pattern LINE = Pattern.compile(Pattern.quote(MARK + FORMAT).replace("%d", "\\E(\\d+)\\Q"));

	static Status of(String line) {
		Matcher matcher = LINE.matcher(line);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("'%s' is not a status".formatted(line));
		}
		return new Status(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)),
				Long.parseLong(matcher.group(3)), Long.parseLong(matcher.group(4)), Long.parseLong(matcher.group(5)));
	}

	String line() {
		return MARK + FORMAT.formatted(this.reconciles, this.failures, this.writes, this.lastWrite, this.heap);
	}

}
