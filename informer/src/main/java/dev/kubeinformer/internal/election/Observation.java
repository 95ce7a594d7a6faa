package dev.kubeinformer.internal.election;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * What a process has seen of the Lease, and how long that has not changed by its own
 * clocks.
 *
 * @param lease the Lease; {@code null} if there is none
 * @param dangerous whether somebody may think that it leads by a Lease that is gone
 * @param waited how long this has not changed, in nanoseconds
 * @param at the reading up to which that was counted
 */
record Observation(LeaseAnswer.@Nullable Found lease, boolean dangerous, long waited, ClockReading at) {

	/** What is shorter may be less than the wall clock can show. */
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
		// After an own term nobody else can have held it: they would have waited longer.
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
