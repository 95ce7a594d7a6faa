package dev.kubeinformer.internal.election;

/**
 * What happens around an election, as it is now.
 *
 * @param ready whether all is ready that must be before this process stands for election
 * @param stop whether to end
 * @param yield whether another process is to lead
 * @param drain how far the work has ended, since it was announced that it must
 * @param lost whether the current term was found to be over by another thread
 */
public record ElectionSignals(boolean ready, boolean stop, boolean yield, Drain drain, boolean lost) {

	/**
	 * How far the work of a term has ended.
	 */
	public enum Drain {

		/** It goes on, or is ending. */
		UNDER_WAY,

		/** Nothing is under way any more. */
		DONE,

		/** Some is under way, and will not be waited for. */
		FAILED

	}

}
