package dev.kubeinformer.internal.election;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * State of the Lease when this process last read it, and the time for which it has not
 * changed, by the clocks of this process.
 *
 * @param lease the Lease; {@code null} if it does not exist
 * @param dangerous {@code true} if another process may still lead, because it may not
 * know that its Lease was deleted
 * @param waited the nanoseconds for which the Lease has not changed
 * @param at the clock reading up to which these nanoseconds were counted
 */
record Observation(LeaseAnswer.@Nullable Found lease, boolean dangerous, long waited, ClockReading at) {

	/**
	 * Shortest interval that is counted. The wall clock cannot show a shorter interval
	 * reliably.
	 */
	private static final long COUNTED = TimeUnit.MILLISECONDS.toNanos(100);

	static Observation of(@Nullable Observation before, LeaseAnswer.Found lease, ClockReading now,
			ElectionRules rules) {
		if (before != null && before.lease != null && rules.isUnchanged(before.lease, lease)) {
			return new Observation(lease, false, before.waited, before.at);
		}
		return new Observation(lease, false, 0, now);
	}

	static Observation absent(@Nullable Observation before, boolean ownTerm, ClockReading now) {
		if (before != null && before.lease == null) {
			return before;
		}
		// After a term of this process, no other process can have held the Lease: it
		// would still have to wait.
		return new Observation(null, before != null && !ownTerm, 0, now);
	}

	Observation advanced(ClockReading now, ElectionRules rules) {
		return (now.monotonicSince(this.at) < COUNTED) ? this
				: new Observation(this.lease, this.dangerous, waited(now, rules), now);
	}

	long waited(ClockReading now, ElectionRules rules) {
		return this.waited + rules.waited(this.at, now);
	}

	@Nullable LeaseRecord record() {
		return (this.lease != null) ? this.lease.record() : null;
	}

}
