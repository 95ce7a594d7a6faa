package dev.kubeinformer.internal.elector;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;

/**
 * Receives the events of terms immediately, in the thread that notices them. Its methods
 * must return quickly.
 */
public interface TermReport {

	/**
	 * Called when a term has begun.
	 * @param term the term
	 */
	void granted(Leadership.Term term);

	/**
	 * Called when a term has ended.
	 * @param number the number of the term
	 * @param reason the reason
	 */
	void revoked(long number, RevocationReason reason);

	/**
	 * Called when work of a term did not end within the drain timeout.
	 */
	void undrained();

}
