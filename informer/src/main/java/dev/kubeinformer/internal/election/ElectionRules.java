package dev.kubeinformer.internal.election;

/**
 * Rules that ensure that two processes never lead at the same time. They are in one class
 * so that tests can break each rule and show that it is needed.
 */
public class ElectionRules {

	/**
	 * Returns the start of a term's validity. The response may be late, and the process
	 * may have been suspended before it read the response.
	 * @param sent the reading when the renewal was sent
	 * @param answered the reading when its response was read
	 * @return the reading at which the validity starts
	 */
	protected ClockReading validFrom(ClockReading sent, ClockReading answered) {
		return sent;
	}

	/**
	 * Returns the elapsed time of a term, by the clock that has advanced more, because
	 * the other one may have stopped or been set back.
	 * @param validFrom the start of the term's validity
	 * @param now the current clock reading
	 * @return the nanoseconds
	 */
	public long termElapsed(ClockReading validFrom, ClockReading now) {
		return Math.max(now.monotonicSince(validFrom), now.wallSince(validFrom));
	}

	/**
	 * Returns how long a standby has waited between two readings, by the clock that has
	 * advanced less, because the other one may have been set forward. A clock that was
	 * set back does not undo an earlier wait.
	 * @param from the earlier reading
	 * @param to the later reading
	 * @return the nanoseconds
	 */
	protected long waited(ClockReading from, ClockReading to) {
		return Math.max(0, Math.min(to.monotonicSince(from), to.wallSince(from)));
	}

	/**
	 * Returns whether a standby's wait continues. It restarts after any write, because a
	 * write shows that the holder is running.
	 * @param waiting the Lease at the start of the wait
	 * @param read the Lease as just read
	 * @return {@code true} if no process has written the Lease since
	 */
	protected boolean isUnchanged(LeaseAnswer.Found waiting, LeaseAnswer.Found read) {
		return waiting.resourceVersion().equals(read.resourceVersion());
	}

	/**
	 * Returns whether the Lease may be released.
	 * @param justRead the Lease as it was read after the work had ended
	 * @param identity the identity of this process
	 * @param drained {@code true} if no work is running any more
	 * @return {@code true} if this process may release the Lease
	 */
	protected boolean mayRelease(LeaseRecord justRead, String identity, boolean drained) {
		return drained && justRead.holder().equals(identity);
	}

}
