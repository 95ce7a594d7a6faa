package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a credential may be fetched again after the API server rejected it (HTTP
 * 401). The minimum time between two such fetches grows until no credential was rejected
 * for a while. Not thread-safe.
 */
final class Refusals {

	/**
	 * Time without a rejection after which the first rejection counts as a new beginning.
	 */
	private static final Duration QUIET = Duration.ofMinutes(5);

	private int fetches;

	private long lastRefusal;

	private long lastEnd;

	/**
	 * Records a rejected credential, and returns whether another fetch must wait.
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
	 * Records the start of a fetch after a rejection.
	 */
	void started() {
		this.fetches++;
	}

	/**
	 * Records the end of a fetch after a rejection.
	 * @param now the time, in nanoseconds
	 */
	void ended(long now) {
		this.lastEnd = now;
	}

	/**
	 * Returns whether there was more than one fetch since the first rejection.
	 * @return {@code true} if there were at least two fetches
	 */
	boolean areSeveral() {
		return this.fetches > 1;
	}

}
