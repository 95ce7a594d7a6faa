package dev.kubeinformer.leader;

import java.util.Collection;
import java.util.List;

/**
 * Work that begins and ends with the terms of a leader, such as a reconciler. Calls for
 * one work do not overlap: {@code granted}, then {@code drain}, {@code lost} or both.
 *
 * @see Leadership#register(LeaderWork)
 */
public interface LeaderWork {

	/**
	 * Returns the caches that are still being filled for the first time. While there are
	 * any, this replica does not stand for election, unless the sync timeout has passed.
	 * Leave out a cache that cannot sync because permissions are missing.
	 * @return names that appear in the status; empty if the work is ready
	 */
	default Collection<String> awaiting() {
		return List.of();
	}

	/**
	 * Begins the work of a term. Must return quickly.
	 * @param term the term
	 */
	void granted(Leadership.Term term);

	/**
	 * Drains the work while the term is still renewed: begins nothing new, and lets
	 * running operations end within the work's own limits. Called on a separate thread,
	 * which is interrupted if the term is lost during the call.
	 * @return {@code true} if no operation is running any more; only then the Lease is
	 * released
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean drain() throws InterruptedException;

	/**
	 * Ends the work at once because the term is over: begins nothing new, cancels
	 * requests and interrupts threads. Must return quickly and must not wait. Also called
	 * after an unsuccessful drain. If an earlier call does not return within a second,
	 * this method is called concurrently with it.
	 */
	void lost();

}
