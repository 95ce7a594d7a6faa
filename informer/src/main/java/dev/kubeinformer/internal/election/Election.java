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
 * Election of a leader by a Lease, as one process sees it.
 * <p>
 * The problem: at most one replica may lead at any moment, although answers are late or
 * lost, processes are suspended, and no two machines show the same time. The API server
 * offers one thing to build on: an update fails if the Lease has changed since it was
 * read.
 * <p>
 * The idea: a leader gives up earlier than a follower takes over, each by its own clocks.
 * A term counts from when its last successful renewal was <em>sent</em>, and ends after
 * the renew deadline. A follower waits for the longer duration of the Lease, from when it
 * <em>read</em> the version that has not changed since. A monotonic clock may stand still
 * while a machine sleeps, and a wall clock may be set. So the leader believes the clock
 * that has advanced more, and the follower the one that has advanced less. The margin
 * between deadline and duration is for clocks that run at different rates. This class
 * neither sends nor waits: {@link #next} says what to do, {@link #answered} takes what
 * came of it. So a simulator can play any schedule.
 * <p>
 * What always holds:
 * <ul>
 * <li>One request is under way at most. After an answer that was lost the Lease is read
 * before anything else, because the request may have had its effect, or may have it
 * later.
 * <li>A term begins with the answer to an own creation or update only, never because a
 * Lease that was read names this process. Each term is granted and revoked once, and one
 * that was found to be over by any thread stays over.
 * <li>The Lease is taken by an update of the version that was waited for. Times in the
 * record come from other clocks, and are compared with nothing.
 * <li>The Lease is released only after work has ended, and only if the record that was
 * read after that names this process. Others wait for its duration otherwise.
 * <li>Who released the Lease, or was asked to, stands again when another one has held it
 * or has had the time to.
 * </ul>
 * What does not work: to count a term from the answer, to believe the wrong one of the
 * two clocks, to wait for another holder instead of another version, and to release
 * before work has ended. {@code ElectionSimulatorTests} plays each of them, and finds two
 * leaders. Numbers of terms have 32 bits in the API: nobody led any more after the last
 * one, so they begin again. A record may name a duration of decades, of which one day is
 * believed (see {@code LeaseExpiryRule}). One case cannot be seen by anybody: others
 * delete the Lease while a process starts that never read it.
 * <p>
 * The cost: a leader sends one update each retry period, a follower one read. Memory and
 * time of a decision are constant. Not safe for use by several threads.
 */
public final class Election {

	/** Polls of many followers shall not come at the same time. */
	private static final double JITTER = 0.2;

	private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int RELEASES = 3;

	private final String identity;

	private final ElectionTimes times;

	private final ElectionRules rules;

	private final RandomGenerator random;

	private final boolean releaseOnStop;

	// All below is used by the thread that elects only.

	private final LeaseExpiryRule candidacy;

	/** What has happened since the last decision. */
	private final List<ElectionNotice> notices = new ArrayList<>();

	/** Holder of the Lease as it was read last; empty if there is none. */
	private String holder = "";

	private @Nullable HeldTerm held;

	/** Reason for which the term ends; {@code null} as long as it does not. */
	private @Nullable EndReason ending;

	private @Nullable Release release;

	/** Whether the next request reads the Lease. */
	private boolean read = true;

	/** Time at which the next request is due, but for one that takes the Lease. */
	private long due;

	/** Time before which the Lease is not to be taken. */
	private long notBefore;

	/**
	 * Creates an election.
	 * @param identity the identity of this process
	 * @param times the times
	 * @param releaseOnStop whether the Lease is released when this process stops
	 * @param rules the rules
	 * @param random gives the jitter
	 * @param now the present
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
	 * @return whether it does
	 */
	public boolean isStanding() {
		return this.candidacy.isStanding();
	}

	/**
	 * Has the Lease read at once: it may have changed.
	 * @param now the present
	 */
	public void hint(ClockReading now) {
		this.read = true;
		this.due = now.nanos();
	}

	/**
	 * Decides what to do next.
	 * @param signals what happens around the election
	 * @param now the present
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
	 * Ends the term, if it must and has not ended by itself.
	 * @param signals what happens around the election
	 * @param term the term
	 * @param now the present
	 * @return what to do next; {@code null} if that does not follow from it
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
			// How far the work has ended shows after that was announced only.
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
	 * Takes the answer to the last request.
	 * @param request the request
	 * @param sent when it was sent
	 * @param answer the answer
	 * @param now the present
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
			// The answer came too late. The Lease is taken anew, after a look at it.
			hint(now);
			return;
		}
		this.held = term;
		this.ending = null;
		this.due = sent.nanos() + this.times.retryPeriod().toNanos();
		this.notices.add(new ElectionNotice.Granted(term));
	}

	private void failed(ClockReading sent, ClockReading now) {
		// Also what was given up may have its effect.
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
	 * Release that is pending.
	 *
	 * @param term the term that has ended
	 * @param drained whether no work is under way any more
	 * @param attempts how often it was tried
	 */
	private record Release(HeldTerm term, boolean drained, int attempts) {

	}

}
