package dev.kubeinformer.leader;

import java.util.Collection;
import java.util.List;

/**
 * Work that begins and ends with the terms of a leader, such as a reconciler. For one
 * work the calls come one after the other: granted, then drained, lost, or both.
 *
 * @see Leadership#register(LeaderWork)
 */
public interface LeaderWork {

	/**
	 * Returns what is not ready yet, so that this replica does not stand for election:
	 * caches that are being filled for the first time. What cannot become ready, for want
	 * of rights, does not count.
	 * @return names for people; empty if the work may begin
	 */
	default Collection<String> awaiting() {
		return List.of();
	}

	/**
	 * Begins with a term. It must be quick.
	 * @param term the term
	 */
	void granted(Leadership.Term term);

	/**
	 * Ends in good order, while the term is still renewed: nothing new begins, and what
	 * is under way may end within limits of the work's own. Called in a thread of its
	 * own, which is interrupted when the term is lost meanwhile.
	 * @return whether nothing is under way any more; the Lease is released only then
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean drain() throws InterruptedException;

	/**
	 * Ends at once, because the term is over: nothing new begins, requests under way are
	 * cancelled, threads are interrupted. It must be quick, and wait for nothing. It is
	 * called also after a drain that did not succeed; where a call before it does not end
	 * within a second, it comes beside that.
	 */
	void lost();

}
