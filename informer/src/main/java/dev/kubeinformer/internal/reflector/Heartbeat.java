package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the server sends when nothing happens.
 *
 * @param bookmarkAt when the watch under way brought its last bookmark, in nanoseconds
 * @param regular whether the server was seen to send bookmarks more often than it may be
 * silent
 * @param quiet whether the server is known to be silent when nothing happens
 * @param nothingMissed the number of lists in a row which showed that watches without a
 * byte had missed nothing
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
	 * @param idleTimeout how long the server may be silent
	 * @return the heartbeat
	 */
	Heartbeat bookmarked(long now, Duration idleTimeout) {
		Long before = this.bookmarkAt;
		boolean inTime = before != null && now - before <= idleTimeout.toNanos();
		return new Heartbeat(now, this.regular || inTime, this.quiet && !inTime, this.nothingMissed);
	}

	Heartbeat watchEnded() {
		// Bookmarks of different watches do not show how often they come.
		return (this.bookmarkAt == null) ? this : new Heartbeat(null, this.regular, this.quiet, this.nothingMissed);
	}

	Heartbeat knownToBeQuiet() {
		return new Heartbeat(this.bookmarkAt, this.regular, true, this.nothingMissed);
	}

	/**
	 * Returns the heartbeat after a list that was read because watches had brought
	 * nothing, and that was the cache. Load balancers cut the watches of collections in
	 * which nothing happens, and their versions move with every other object of the
	 * cluster: such lists become rarer.
	 * @param silent whether a watch was silent for too long
	 * @return the heartbeat
	 */
	Heartbeat nothingWasMissed(boolean silent) {
		return new Heartbeat(this.bookmarkAt, this.regular, this.quiet || (silent && !this.regular),
				Math.min(MOST_DOUBLINGS, this.nothingMissed + 1));
	}

	/**
	 * Returns the heartbeat after a list that showed a change which watches had not
	 * brought.
	 * @return the heartbeat
	 */
	Heartbeat somethingWasMissed() {
		return new Heartbeat(this.bookmarkAt, this.regular, false, 0);
	}

	/**
	 * Returns how many watches in a row may bring nothing before the server's version is
	 * asked for.
	 * @return the number
	 */
	int mostEmptyWatches() {
		return MOST_EMPTY_WATCHES << this.nothingMissed;
	}

}
