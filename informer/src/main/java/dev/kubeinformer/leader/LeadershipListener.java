package dev.kubeinformer.leader;

import java.time.Duration;

/**
 * Listener to the leadership of this process. Listeners share a thread, so a slow
 * listener delays the others but never a renewal.
 */
public interface LeadershipListener {

	/**
	 * Called when a term has begun.
	 * @param term the term
	 */
	default void granted(Leadership.Term term) {
	}

	/**
	 * Called when a term has ended.
	 * @param term the term
	 * @param reason the reason why the term has ended
	 */
	default void revoked(Leadership.Term term, RevocationReason reason) {
	}

	/**
	 * Called when the Lease was renewed.
	 * @param slack the remaining validity of the old term when the response to the
	 * renewal arrived
	 */
	default void renewed(Duration slack) {
	}

	/**
	 * Called when an attempt to renew the Lease failed.
	 */
	default void renewalFailed() {
	}

	/**
	 * Called when the API server's response to a request for the Lease has a warning.
	 * Called once per warning.
	 * @param warning the warning, escaped, at most 256 characters
	 */
	default void warningReceived(String warning) {
	}

}
