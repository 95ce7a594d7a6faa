package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.time.Instant;

/**
 * Fetches after the API server rejected a credential (HTTP 401). Their interval grows
 * until no credential has been rejected for a while. Not thread-safe.
 */
final class Refusals {

	/** Time without a rejection after which the next one counts as the first. */
	private static final Duration QUIET = Duration.ofMinutes(5);

	private int fetches;

	private long lastRefusal;

	private long lastEnd;

	/**
	 * Records a rejected credential.
	 * @param now the time, in nanoseconds
	 * @return {@code true} if it is too early for another fetch
	 */
	boolean isEarly(long now) {
		if (now - this.lastRefusal >= QUIET.toNanos()) {
			this.fetches = 0;
		}
		this.lastRefusal = now;
		return this.fetches > 0 && now - this.lastEnd < Renewal.pause(this.fetches, Instant.EPOCH, null).toNanos();
	}

	/**
	 * Records a requested fetch.
	 */
	void started() {
		this.fetches++;
	}

	/**
	 * Records the end of a requested fetch.
	 * @param now the time, in nanoseconds
	 */
	void ended(long now) {
		this.lastEnd = now;
	}

	/**
	 * Returns whether a fetch before the last one belongs to the same series.
	 * @return {@code true} if there was one
	 */
	boolean areSeveral() {
		return this.fetches > 1;
	}

}
