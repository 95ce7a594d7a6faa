package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * Notice of an event in an election, for example that a term began.
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
	 * @param slack the time for which the term was still valid when it was renewed
	 */
	record Renewed(HeldTerm term, Duration slack) implements ElectionNotice {

	}

	/**
	 * An attempt to renew the term has failed.
	 */
	record RenewalFailed() implements ElectionNotice {

	}

	/**
	 * The work of the term must end. Renewals continue until it has ended.
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
