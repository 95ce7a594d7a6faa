package dev.kubeinformer.internal.election;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Decides when a standby may acquire the Lease. It relies only on its own reads of the
 * Lease and its own clocks. Not thread-safe.
 */
final class LeaseExpiryRule {

	private static final int REMEMBERED = 8;

	private static final long NEVER = Long.MAX_VALUE;

	/**
	 * Longest time to wait for a Lease, whatever duration it contains. If a Lease had a
	 * duration of decades, by mistake or on purpose, no other process would ever lead.
	 */
	private static final long LONGEST = TimeUnit.DAYS.toNanos(1);

	private final String identity;

	private final ElectionTimes times;

	private final ElectionRules rules;

	private final ClockReading startedAt;

	/**
	 * Acquire times that this process has written to the Lease, for terms that began or
	 * may have begun.
	 */
	private final Deque<Instant> acquired = new ArrayDeque<>();

	private @Nullable Observation seen;

	private @Nullable Observation abstaining;

	private long highest;

	private boolean standing;

	LeaseExpiryRule(String identity, ElectionTimes times, ElectionRules rules, ClockReading startedAt) {
		this.identity = identity;
		this.times = times;
		this.rules = rules;
		this.startedAt = startedAt;
	}

	@Nullable Observation seen() {
		return this.seen;
	}

	void observe(LeaseAnswer.Found lease, ClockReading now) {
		this.seen = Observation.of(this.seen, lease, now, this.rules);
		this.highest = lease.record().highest(this.highest);
		if (!lease.record().holder().isEmpty() && !lease.record().holder().equals(this.identity)) {
			this.abstaining = null;
		}
	}

	void observeAbsence(boolean ownTerm, ClockReading now) {
		this.seen = Observation.absent(this.seen, ownTerm, now);
	}

	void advance(boolean ready, ClockReading now) {
		if (this.seen != null) {
			this.seen = this.seen.advanced(now, this.rules);
		}
		if (this.abstaining != null) {
			this.abstaining = this.abstaining.advanced(now, this.rules);
			if (this.abstaining.waited(now, this.rules) >= this.times.leaseDuration().toNanos()) {
				this.abstaining = null;
			}
		}
		// Once this process stands for election, it does so until it is stopped, even if
		// it must wait for more caches.
		this.standing |= ready || syncLeft(now) <= 0;
	}

	/**
	 * Does not let this process acquire the Lease until another process has held it or
	 * has had time to acquire it.
	 * @param now the current clock reading
	 */
	void abstain(ClockReading now) {
		this.abstaining = new Observation(null, false, 0, now);
	}

	boolean isStanding() {
		return this.standing;
	}

	private long syncLeft(ClockReading now) {
		return this.times.syncTimeout().toNanos() - now.monotonicSince(this.startedAt);
	}

	/**
	 * Returns how long this process must wait before it may acquire the Lease.
	 * @param now the current clock reading
	 * @return the nanoseconds; 0 if it may acquire the Lease now; {@link Long#MAX_VALUE}
	 * if it must read the Lease first
	 */
	long left(ClockReading now) {
		if (this.seen == null) {
			return NEVER;
		}
		long left = Math.max(0, wait(this.seen) - this.seen.waited(now, this.rules));
		if (this.abstaining != null) {
			left = Math.max(left, this.times.leaseDuration().toNanos() - this.abstaining.waited(now, this.rules));
		}
		return this.standing ? left : Math.max(left, syncLeft(now));
	}

	private long wait(Observation observation) {
		long usual = this.times.leaseDuration().toNanos();
		LeaseRecord record = observation.record();
		if (record == null) {
			// The holder of a deleted Lease may not know that it was deleted.
			return observation.dangerous() ? usual : 0;
		}
		if (record.isFree()) {
			return record.prefersOtherThan(this.identity) ? usual : 0;
		}
		if (isOwn(record)) {
			return 0;
		}
		return Math.max(usual, Math.min(LONGEST, TimeUnit.SECONDS.toNanos(record.durationSeconds())));
	}

	/**
	 * Returns whether this process has written a record, for an earlier term or with a
	 * request whose response was lost. The acquire time is compared, too, because
	 * somebody may have edited the name of the holder.
	 * @param record the record
	 * @return {@code true} if this process wrote the record
	 */
	private boolean isOwn(LeaseRecord record) {
		return record.holder().equals(this.identity) && record.acquireTime() != null
				&& this.acquired.contains(record.acquireTime());
	}

	/**
	 * Returns the request that acquires the Lease.
	 * @param now the current clock reading
	 * @return the request
	 */
	LeaseRequest acquisition(ClockReading now) {
		Instant at = Instant.ofEpochMilli(now.wallMillis());
		LeaseRecord record = new LeaseRecord(this.identity, this.times.leaseSeconds(), at, at,
				LeaseRecord.termAfter(this.highest), "");
		LeaseAnswer.Found lease = (this.seen != null) ? this.seen.lease() : null;
		if (lease == null) {
			// The request may take effect much later, after another Lease was created and
			// deleted.
			return new LeaseRequest.Create(record);
		}
		remember(at);
		return new LeaseRequest.Update(record, lease.resourceVersion(), LeaseRequest.Purpose.ACQUIRE);
	}

	/**
	 * Remembers the acquire time of a term, so that {@link #isOwn} recognises its record
	 * later.
	 * @param acquired the acquire time
	 */
	void remember(Instant acquired) {
		this.acquired.remove(acquired);
		if (this.acquired.size() == REMEMBERED) {
			this.acquired.removeFirst();
		}
		this.acquired.addLast(acquired);
	}

}
