package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * Notice of an event in an election.
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
	 * The term was renewed.
	 *
	 * @param term the term
	 * @param slack the remaining validity before the renewal
	 */
	record Renewed(HeldTerm term, Duration slack) implements ElectionNotice {

	}

	/**
	 * An attempt to renew the term has failed.
	 */
	record RenewalFailed() implements ElectionNotice {

	}

	/**
	 * The work of the term must end while renewals continue.
	 *
	 * @param reason the reason
	 */
	record Draining(EndReason reason) implements ElectionNotice {

	}

	/**
	 * The term is over.
	 *
	 * @param term the term
	 * @param reason the reason
	 */
	record Revoked(HeldTerm term, EndReason reason) implements ElectionNotice {

	}

	/**
	 * The Lease has a new holder.
	 *
	 * @param holder the holder; empty if there is none
	 */
	record HolderChanged(String holder) implements ElectionNotice {

	}

}
