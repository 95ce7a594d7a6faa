package dev.kubeinformer.internal.elector;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;

/**
 * Receives the events of terms at once, in the thread that notices them. Calls must
 * return quickly.
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
	 * Called when work did not drain in time.
	 */
	void undrained();

}
