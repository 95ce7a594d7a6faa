package dev.kubeinformer.internal.election;

/**
 * Rules on which it depends that no two processes lead at the same time. They are in one
 * class so that tests can break each of them, and see that it is needed.
 */
public class ElectionRules {

	/**
	 * Returns from when the validity of a term counts: the answer may be late, and the
	 * process may have been suspended before it read the answer.
	 * @param sent when the renewal was sent
	 * @param answered when its answer was read
	 * @return the reading that counts
	 */
	protected ClockReading validFrom(ClockReading sent, ClockReading answered) {
		return sent;
	}

	/**
	 * Returns how much of a term has passed: whichever clock has advanced more is right,
	 * as the other one may have stood still or may have been set back.
	 * @param validFrom from when the term counts
	 * @param now the present
	 * @return the nanoseconds
	 */
	public long termElapsed(ClockReading validFrom, ClockReading now) {
		return Math.max(now.monotonicSince(validFrom), now.wallSince(validFrom));
	}

	/**
	 * Returns how long a follower has waited between two readings: whichever clock has
	 * advanced less is right, as the other one may have been set forward. A clock that
	 * was set back has not undone what was waited before.
	 * @param from the earlier reading
	 * @param to the later reading
	 * @return the nanoseconds
	 */
	protected long waited(ClockReading from, ClockReading to) {
		return Math.max(0, Math.min(to.monotonicSince(from), to.wallSince(from)));
	}

	/**
	 * Returns whether a follower's wait goes on, or begins anew: any write of the holder
	 * shows that it lives.
	 * @param waiting the Lease since when the follower waits
	 * @param read the Lease as it was read now
	 * @return whether nobody has written it meanwhile
	 */
	protected boolean isUnchanged(LeaseAnswer.Found waiting, LeaseAnswer.Found read) {
		return waiting.resourceVersion().equals(read.resourceVersion());
	}

	/**
	 * Returns whether the Lease may be released.
	 * @param justRead the Lease as it was read after the work had ended
	 * @param identity the identity of this process
	 * @param drained whether no work is under way any more
	 * @return whether it may be released
	 */
	protected boolean mayRelease(LeaseRecord justRead, String identity, boolean drained) {
		return drained && justRead.holder().equals(identity);
	}

}
