package dev.kubeinformer.internal.shards;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.election.ClockReading;

/**
 * Membership of one process in a group whose members share a fixed number of slots.
 * <p>
 * The problem: each slot must have at most one worker at any moment, and soon a new one
 * if it has lost its worker, although members come and go, responses are late or lost,
 * processes are suspended, and no two machines show the same time. There is no
 * coordinator: the API server guarantees only that an update fails if the Lease has
 * changed since it was read, and that a list shows all writes that got a response before
 * it was sent.
 * <p>
 * The idea: each member writes one Lease, its own, with the slots that it holds and
 * claims. All members compute the same {@link SlotPlan} from the Leases that they see.
 * The view may be late; only the time of a move depends on it. A member drains and
 * releases slots that the plan gives to another member. It claims slots that the plan
 * gives to it and that are free in its view: it writes the claim, then lists all Leases,
 * and has the slot if no other living member holds or claims it. Of two members that
 * claim a slot, the later write sees the earlier one in its list. If both see each other,
 * the one with the lower score withdraws, and the other one waits for the withdrawal and
 * lists again. No member needs the consent of a holder.
 * <p>
 * Terms and deaths follow the rules of the leader election: a term counts from the time
 * at which the last successful write was <em>sent</em>, and ends after the renew deadline
 * by the clock that has advanced more. Others wait for the longer duration of the Lease,
 * from the time at which they <em>read</em> the unchanged version, by the clock that has
 * advanced less. When a term is over, its slots are lost for good, and the next write
 * contains no slots. This class neither sends nor waits: {@link #next} returns the next
 * step, {@link #answered} receives its result, {@link #observed} receives events of the
 * watch. So a simulator can run any schedule.
 * <p>
 * Invariants:
 * <ul>
 * <li>At most one request is in flight. A slot that this member works on is in its Lease,
 * from before the list that decided the claim until after the drain.
 * <li>After a lost response the Lease is read first. If it still has the version that the
 * lost write expects, that write may still have an effect, such as releasing a slot that
 * was claimed again. Then nothing in the Lease is trusted until another write has got a
 * response.
 * <li>A member counts as dead in a list only if it was dead when the list was sent. This
 * process may be suspended while the response waits, and the member may have renewed its
 * Lease meanwhile.
 * <li>A deleted Lease blocks its slots until the term of its member is over, because the
 * member may not know of the deletion. A Lease that is missing in a list blocks all slots
 * until the watch has shown its last state, unless the member was seen to be leaving
 * without slots. A Lease that was just created has no time of renewal. If such a Lease
 * replaces one that this member has seen, the earlier one counts as missing: its member
 * may not know that it was deleted.
 * <li>The watch is late if a list shows a living member that seemed to be dead, although
 * this member has had a term for a lease duration. Another Lease may have been created
 * and deleted unseen, so such a list blocks all slots for a lease duration.
 * <li>A drain is not undone. If the plan gives a draining slot back, it is claimed like
 * any other slot.
 * <li>While a living member with another number of slots holds or claims anything, this
 * one claims nothing. If no member holds or claims a slot, the lower number has
 * precedence. The plan ignores such members.
 * </ul>
 * Members that join wait for the settle time, because replicas often start together: the
 * first one would otherwise take all slots and hand over most of them at once. The plan
 * includes them when no other member has joined for that time, or after four times that
 * time. Free slots of members that leave or die are not delayed.
 * <p>
 * Broken alternatives: {@code ShardSimulatorTests} breaks each of the {@link ShardRules},
 * and finds two workers of a slot. One case cannot be detected: the Lease of a living
 * member is deleted by somebody else while a process starts that has never seen it.
 * <p>
 * Cost: at rest, a member sends one update in each retry period, and nothing else. A
 * change costs each member that gains slots two updates and one list for all slots that
 * are free at the same time: the claim, the list, and the slots as held. Not thread-safe.
 */
public final class GroupMember {

	private static final double JITTER = 0.2;

	private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int DELETIONS = 3;

	/**
	 * Divisor of the retry period: after this fraction of it, gained slots are written as
	 * held.
	 */
	private static final int ANNOUNCEMENT = 8;

	private final String name;

	private final String identity;

	private final int slots;

	private final ShardTimes times;

	private final ShardRules rules;

	private final RandomGenerator random;

	// All fields below are used only by the thread of the membership.

	private final GroupView view;

	/** Notices since the last decision. */
	private final List<ShardNotice> notices = new ArrayList<>();

	/** Lease of this member as last read or written; {@code null} if there is none. */
	private @Nullable MemberLease stored;

	/** Whether the next request reads the Lease of this member. */
	private boolean read;

	/**
	 * Version of the Lease that the last update was based on, if that update got no
	 * response and may still take effect; otherwise {@code null}.
	 */
	private @Nullable String unsettled;

	private @Nullable MemberTerm term;

	private long terms;

	/** Time at which the last term began. */
	private ClockReading begun;

	/** Slots of this member, including those that are draining. */
	private SlotSet held = SlotSet.none();

	private SlotSet draining = SlotSet.none();

	private SlotSet claims = SlotSet.none();

	/**
	 * Claimed slots that this member has if the list in flight shows no other claim or
	 * holder.
	 */
	private SlotSet deciding = SlotSet.none();

	private @Nullable String refusedBy;

	private boolean leaving;

	private boolean halted;

	private boolean listNeeded = true;

	/** Time at which the next renewal is due. */
	private long due;

	/** Time at which gained slots are written as held, if no renewal is due before. */
	private long announced;

	/** Earliest time for a request after a failure. */
	private long notBefore;

	private int conflicts;

	private int deletions;

	private SlotSet planned = SlotSet.none();

	/** State for which {@link #planned} was computed. */
	private @Nullable PlanInput plannedFor;

	private @Nullable ShardView shown;

	/** State for which {@link #shown} was built. */
	private @Nullable PlanInput shownFor;

	/**
	 * Creates a membership.
	 * @param name the name of the Lease of this process, which no other process has or
	 * had
	 * @param identity the identity of this process, as shown to people
	 * @param slots the number of slots of the group
	 * @param times the times
	 * @param rules the rules
	 * @param random the source of the jitter
	 * @param now the current clock reading
	 */
	public GroupMember(String name, String identity, int slots, ShardTimes times, ShardRules rules,
			RandomGenerator random, ClockReading now) {
		this.name = name;
		this.identity = identity;
		this.slots = slots;
		this.times = times;
		this.rules = rules;
		this.random = random;
		this.view = new GroupView(name, slots, times, rules, now);
		this.due = now.nanos();
		this.announced = now.nanos();
		this.notBefore = now.nanos();
		this.begun = now;
	}

	/**
	 * Decides what to do next.
	 * @param signals the signals from outside the membership
	 * @param now the current clock reading
	 * @return the decision
	 */
	public ShardDecision next(ShardSignals signals, ClockReading now) {
		if (this.term != null && (signals.lost() || isOver(this.term, now))) {
			end(LossReason.EXPIRED);
		}
		if (signals.leave() && !this.leaving) {
			this.leaving = true;
			this.claims = SlotSet.none();
		}
		if (signals.giveUp() && !this.halted) {
			halt(LossReason.GIVEN_UP);
		}
		if (!this.halted) {
			release(signals.drained());
			advance(now);
			follow();
		}
		ShardStep step = this.halted ? new ShardStep.Halt() : step(now);
		show();
		List<ShardNotice> happened = List.copyOf(this.notices);
		this.notices.clear();
		return new ShardDecision(happened, step);
	}

	private void advance(ClockReading now) {
		this.view.advance(this.term != null && !this.leaving, !this.held.isEmpty() || !this.claims.isEmpty(), now);
	}

	private void release(SlotSet drained) {
		SlotSet released = this.rules.releasable(this.draining, drained);
		if (!released.isEmpty()) {
			this.held = this.held.minus(released);
			this.draining = this.draining.minus(released);
			this.notices.add(new ShardNotice.Lost(released, this.leaving ? LossReason.LEFT : LossReason.MOVED));
		}
	}

	/**
	 * Drains and claims slots as the plan requires.
	 */
	private void follow() {
		if (this.leaving) {
			drain(this.held.minus(this.draining), DrainReason.LEAVING);
			return;
		}
		if (!this.view.isListed() || isRefused()) {
			this.claims = SlotSet.none();
			return;
		}
		if (this.term != null) {
			SlotSet wanted = planned();
			drain(this.held.minus(wanted).minus(this.draining), DrainReason.MOVED);
			this.claims = this.view.claimable(wanted.minus(this.held), this.claims);
		}
	}

	private void drain(SlotSet announced, DrainReason reason) {
		if (!announced.isEmpty()) {
			this.draining = this.draining.union(announced);
			this.notices.add(new ShardNotice.Draining(announced, reason));
		}
	}

	/**
	 * Returns whether this member must not take slots, because another member uses
	 * another number of slots. A member that holds slots keeps them.
	 * @return {@code true} if this member must not take slots
	 */
	private boolean isRefused() {
		MemberLease other = this.held.isEmpty() ? this.view.refusal() : null;
		String by = (other != null) ? other.name() : null;
		if (other != null && !other.name().equals(this.refusedBy)) {
			this.notices.add(new ShardNotice.Refused(other.name(), other.record().slots()));
		}
		this.refusedBy = by;
		return by != null;
	}

	private SlotSet planned() {
		PlanInput input = input();
		if (!input.equals(this.plannedFor)) {
			this.planned = SlotPlan.of(this.slots, this.view.shares(this.held, this.claims)).of(this.name);
			this.plannedFor = input;
		}
		return this.planned;
	}

	private PlanInput input() {
		return new PlanInput(this.view.revision(), this.held, this.claims, this.leaving, this.term != null);
	}

	private ShardStep step(ClockReading now) {
		if (this.leaving && this.stored == null && !this.read) {
			return halt(LossReason.LEFT);
		}
		long left = this.notBefore - now.nanos();
		if (left > 0) {
			return pause(left, now);
		}
		if (this.read) {
			return new ShardStep.Send(new ShardRequest.Get());
		}
		if (this.stored == null) {
			return join(now);
		}
		if (isWriteNeeded(this.stored, now)) {
			return write(this.stored, now);
		}
		if (this.leaving && this.held.isEmpty()) {
			return new ShardStep.Send(new ShardRequest.Delete(this.name, this.stored.resourceVersion()));
		}
		SlotSet decidable = this.rules.decidable(this.claims, this.stored.record().taken());
		if (this.listNeeded || this.view.isAnyFree(decidable)) {
			return list(decidable);
		}
		if (!taken().equals(this.stored.record().taken())) {
			return write(this.stored, now);
		}
		MemberLease dead = (this.term != null) ? this.view.dead() : null;
		if (dead != null) {
			return new ShardStep.Send(new ShardRequest.Delete(dead.name(), dead.resourceVersion()));
		}
		return pause(untilWrite(this.stored.record(), now), now);
	}

	private ShardStep join(ClockReading now) {
		if (this.listNeeded) {
			return list(SlotSet.none());
		}
		if (this.refusedBy != null) {
			return pause(Long.MAX_VALUE, now);
		}
		return new ShardStep.Send(new ShardRequest.Create(record(null)));
	}

	private boolean isWriteNeeded(MemberLease lease, ClockReading now) {
		MemberRecord record = lease.record();
		if (this.unsettled != null || record.leaving() != this.leaving || !taken().containsAll(record.taken())) {
			return true;
		}
		if (this.leaving && this.held.isEmpty()) {
			return false;
		}
		return this.term == null || untilWrite(record, now) <= 0;
	}

	/**
	 * Returns the time until the next write. A gain is written soon, because other
	 * members learn the holder of a slot from its Lease. Gains that follow each other
	 * closely share one write.
	 * @param record the written record
	 * @param now the current clock reading
	 * @return the nanoseconds
	 */
	private long untilWrite(MemberRecord record, ClockReading now) {
		long left = this.due - now.nanos();
		return record.held().containsAll(this.held) ? left : Math.min(left, this.announced - now.nanos());
	}

	private ShardStep write(MemberLease lease, ClockReading now) {
		MemberRecord record = record(Instant.ofEpochMilli(now.wallMillis()));
		return new ShardStep.Send(new ShardRequest.Update(record, lease.resourceVersion()));
	}

	private ShardStep list(SlotSet decidable) {
		this.deciding = decidable;
		this.listNeeded = false;
		this.view.beginList();
		return new ShardStep.Send(new ShardRequest.List());
	}

	private MemberRecord record(@Nullable Instant renewed) {
		return new MemberRecord(this.identity, this.times.leaseSeconds(), renewed, this.slots, this.held, this.claims,
				this.leaving);
	}

	private SlotSet taken() {
		return this.held.union(this.claims);
	}

	/**
	 * Processes the response to the last request.
	 * @param request the request
	 * @param sent the clock reading when the request was sent
	 * @param answer the response
	 * @param now the current clock reading
	 */
	public void answered(ShardRequest request, ClockReading sent, ShardAnswer answer, ClockReading now) {
		if (this.term != null && isOver(this.term, now)) {
			end(LossReason.EXPIRED);
		}
		advance(now);
		if (request instanceof ShardRequest.List) {
			if (answer instanceof ShardAnswer.Listed listed) {
				listed(listed, now);
			}
			else {
				this.listNeeded = true;
				failed(now);
			}
		}
		else if (request instanceof ShardRequest.Delete delete) {
			deleted(delete, answer, now);
		}
		else if (answer instanceof ShardAnswer.Stored found) {
			if (request instanceof ShardRequest.Create create) {
				written(found.lease(), create.record(), sent, now);
			}
			else if (request instanceof ShardRequest.Update update) {
				written(found.lease(), update.record(), sent, now);
			}
			else {
				adopt(found.lease());
			}
		}
		else {
			unstored(request, answer, now);
		}
	}

	private void unstored(ShardRequest request, ShardAnswer answer, ClockReading now) {
		if (answer instanceof ShardAnswer.Absent && !(request instanceof ShardRequest.Create)) {
			disappeared();
		}
		else if (answer instanceof ShardAnswer.Conflict) {
			this.read = true;
			if (++this.conflicts > 1) {
				failed(now);
			}
		}
		else {
			if (answer instanceof ShardAnswer.Unknown) {
				lost(request);
			}
			failed(now);
		}
	}

	/**
	 * Remembers a request without a response, which may still have an effect.
	 * @param request the request
	 */
	private void lost(ShardRequest request) {
		if (request instanceof ShardRequest.Update update) {
			if (!this.rules.readsAfterLostAnswer()) {
				this.stored = new MemberLease(this.name, update.resourceVersion(), update.record());
				return;
			}
			this.unsettled = update.resourceVersion();
		}
		this.read = true;
	}

	private void failed(ClockReading now) {
		this.notices.add(new ShardNotice.RenewalFailed());
		long pause = this.times.retryPeriod().toNanos() / 2;
		this.notBefore = now.nanos() + (long) (pause * (1 + JITTER * this.random.nextDouble()));
	}

	private void disappeared() {
		this.stored = null;
		this.read = false;
		this.unsettled = null;
		if (this.term != null) {
			end(LossReason.TAKEN);
		}
	}

	/**
	 * Continues with the Lease of this member as it was just read.
	 * @param lease the Lease
	 */
	private void adopt(MemberLease lease) {
		this.read = false;
		this.stored = lease;
		if (this.unsettled != null && this.rules.isSettled(this.unsettled, lease.resourceVersion())) {
			this.unsettled = null;
		}
		MemberRecord record = lease.record();
		boolean own = record.identity().equals(this.identity) && record.slots() == this.slots;
		if (this.term != null && (!own || !record.taken().containsAll(this.held))) {
			end(LossReason.TAKEN);
		}
	}

	private void written(MemberLease lease, MemberRecord record, ClockReading sent, ClockReading now) {
		this.stored = lease;
		this.read = false;
		this.unsettled = null;
		this.conflicts = 0;
		this.due = sent.nanos() + this.times.retryPeriod().toNanos();
		this.announced = sent.nanos() + this.times.retryPeriod().toNanos() / ANNOUNCEMENT;
		MemberTerm before = this.term;
		ClockReading validFrom = this.rules.validFrom(sent, now);
		if (before != null) {
			Duration slack = Duration.ofNanos(left(before, now));
			this.term = new MemberTerm(before.number(), validFrom);
			this.notices.add(new ShardNotice.Renewed(this.term, slack));
		}
		else if (record.taken().isEmpty() && !this.leaving) {
			MemberTerm begun = new MemberTerm(this.terms + 1, validFrom);
			if (!isOver(begun, now)) {
				this.terms = begun.number();
				this.term = begun;
				this.begun = now;
				this.notices.add(new ShardNotice.Began(begun));
			}
		}
	}

	/**
	 * Returns whether the term has lasted for at least a lease duration. In this time,
	 * the watch should have shown each living member.
	 * @param now the current clock reading
	 * @return {@code true} if the watch must be late when a list shows a living member
	 * that seemed to be dead
	 */
	private boolean isSteady(ClockReading now) {
		return this.term != null && now.monotonicSince(this.begun) >= this.times.leaseDuration().toNanos();
	}

	private void listed(ShardAnswer.Listed listed, ClockReading now) {
		this.view.listed(listed, isSteady(now), now);
		MemberLease own = listed.leases()
			.stream()
			.filter((lease) -> lease.name().equals(this.name))
			.findFirst()
			.orElse(null);
		MemberLease before = this.stored;
		if (own == null) {
			if (before != null) {
				disappeared();
			}
		}
		else if (before == null || !own.resourceVersion().equals(before.resourceVersion())) {
			adopt(own);
		}
		else if (this.term != null) {
			take(this.term, this.view.unblocked(this.deciding.intersect(this.claims)));
		}
	}

	private void take(MemberTerm valid, SlotSet gained) {
		if (!gained.isEmpty()) {
			this.held = this.held.union(gained);
			this.claims = this.claims.minus(gained);
			this.notices.add(new ShardNotice.Gained(gained, valid));
		}
	}

	private void deleted(ShardRequest.Delete delete, ShardAnswer answer, ClockReading now) {
		boolean gone = answer instanceof ShardAnswer.Deleted || answer instanceof ShardAnswer.Absent;
		if (!delete.name().equals(this.name)) {
			if (gone) {
				this.view.forget(delete.name(), delete.resourceVersion());
			}
		}
		else if (gone) {
			disappeared();
		}
		else if (++this.deletions >= DELETIONS) {
			// Another member deletes the Lease later.
			halt(LossReason.LEFT);
		}
		else {
			this.read = true;
			if (!(answer instanceof ShardAnswer.Conflict)) {
				failed(now);
			}
		}
	}

	/**
	 * Processes an event of the watch.
	 * @param event the event
	 * @param now the current clock reading
	 */
	public void observed(ViewEvent event, ClockReading now) {
		if (event instanceof ViewEvent.Interrupted) {
			this.listNeeded = true;
		}
		else if (event instanceof ViewEvent.Changed changed) {
			if (!changed.lease().name().equals(this.name)) {
				this.view.changed(changed.lease(), now);
			}
		}
		else if (event instanceof ViewEvent.Deleted deleted) {
			if (!deleted.lease().name().equals(this.name)) {
				this.view.deleted(deleted.lease(), now);
			}
			else if (this.stored != null && !this.leaving) {
				this.read = true;
			}
		}
	}

	private void end(LossReason reason) {
		MemberTerm ended = Objects.requireNonNull(this.term);
		this.term = null;
		if (!this.held.isEmpty()) {
			this.notices.add(new ShardNotice.Lost(this.held, reason));
		}
		this.held = SlotSet.none();
		this.draining = SlotSet.none();
		this.claims = SlotSet.none();
		this.notices.add(new ShardNotice.Ended(ended, reason));
		this.read |= this.stored != null;
		// List again, because the view may be as old as the last renewal.
		this.listNeeded = true;
	}

	private ShardStep halt(LossReason reason) {
		this.halted = true;
		if (this.term != null) {
			end(reason);
		}
		return new ShardStep.Halt();
	}

	private void show() {
		PlanInput input = input();
		if (!input.equals(this.shownFor)) {
			this.shownFor = input;
			ShardView.MemberView self = new ShardView.MemberView(this.name, this.identity, this.slots, this.held,
					this.claims, this.leaving, this.term != null, true);
			ShardView view = this.view.show(self);
			if (!view.equals(this.shown)) {
				this.shown = view;
				this.notices.add(new ShardNotice.MembersChanged(view));
			}
		}
	}

	private boolean isOver(MemberTerm valid, ClockReading now) {
		return left(valid, now) <= 0;
	}

	private long left(MemberTerm valid, ClockReading now) {
		return this.times.renewDeadline().toNanos() - this.rules.termElapsed(valid.validFrom(), now);
	}

	private ShardStep pause(long nanos, ClockReading now) {
		long shortest = Math.min(nanos, this.view.untilChange(now));
		if (this.term != null) {
			shortest = Math.min(shortest, left(this.term, now));
		}
		return new ShardStep.Pause(Duration.ofNanos(Math.max(SHORTEST_PAUSE, shortest)));
	}

	/**
	 * State on which the plan and the shown view depend.
	 *
	 * @param revision the revision of the view
	 * @param held the slots of this member
	 * @param claims the slots that this member claims
	 * @param leaving whether this member is leaving
	 * @param valid whether this member has a term
	 */
	private record PlanInput(long revision, SlotSet held, SlotSet claims, boolean leaving, boolean valid) {

	}

}
