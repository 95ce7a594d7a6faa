package dev.kubeinformer;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The log of one handler's failures. The first of a kind comes with its stack trace;
 * those that follow within a minute are counted, and told with the next one that is
 * logged: a handler that fails on each of many objects must not fill the disk.
 */
final class FailureLog {

	private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_KINDS = 50;

	private final Logger logger;

	private final LongSupplier nanoTime;

	private final Map<String, Kind> kinds = new HashMap<>();

	FailureLog(Logger logger, LongSupplier nanoTime) {
		this.logger = logger;
		this.nanoTime = nanoTime;
	}

	void failed(String what, Throwable cause) {
		long suppressed = count(kind(cause));
		if (suppressed < 0) {
			this.logger.debug("{}: {}", what, cause.getClass().getName());
		}
		else if (suppressed == 0) {
			this.logger.error("{}", what, cause);
		}
		else {
			this.logger.error("{}, after {} more failures of this kind", what, suppressed, cause);
		}
	}

	/**
	 * Counts a failure.
	 * @param name its kind
	 * @return how many were not logged since the last one of its kind that was; negative
	 * if this one is not to be logged either
	 */
	private synchronized long count(String name) {
		long now = this.nanoTime.getAsLong();
		Kind kind = this.kinds.get(name);
		if (kind == null) {
			if (this.kinds.size() >= MOST_KINDS) {
				this.kinds.clear();
			}
			this.kinds.put(name, new Kind(now, 0));
			return 0;
		}
		if (now - kind.logged < QUIET) {
			this.kinds.put(name, new Kind(kind.logged, kind.suppressed + 1));
			return -1;
		}
		this.kinds.put(name, new Kind(now, 0));
		return kind.suppressed;
	}

	private static String kind(Throwable cause) {
		StackTraceElement @Nullable [] trace = cause.getStackTrace();
		return cause.getClass().getName() + ((trace != null && trace.length > 0) ? "@" + trace[0] : "");
	}

	private record Kind(long logged, long suppressed) {

	}

}
