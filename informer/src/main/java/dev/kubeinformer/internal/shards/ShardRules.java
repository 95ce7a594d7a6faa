package dev.kubeinformer.internal.shards;

import dev.kubeinformer.internal.election.ClockReading;

/**
 * Rules that ensure that two members never work on the same slot at the same time. They
 * are in one class so that tests can break each rule and show that it is needed.
 */
public class ShardRules {

	/**
	 * Returns the start of a term's validity. The response may be late, and the process
	 * may have been suspended before it read the response.
	 * @param sent the reading when the write was sent
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
	 * Returns how long a member has waited between two readings, by the clock that has
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
	 * Returns whether a member is dead: its term is over, whatever its clocks show. Times
	 * in its record come from other clocks and are not compared.
	 * @param record the record of the member
	 * @param waited the nanoseconds since its version was first read
	 * @param duration the nanoseconds after which it is dead
	 * @param now the current clock reading
	 * @return {@code true} if the member is dead
	 */
	protected boolean isDead(MemberRecord record, long waited, long duration, ClockReading now) {
		return waited >= duration;
	}

	/**
	 * Returns whether a member in a list counts as dead. It must have been dead when the
	 * list was sent, because the list may show a state that was already old when the
	 * response was read.
	 * @param deadWhenSent whether the member with this version was dead when the list was
	 * sent
	 * @param deadNow whether it is dead now
	 * @return {@code true} if the member counts as dead
	 */
	protected boolean isDeadInList(boolean deadWhenSent, boolean deadNow) {
		return deadWhenSent;
	}

	/**
	 * Returns the slots that may be released, because their work has ended.
	 * @param draining the slots whose work was asked to end
	 * @param drained the slots whose work has ended since then
	 * @return the slots
	 */
	protected SlotSet releasable(SlotSet draining, SlotSet drained) {
		return draining.intersect(drained);
	}

	/**
	 * Returns the claims that a list may decide, because they were stored before the list
	 * was sent. So if two members claim a slot, at least one sees the claim of the other.
	 * @param claims the slots that this member claims
	 * @param stored the slots in its Lease
	 * @return the slots
	 */
	protected SlotSet decidable(SlotSet claims, SlotSet stored) {
		return claims.intersect(stored);
	}

	/**
	 * Returns whether a claim waits while a member with a lower score claims the same
	 * slot. That member may not see this claim, so it may have gained the slot.
	 * @return {@code true} if it waits
	 */
	protected boolean waitsForOtherClaims() {
		return true;
	}

	/**
	 * Returns whether the Lease is read after a write without a response, because it is
	 * unknown whether the write had an effect.
	 * @return {@code true} if the Lease is read
	 */
	protected boolean readsAfterLostAnswer() {
		return true;
	}

	/**
	 * Returns whether a write without a response cannot have an effect any more. It can
	 * still have an effect while the Lease has the version that the write expects.
	 * @param expected the version that the write expects
	 * @param read the version that was read since
	 * @return {@code true} if the write has had its effect or cannot have one
	 */
	protected boolean isSettled(String expected, String read) {
		return !expected.equals(read);
	}

	/**
	 * Returns whether slots of a deleted Lease stay blocked until the term of its member
	 * is over, because the member may not know that it was deleted.
	 * @return {@code true} if they stay blocked
	 */
	protected boolean remembersDeleted() {
		return true;
	}

}
