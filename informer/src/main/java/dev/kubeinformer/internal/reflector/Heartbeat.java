package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Knowledge about an idle watch: whether the server sends bookmarks, and how long it may
 * be silent before the watch counts as broken.
 *
 * @param bookmarkAt the time of the last bookmark of the current watch, in nanoseconds
 * @param regular whether the server was seen to send bookmarks more often than the idle
 * timeout
 * @param quiet whether the server is known to send nothing while no object changes
 * @param nothingMissed the number of consecutive lists that were requested after silent
 * watches and did not differ from the cache
 */
record Heartbeat(@Nullable Long bookmarkAt, boolean regular, boolean quiet, int nothingMissed) {

	private static final int MOST_EMPTY_WATCHES = 3;

	private static final int MOST_DOUBLINGS = 2;

	Heartbeat(@Nullable Long bookmarkAt, boolean regular, boolean quiet) {
		this(bookmarkAt, regular, quiet, 0);
	}

	static Heartbeat unknown() {
		return new Heartbeat(null, false, false);
	}

	/**
	 * Returns the heartbeat after a bookmark.
	 * @param now the time, in nanoseconds
	 * @param idleTimeout the longest time for which the server may be silent
	 * @return the heartbeat
	 */
	Heartbeat bookmarked(long now, Duration idleTimeout) {
		Long before = this.bookmarkAt;
		boolean inTime = before != null && now - before <= idleTimeout.toNanos();
		return new Heartbeat(now, this.regular || inTime, this.quiet && !inTime, this.nothingMissed);
	}

	Heartbeat watchEnded() {
		// The time between bookmarks of different watches is not the interval of the
		// server.
		return (this.bookmarkAt == null) ? this : new Heartbeat(null, this.regular, this.quiet, this.nothingMissed);
	}

	Heartbeat knownToBeQuiet() {
		return new Heartbeat(this.bookmarkAt, this.regular, true, this.nothingMissed);
	}

	/**
	 * Returns the heartbeat after a list that was requested after silent watches and did
	 * not differ from the cache. The next such list is requested later. Otherwise a
	 * collection without changes would be listed often: load balancers cut its watches,
	 * and the version of a list grows with each change of any other object in the
	 * cluster.
	 * @param silent whether a watch was silent for too long
	 * @return the heartbeat
	 */
	Heartbeat nothingWasMissed(boolean silent) {
		return new Heartbeat(this.bookmarkAt, this.regular, this.quiet || (silent && !this.regular),
				Math.min(MOST_DOUBLINGS, this.nothingMissed + 1));
	}

	/**
	 * Returns the heartbeat after a list that contained a change that the watches had
	 * missed.
	 * @return the heartbeat
	 */
	Heartbeat somethingWasMissed() {
		return new Heartbeat(this.bookmarkAt, this.regular, false, 0);
	}

	/**
	 * Returns the number of consecutive {@linkplain WatchFailureCounts#emptyWatches()
	 * empty} watches after which the server's current {@code resourceVersion} is
	 * requested.
	 * @return the number
	 */
	int mostEmptyWatches() {
		return MOST_EMPTY_WATCHES << this.nothingMissed;
	}

}
