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
 */
record Heartbeat(@Nullable Long bookmarkAt, boolean regular, boolean quiet) {

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
		return new Heartbeat(now, this.regular || inTime, this.quiet && !inTime);
	}

	Heartbeat watchEnded() {
		// Bookmarks of different watches do not show how often they come.
		return (this.bookmarkAt == null) ? this : new Heartbeat(null, this.regular, this.quiet);
	}

	Heartbeat knownToBeQuiet() {
		return new Heartbeat(this.bookmarkAt, this.regular, true);
	}

}
