package dev.kubeinformer.leader;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Tells whether this process is the leader among the replicas of an application. At most
 * one replica has a valid term at any moment, provided that clocks run at about the same
 * rate.
 * <p>
 * All methods may be called from any thread.
 *
 * @see dev.kubeinformer.LeaderElector
 */
public interface Leadership {

	/**
	 * Returns whether this process leads now. The result is computed from the clocks, so
	 * a process that was suspended past the end of its term notices at once. It can still
	 * be outdated when you act on it, because the process can be suspended right after
	 * the call.
	 * @return {@code true} if this process leads
	 */
	boolean isLeader();

	/**
	 * Returns the current term of this process.
	 * @return the term; {@code null} if this process does not lead
	 */
	@Nullable Term term();

	/**
	 * Returns whether a term is still the current one.
	 * @param term the term
	 * @return {@code true} if this process has led without interruption since that term
	 * began
	 */
	default boolean holds(Term term) {
		Term current = term();
		return current != null && current.number() == term.number();
	}

	/**
	 * Hands the leadership over to another replica. {@link LeaderWork Work} is drained
	 * while the Lease is still renewed, then the Lease is released. This replica does not
	 * stand for election again until another replica has become the leader, or the lease
	 * duration has passed. Returns at once, and does nothing if this process does not
	 * lead.
	 */
	void yield();

	/**
	 * Returns the holder of the Lease when this process last read it. This process may be
	 * the holder.
	 * @return the identity of the holder; {@code null} if no holder is known
	 */
	@Nullable String holder();

	/**
	 * Registers work that only the leader does. If this process leads, the work is
	 * granted the current term at once.
	 * @param work the work
	 * @return the registration; closing it stops further calls of the work but does not
	 * cancel it
	 */
	Registration register(LeaderWork work);

	/**
	 * Runs a task on its own thread while this process leads. The task starts with each
	 * term; its thread is interrupted when the term drains or is lost. A task that
	 * returns or fails does not run again before the next term.
	 * @param name the name of the thread, which also appears in the log
	 * @param task the task
	 * @return the registration; closing it interrupts the thread of a running task
	 */
	Registration runWhileLeader(String name, LeaderTask task);

	/**
	 * Adds a listener. The listener is notified of everything that happens after this
	 * call.
	 * @param listener the listener
	 */
	void addListener(LeadershipListener listener);

	/**
	 * Removes a listener. A notification in progress may end later.
	 * @param listener the listener
	 */
	void removeListener(LeadershipListener listener);

	/**
	 * Period in which this process leads, from an acquisition of the Lease to its loss.
	 *
	 * @param number the number of the term, which grows with each acquisition by any
	 * replica ({@code spec.leaseTransitions} of the Lease, a 32-bit number that continues
	 * with 1 after 2147483647)
	 * @param since the time of the acquisition, by the wall clock of this process
	 * @param validUntil the time at which the term ends unless it is renewed
	 */
	record Term(long number, Instant since, Instant validUntil) {
	}

	/**
	 * Registration that can be ended.
	 */
	@FunctionalInterface
	interface Registration extends AutoCloseable {

		/**
		 * Ends the registration. Does nothing if it has already ended.
		 */
		@Override
		void close();

	}

}
