package dev.kubeinformer.internal.election;

/**
 * Current signals from outside an election.
 *
 * @param ready {@code true} if this process is ready to stand for election
 * @param stop {@code true} to end the election
 * @param yield {@code true} to let another process lead
 * @param drain whether the work of the term has ended, after the election has announced
 * its end
 * @param lost {@code true} if another thread has found that the current term is over
 */
public record ElectionSignals(boolean ready, boolean stop, boolean yield, Drain drain, boolean lost) {

	/**
	 * Progress of ending the work of a term.
	 */
	public enum Drain {

		/** Some work is still running, and its end is awaited. */
		UNDER_WAY,

		/** No work is running any more. */
		DONE,

		/** Some work is still running, but its end is not awaited any more. */
		FAILED

	}

}
