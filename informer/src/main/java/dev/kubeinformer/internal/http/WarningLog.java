package dev.kubeinformer.internal.http;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;

/**
 * Logs each distinct warning of the API server once. Objects and webhooks can cause any
 * number of distinct warnings, so only a limited number is remembered. When the limit is
 * reached, other warnings are logged only at debug level for an hour. Safe for use by
 * several threads.
 */
public final class WarningLog {

	/** Maximum number of remembered warnings. */
	static final int MOST = 100;

	private static final Duration QUIET = Duration.ofHours(1);

	private final Logger logger;

	private final Supplier<String> writer;

	private final LongSupplier nanoTime;

	/** Remembered warnings; guarded by this. */
	private final Set<Warning> known = new HashSet<>();

	/** Time at which the limit was exceeded; guarded by this. */
	private long fullAt;

	/** Whether the limit was exceeded; guarded by this. */
	private boolean full;

	/**
	 * Creates a log.
	 * @param logger the logger
	 * @param writer returns the name of the component that sent the requests, for the
	 * message
	 * @param nanoTime the monotonic clock
	 */
	public WarningLog(Logger logger, Supplier<String> writer, LongSupplier nanoTime) {
		this.logger = logger;
		this.writer = writer;
		this.nanoTime = nanoTime;
	}

	/**
	 * Logs a warning, unless it was logged before.
	 * @param resource the resource of the request
	 * @param text the warning, escaped and shortened
	 */
	public void warned(String resource, String text) {
		switch (note(new Warning(resource, text))) {
			case NEW -> this.logger.warn("{} got a warning from the API server about its request for '{}': {}",
					this.writer.get(), resource, text);
			case ONE_TOO_MANY -> this.logger.warn(
					"{} got more than {} different warnings from the API server; further ones are logged at debug level for {} minutes. This one is about its request for '{}': {}",
					this.writer.get(), MOST, QUIET.toMinutes(), resource, text);
			case KNOWN -> this.logger.debug("{} got a warning from the API server about its request for '{}': {}",
					this.writer.get(), resource, text);
		}
	}

	private synchronized Novelty note(Warning warning) {
		if (this.full && this.nanoTime.getAsLong() - this.fullAt >= QUIET.toNanos()) {
			this.full = false;
			this.known.clear();
		}
		if (this.full || this.known.contains(warning)) {
			return Novelty.KNOWN;
		}
		if (this.known.size() < MOST) {
			this.known.add(warning);
			return Novelty.NEW;
		}
		this.full = true;
		this.fullAt = this.nanoTime.getAsLong();
		return Novelty.ONE_TOO_MANY;
	}

	private enum Novelty {

		NEW, KNOWN, ONE_TOO_MANY

	}

	private record Warning(String resource, String text) {

	}

}
