package dev.kubeinformer.internal.shards;

import java.util.concurrent.TimeUnit;

import dev.kubeinformer.internal.election.ClockReading;

/**
 * Last observed state of another member, and the time for which its Lease has not changed
 * by the clocks of this process.
 *
 * @param lease the Lease
 * @param waited the nanoseconds without a change
 * @param at the clock reading up to which they were counted
 */
record MemberObservation(MemberLease lease, long waited, ClockReading at) {

	/**
	 * Shortest counted interval, because the wall clock cannot show shorter ones
	 * reliably.
	 */
	private static final long COUNTED = TimeUnit.MILLISECONDS.toNanos(100);

	/** Longest trusted duration of a Lease, because a record may contain decades. */
	private static final long LONGEST = TimeUnit.DAYS.toNanos(1);

	MemberObservation advanced(ClockReading now, ShardRules rules) {
		return (now.monotonicSince(this.at) < COUNTED) ? this
				: new MemberObservation(this.lease, waited(now, rules), now);
	}

	long waited(ClockReading now, ShardRules rules) {
		return this.waited + rules.waited(this.at, now);
	}

	/**
	 * Returns the time without a renewal after which the member is dead. The member may
	 * use longer times than this one.
	 * @param times the times of this member
	 * @return the nanoseconds
	 */
	long duration(ShardTimes times) {
		return Math.max(times.leaseDuration().toNanos(),
				Math.min(LONGEST, TimeUnit.SECONDS.toNanos(record().durationSeconds())));
	}

	boolean isDead(ClockReading now, ShardTimes times, ShardRules rules) {
		return rules.isDead(record(), waited(now, rules), duration(times), now);
	}

	MemberRecord record() {
		return this.lease.record();
	}

	String name() {
		return this.lease.name();
	}

	String resourceVersion() {
		return this.lease.resourceVersion();
	}

}
