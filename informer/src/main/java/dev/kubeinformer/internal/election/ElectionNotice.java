package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * What has happened in an election.
 */
public sealed interface ElectionNotice {

	/**
	 * A term began.
	 *
	 * @param term the term
	 */
	record Granted(HeldTerm term) implements ElectionNotice {

	}

	/**
	 * The term goes on.
	 *
	 * @param term the term
	 * @param slack what was left of it
	 */
	record Renewed(HeldTerm term, Duration slack) implements ElectionNotice {

	}

	/**
	 * An attempt to renew the term has failed.
	 */
	record RenewalFailed() implements ElectionNotice {

	}

	/**
	 * The work of the term must end, and renewals go on meanwhile.
	 *
	 * @param reason why
	 */
	record Draining(EndReason reason) implements ElectionNotice {

	}

	/**
	 * The term is over.
	 *
	 * @param term the term
	 * @param reason why
	 */
	record Revoked(HeldTerm term, EndReason reason) implements ElectionNotice {

	}

	/**
	 * The Lease has another holder than before.
	 *
	 * @param holder the holder; empty if there is none
	 */
	record HolderChanged(String holder) implements ElectionNotice {

	}

}
