package dev.kubeinformer.internal.election;

/**
 * Rules that ensure that two processes never lead at the same time. They are in a class
 * of their own, so that tests can break each rule and show that it is needed.
 */
public class ElectionRules {

	/**
	 * Returns the time from which a term is valid. It is the time of sending, because the
	 * response may be late, and the process may have been suspended before it read the
	 * response.
	 * @param sent the clock reading when the renewal was sent
	 * @param answered the clock reading when its response was read
	 * @return the clock reading from which the term is valid
	 */
	protected ClockReading validFrom(ClockReading sent, ClockReading answered) {
		return sent;
	}

	/**
	 * Returns the time since a term was last renewed, by the clock that has advanced
	 * more, because the other clock may have stopped or been set back.
	 * @param validFrom the clock reading from which the term is valid
	 * @param now the current clock reading
	 * @return the nanoseconds
	 */
	public long termElapsed(ClockReading validFrom, ClockReading now) {
		return Math.max(now.monotonicSince(validFrom), now.wallSince(validFrom));
	}

	/**
	 * Returns how long a standby has waited between two readings, by the clock that has
	 * advanced less, because the other clock may have been set forward. If a clock was
	 * set back, the result is not negative, so an earlier wait is not undone.
	 * @param from the earlier reading
	 * @param to the later reading
	 * @return the nanoseconds
	 */
	protected long waited(ClockReading from, ClockReading to) {
		return Math.max(0, Math.min(to.monotonicSince(from), to.wallSince(from)));
	}

	/**
	 * Returns whether a standby's wait continues. After any write of the Lease the wait
	 * restarts, because a write shows that the holder is running.
	 * @param waiting the Lease at the start of the wait
	 * @param read the Lease as just read
	 * @return {@code true} if no process has written the Lease since the start of the
	 * wait
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
