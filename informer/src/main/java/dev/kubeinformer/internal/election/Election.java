package dev.kubeinformer.internal.election;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.election.ElectionSignals.Drain;
import dev.kubeinformer.internal.election.LeaseRequest.Purpose;

/**
 * Election of a leader with a Lease, from the point of view of one process.
 * <p>
 * The problem: at most one replica may lead at any moment, although responses are late or
 * lost, processes are suspended, and no two machines show the same time. The API server
 * guarantees only that an update fails if the Lease has changed since it was read.
 * <p>
 * The idea: a leader stops before a standby takes over, and each process uses only its
 * own clocks. A term is the time during which a process leads without interruption. It
 * ends when the renew deadline has passed since its last successful renewal was
 * <em>sent</em>. A standby, a process that does not lead, waits for the duration of the
 * Lease, which is longer. It counts from the time at which it has <em>read</em> a version
 * of the Lease that did not change since. A monotonic clock may stop while a machine
 * sleeps, and a wall clock may be set. So the leader trusts the clock that has advanced
 * more, and the standby the clock that has advanced less. The difference between deadline
 * and duration allows for clocks with different rates. This class neither sends requests
 * nor waits: {@link #next} returns the next step, and {@link #answered} receives the
 * response to a request. So a simulator can run any schedule.
 * <p>
 * Invariants:
 * <ul>
 * <li>At most one request is in flight. If a response was lost, the Lease is read first,
 * because the request may have taken effect or may still do so.
 * <li>A term begins only when this process receives the response to its own creation or
 * update of the Lease, never because a Lease names this process. Each term is granted
 * once and revoked once. As soon as any thread has found that a term is over, it stays
 * over.
 * <li>A process acquires the Lease with an update of the version that stayed unchanged
 * during its wait. Times in the Lease come from other clocks and are never compared.
 * <li>The Lease is released only after all work of the term has ended, and only if the
 * Lease that is then read names this process. Otherwise the other processes wait for the
 * duration of the Lease.
 * <li>After a process has released the Lease, or was asked to release it, it stands for
 * election again only when another process has held the Lease or has had time to acquire
 * it.
 * </ul>
 * Broken alternatives: counting a term from the response, using the clocks the other way
 * round, waiting until the holder changes and not the version, and releasing before work
 * has ended. {@code ElectionSimulatorTests} simulates each of them and finds two leaders.
 * The number of a term has 32 bits in the API. After the highest number the numbers
 * restart, because otherwise no process could lead any more. A Lease may contain a
 * duration of decades, but it counts as one day at most (see {@code LeaseExpiryRule}).
 * One case cannot be detected: the Lease is deleted, and a process that has never read it
 * creates it again while the previous leader still leads.
 * <p>
 * Cost: in each retry period, a leader sends one update and a standby one read. Memory
 * and time of a decision are constant. Not thread-safe.
 */
public final class Election {

	/**
	 * Jitter of the time between two reads, so that many standbys do not read at the same
	 * time.
	 */
	private static final double JITTER = 0.2;

	private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int RELEASES = 3;

	private final String identity;

	private final ElectionTimes times;

	private final ElectionRules rules;

	private final RandomGenerator random;

	private final boolean releaseOnStop;

	// All fields below are used only by the thread of the election.

	private final LeaseExpiryRule candidacy;

	/** Notices of events since the last decision. */
	private final List<ElectionNotice> notices = new ArrayList<>();

	/** Holder of the Lease when it was last read; empty if there was none. */
	private String holder = "";

	private @Nullable HeldTerm held;

	/** Reason why the term is about to end; {@code null} otherwise. */
	private @Nullable EndReason ending;

	private @Nullable Release release;

	/** Whether the next request reads the Lease. */
	private boolean read = true;

	/**
	 * Time at which the next request is due, if it is not an acquisition of the Lease.
	 */
	private long due;

	/** Earliest time for an acquisition of the Lease. */
	private long notBefore;

	/**
	 * Creates an election.
	 * @param identity the identity of this process
	 * @param times the durations of the election
	 * @param releaseOnStop whether to release the Lease when this process stops
	 * @param rules the rules
	 * @param random the source of the jitter
	 * @param now the current clock reading
	 */
	public Election(String identity, ElectionTimes times, boolean releaseOnStop, ElectionRules rules,
			RandomGenerator random, ClockReading now) {
		this.identity = identity;
		this.times = times;
		this.releaseOnStop = releaseOnStop;
		this.rules = rules;
		this.random = random;
		this.candidacy = new LeaseExpiryRule(identity, times, rules, now);
		this.due = now.nanos();
		this.notBefore = now.nanos();
	}

	/**
	 * Returns whether this process stands for election, or leads.
	 * @return {@code true} if this process stands for election or leads
	 */
	public boolean isStanding() {
		return this.candidacy.isStanding();
	}

	/**
	 * Makes the election read the Lease next, without delay, because the Lease may have
	 * changed.
	 * @param now the current clock reading
	 */
	public void hint(ClockReading now) {
		this.read = true;
		this.due = now.nanos();
	}

	/**
	 * Decides what to do next.
	 * @param signals the signals from outside the election
	 * @param now the current clock reading
	 * @return the decision
	 */
	public ElectionDecision next(ElectionSignals signals, ClockReading now) {
		this.candidacy.advance(signals.ready(), now);
		if (this.held != null && (signals.lost() || isOver(this.held, now))) {
			revoke(EndReason.EXPIRED, now);
		}
		ElectionStep step = step(signals, now);
		List<ElectionNotice> happened = List.copyOf(this.notices);
		this.notices.clear();
		return new ElectionDecision(happened, step);
	}

	private ElectionStep step(ElectionSignals signals, ClockReading now) {
		if (this.held != null) {
			ElectionStep ended = end(signals, this.held, now);
			if (ended != null) {
				return ended;
			}
		}
		if (this.held != null) {
			return hold(this.held, now);
		}
		if (this.release != null) {
			return release(this.release, now);
		}
		return signals.stop() ? new ElectionStep.Halt() : follow(now);
	}

	private ElectionStep follow(ClockReading now) {
		long left = this.candidacy.left(now);
		if (left == 0 && now.nanos() - this.notBefore >= 0 && !this.read) {
			return new ElectionStep.Send(this.candidacy.acquisition(now));
		}
		long untilDue = this.due - now.nanos();
		if (untilDue <= 0) {
			this.due = now.nanos() + jittered();
			this.read = false;
			return new ElectionStep.Send(new LeaseRequest.Get());
		}
		long untilTaken = (left != Long.MAX_VALUE) ? Math.max(left, this.notBefore - now.nanos()) : left;
		return pause(Math.min(untilDue, untilTaken));
	}

	private ElectionStep hold(HeldTerm term, ClockReading now) {
		long untilDue = this.due - now.nanos();
		if (untilDue > 0) {
			return pause(Math.min(untilDue, left(term, now)));
		}
		Observation seen = this.candidacy.seen();
		if (this.read || seen == null || seen.lease() == null) {
			this.read = false;
			return new ElectionStep.Send(new LeaseRequest.Get());
		}
		LeaseRecord record = seen.lease().record().renewed(wall(now), this.times.leaseSeconds(), term.number());
		return new ElectionStep.Send(new LeaseRequest.Update(record, seen.lease().resourceVersion(), Purpose.RENEW));
	}

	/**
	 * Ends the term if it must end and has not expired.
	 * @param signals the signals from outside the election
	 * @param term the term
	 * @param now the current clock reading
	 * @return the next step; {@code null} to continue as usual
	 */
	private @Nullable ElectionStep end(ElectionSignals signals, HeldTerm term, ClockReading now) {
		if (this.ending == null) {
			Observation seen = this.candidacy.seen();
			LeaseRecord record = (seen != null) ? seen.record() : null;
			if (signals.stop()) {
				drain(EndReason.STOPPED);
			}
			else if (signals.yield()) {
				drain(EndReason.YIELDED);
			}
			else if (record != null && record.prefersOtherThan(this.identity)) {
				drain(EndReason.PREFERRED);
			}
			// The signals report the progress of the work only after Draining was
			// announced.
			return (this.ending != null) ? pause(0) : null;
		}
		if (signals.drain() == Drain.UNDER_WAY) {
			return null;
		}
		EndReason reason = this.ending;
		boolean wanted = reason != EndReason.STOPPED || this.releaseOnStop;
		revoke(reason, now);
		this.candidacy.abstain(now);
		if (wanted) {
			this.release = new Release(term, signals.drain() == Drain.DONE, 0);
			hint(now);
		}
		return null;
	}

	private void drain(EndReason reason) {
		this.ending = reason;
		this.notices.add(new ElectionNotice.Draining(reason));
	}

	private ElectionStep release(Release pending, ClockReading now) {
		Observation seen = this.candidacy.seen();
		if (pending.attempts == RELEASES || isOver(pending.term, now)) {
			this.release = null;
			return pause(0);
		}
		if (this.due - now.nanos() > 0) {
			return pause(this.due - now.nanos());
		}
		if (this.read || seen == null || seen.lease() == null) {
			this.read = false;
			return new ElectionStep.Send(new LeaseRequest.Get());
		}
		LeaseRecord record = seen.lease().record();
		if (!this.rules.mayRelease(record, this.identity, pending.drained)) {
			this.release = null;
			return pause(0);
		}
		this.release = new Release(pending.term, pending.drained, pending.attempts + 1);
		return new ElectionStep.Send(
				new LeaseRequest.Update(record.released(wall(now)), seen.lease().resourceVersion(), Purpose.RELEASE));
	}

	/**
	 * Processes the response to the last request.
	 * @param request the request
	 * @param sent the clock reading when the request was sent
	 * @param answer the response
	 * @param now the current clock reading
	 */
	public void answered(LeaseRequest request, ClockReading sent, LeaseAnswer answer, ClockReading now) {
		if (this.held != null && isOver(this.held, now)) {
			revoke(EndReason.EXPIRED, now);
		}
		if (answer instanceof LeaseAnswer.Found found) {
			this.candidacy.observe(found, now);
			found(request, sent, found.record(), now);
		}
		else if (answer instanceof LeaseAnswer.Absent) {
			this.candidacy.observeAbsence(this.held != null, now);
			this.release = null;
			this.read = false;
			this.due = now.nanos() + jittered();
			changeHolder("");
			if (this.held != null) {
				revoke(EndReason.TAKEN, now);
			}
		}
		else if (answer instanceof LeaseAnswer.Conflict) {
			hint(now);
		}
		else {
			failed(sent, now);
		}
	}

	private void found(LeaseRequest request, ClockReading sent, LeaseRecord record, ClockReading now) {
		changeHolder(record.holder());
		if (request instanceof LeaseRequest.Get) {
			if (this.held != null && !record.holder().equals(this.identity)) {
				revoke(EndReason.TAKEN, now);
			}
		}
		else if (request instanceof LeaseRequest.Update update && update.purpose() == Purpose.RELEASE) {
			this.release = null;
			this.due = now.nanos() + jittered();
		}
		else if (request instanceof LeaseRequest.Update update && update.purpose() == Purpose.RENEW) {
			renewed(sent, now);
		}
		else {
			granted(sent, record, now);
		}
	}

	private void renewed(ClockReading sent, ClockReading now) {
		if (this.held != null) {
			Duration slack = Duration.ofNanos(left(this.held, now));
			this.held = this.held.renewed(this.rules.validFrom(sent, now));
			this.notices.add(new ElectionNotice.Renewed(this.held, slack));
			this.due = sent.nanos() + this.times.retryPeriod().toNanos();
		}
	}

	private void granted(ClockReading sent, LeaseRecord record, ClockReading now) {
		Instant since = Objects.requireNonNullElse(record.acquireTime(), wall(now));
		this.candidacy.remember(since);
		HeldTerm term = new HeldTerm(record.transitions(), since, this.rules.validFrom(sent, now));
		if (isOver(term, now)) {
			// The response was too late. Read the Lease before another acquisition.
			hint(now);
			return;
		}
		this.held = term;
		this.ending = null;
		this.due = sent.nanos() + this.times.retryPeriod().toNanos();
		this.notices.add(new ElectionNotice.Granted(term));
	}

	private void failed(ClockReading sent, ClockReading now) {
		// Read again, because a request that was given up may still take effect.
		this.read = true;
		if (this.held != null) {
			this.notices.add(new ElectionNotice.RenewalFailed());
			this.due = sent.nanos() + this.times.retryPeriod().toNanos();
		}
		else if (this.release != null) {
			this.release = new Release(this.release.term, this.release.drained, this.release.attempts + 1);
			this.due = now.nanos() + this.times.retryPeriod().toNanos() / 4;
		}
		else {
			this.due = now.nanos() + jittered();
			this.notBefore = this.due;
		}
	}

	private void revoke(EndReason reason, ClockReading now) {
		HeldTerm term = Objects.requireNonNull(this.held);
		this.held = null;
		this.ending = null;
		this.notices.add(new ElectionNotice.Revoked(term, reason));
		if (reason == EndReason.EXPIRED) {
			hint(now);
		}
	}

	private void changeHolder(String current) {
		if (!this.holder.equals(current)) {
			this.holder = current;
			this.notices.add(new ElectionNotice.HolderChanged(current));
		}
	}

	private boolean isOver(HeldTerm term, ClockReading now) {
		return left(term, now) <= 0;
	}

	private long left(HeldTerm term, ClockReading now) {
		return this.times.renewDeadline().toNanos() - this.rules.termElapsed(term.validFrom(), now);
	}

	private long jittered() {
		return (long) (this.times.retryPeriod().toNanos() * (1 + JITTER * this.random.nextDouble()));
	}

	private static Instant wall(ClockReading now) {
		return Instant.ofEpochMilli(now.wallMillis());
	}

	private static ElectionStep pause(long nanos) {
		return new ElectionStep.Pause(Duration.ofNanos(Math.max(SHORTEST_PAUSE, nanos)));
	}

	/**
	 * Pending release of the Lease.
	 *
	 * @param term the term that has ended
	 * @param drained {@code true} if no work is running any more
	 * @param attempts the number of attempts so far
	 */
	private record Release(HeldTerm term, boolean drained, int attempts) {

	}

}
