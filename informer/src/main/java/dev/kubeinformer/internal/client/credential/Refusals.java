package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.time.Instant;

/**
 * Fetches that the API server asked for by refusing a credential (HTTP 401). They follow
 * each other more and more slowly until no credential is refused for a while. Not safe
 * for use by several threads.
 */
final class Refusals {

	/** Time without a refusal after which the next one is the first again. */
	private static final Duration QUIET = Duration.ofMinutes(5);

	private int fetches;

	private long lastRefusal;

	private long lastEnd;

	/**
	 * Notes that a credential was refused.
	 * @param now the time, in nanoseconds
	 * @return whether it is too early for another fetch
	 */
	boolean isEarly(long now) {
		if (now - this.lastRefusal >= QUIET.toNanos()) {
			this.fetches = 0;
		}
		this.lastRefusal = now;
		return this.fetches > 0 && now - this.lastEnd < Renewal.pause(this.fetches, Instant.EPOCH, null).toNanos();
	}

	/**
	 * Notes that a fetch was asked for.
	 */
	void started() {
		this.fetches++;
	}

	/**
	 * Notes that a fetch ended that was asked for.
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
