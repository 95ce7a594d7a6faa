package dev.kubeinformer.internal.election;

/**
 * Current signals from outside an election.
 *
 * @param ready {@code true} if this process is ready to stand for election
 * @param stop {@code true} to end the election
 * @param yield {@code true} to let another process lead
 * @param drain the progress of the work's end since the end was announced
 * @param lost {@code true} if another thread found that the current term is over
 */
public record ElectionSignals(boolean ready, boolean stop, boolean yield, Drain drain, boolean lost) {

	/**
	 * Progress of the end of a term's work.
	 */
	public enum Drain {

		/** The work continues, or is ending. */
		UNDER_WAY,

		/** No work is running any more. */
		DONE,

		/** Some work is still running and is not awaited. */
		FAILED

	}

}
