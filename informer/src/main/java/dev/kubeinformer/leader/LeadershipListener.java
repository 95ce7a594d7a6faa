package dev.kubeinformer.leader;

import java.time.Duration;

/**
 * Listener to the leadership of this process. It is called by a thread that renews no
 * Lease; a slow one delays other listeners.
 */
public interface LeadershipListener {

	/**
	 * Called when a term began.
	 * @param term the term
	 */
	default void granted(Leadership.Term term) {
	}

	/**
	 * Called when a term is over.
	 * @param term the term
	 * @param reason why it is over
	 */
	default void revoked(Leadership.Term term, RevocationReason reason) {
	}

	/**
	 * Called when the Lease was renewed.
	 * @param slack what was left of the term when the renewal's answer came
	 */
	default void renewed(Duration slack) {
	}

	/**
	 * Called when an attempt to renew the Lease failed.
	 */
	default void renewalFailed() {
	}

	/**
	 * Called when the API server answered a request for the Lease with a warning. It is
	 * called for each of them.
	 * @param warning the warning, escaped and of at most 256 characters
	 */
	default void warningReceived(String warning) {
	}

}
