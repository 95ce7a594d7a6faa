package dev.kubeinformer.leader;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Whether this process leads, among all replicas of an application. At most one of them
 * has a valid term at any moment, as far as clocks run at about the same rate.
 * <p>
 * All methods may be called from any thread.
 *
 * @see dev.kubeinformer.LeaderElector
 */
public interface Leadership {

	/**
	 * Returns whether this process leads now. It is asked of the clocks, so that a
	 * process that was suspended past the end of its term sees that at once. What is
	 * decided by it may be late all the same: a process can be suspended right after.
	 * @return whether it leads
	 */
	boolean isLeader();

	/**
	 * Returns the current term of this process.
	 * @return the term; {@code null} if this process does not lead
	 */
	@Nullable Term term();

	/**
	 * Returns whether a term is the current one.
	 * @param term the term
	 * @return whether this process leads, and has ever since the term began
	 */
	default boolean holds(Term term) {
		Term current = term();
		return current != null && current.number() == term.number();
	}

	/**
	 * Lets another replica lead: {@link LeaderWork work} is drained while renewals go on,
	 * then the Lease is released. This replica stands again when another one has led, or
	 * the duration of a Lease has passed. Returns at once, and does nothing if this
	 * process does not lead.
	 */
	void yield();

	/**
	 * Returns the holder of the Lease as this process saw it last, which may be itself.
	 * @return the identity of the holder; {@code null} if there is none, or none was seen
	 */
	@Nullable String holder();

	/**
	 * Adds work that is done by the leader only. If this process leads, the work is
	 * granted the current term at once.
	 * @param work the work
	 * @return ends the addition; the work is not called any more after that, and is not
	 * cancelled by it
	 */
	Registration register(LeaderWork work);

	/**
	 * Runs a task in a thread of its own for as long as this process leads: it begins
	 * with each term, and its thread is interrupted when the term is lost, or drains. A
	 * task that returns or fails is not run again before the next term.
	 * @param name what names the thread and appears in the log
	 * @param task the task
	 * @return ends that: the thread of a running task is interrupted
	 */
	Registration runWhileLeader(String name, LeaderTask task);

	/**
	 * Adds a listener. It is notified of what happens from now on.
	 * @param listener the listener
	 */
	void addListener(LeadershipListener listener);

	/**
	 * Removes a listener. A call under way may end afterwards.
	 * @param listener the listener
	 */
	void removeListener(LeadershipListener listener);

	/**
	 * Time in which this process leads, from an acquisition of the Lease to its loss.
	 *
	 * @param number the number of the term, which grows with each acquisition by any
	 * replica ({@code spec.leaseTransitions} of the Lease, a number of 32 bits: after
	 * 2147483647 it begins again at 1)
	 * @param since when the Lease was acquired, by the wall clock of this process
	 * @param validUntil the moment until which the term is valid without another renewal
	 */
	record Term(long number, Instant since, Instant validUntil) {
	}

	/**
	 * Registration that can be ended.
	 */
	@FunctionalInterface
	interface Registration extends AutoCloseable {

		/**
		 * Ends the registration. Does nothing if it was ended before.
		 */
		@Override
		void close();

	}

}
