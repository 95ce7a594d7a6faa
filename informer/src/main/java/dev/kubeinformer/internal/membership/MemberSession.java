package dev.kubeinformer.internal.membership;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.election.ElectionSignals.Drain;
import dev.kubeinformer.internal.election.EndReason;
import dev.kubeinformer.internal.election.HeldTerm;
import dev.kubeinformer.internal.elector.LeaseFailures;
import dev.kubeinformer.internal.elector.LeaseTerm;
import dev.kubeinformer.internal.elector.TermLifecycle;
import dev.kubeinformer.internal.shards.LossReason;
import dev.kubeinformer.internal.shards.MemberTerm;
import dev.kubeinformer.internal.shards.ShardNotice;
import dev.kubeinformer.internal.shards.ShardSignals;
import dev.kubeinformer.internal.shards.SlotSet;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsSpec;

/**
 * Carries out the notices of a membership's state machine: begins and ends terms, calls
 * the work of slots, and reports. Unless noted otherwise, used only by the thread of the
 * membership.
 */
public final class MemberSession {

	private static final Logger logger = LoggerFactory.getLogger(Shards.class);

	private final ShardsSpec spec;

	private final TermLifecycle terms;

	private final SlotWorks works;

	private final MembersBoard board;

	private final MembershipReporter reports;

	/**
	 * Number of the last term of earlier sessions. Each session numbers its terms from 1.
	 */
	private long earlierTerms;

	private long lastTerm;

	private Instant since = Instant.EPOCH;

	/** Whether the state machine was told to leave, which is final for this session. */
	private boolean left;

	private boolean drainsAll;

	/** Whether only the Lease remains to be deleted. */
	private boolean done;

	/** Reading of the monotonic clock when {@link #done} became true. */
	private long doneAt;

	private volatile @Nullable String refusedBy;

	/**
	 * Creates a session. It can be used again after a stop.
	 * @param spec the settings
	 * @param terms the terms
	 * @param works calls the work of slots
	 * @param board remembers the members
	 * @param reports the reports
	 */
	public MemberSession(ShardsSpec spec, TermLifecycle terms, SlotWorks works, MembersBoard board,
			MembershipReporter reports) {
		this.spec = spec;
		this.terms = terms;
		this.works = works;
		this.board = board;
		this.reports = reports;
	}

	void begin(Runnable wake) {
		this.terms.wakes(wake);
		this.works.wakes(wake);
		this.earlierTerms = this.lastTerm;
		this.left = false;
		this.drainsAll = false;
		this.done = false;
	}

	boolean isAwaiting() {
		return !this.terms.awaiting().isEmpty();
	}

	LeaseFailures failures() {
		return this.reports.failures();
	}

	void warned(String text) {
		failures().warned(text);
		this.terms.warned(text);
	}

	void joining(String lease) {
		this.reports.joining(lease);
	}

	/**
	 * Returns the Lease of a member that keeps this process from taking slots. May be
	 * called by any thread.
	 * @return the name of the Lease; {@code null} if there is none
	 */
	public @Nullable String refusedBy() {
		return this.refusedBy;
	}

	/**
	 * Returns the signals for the next decision.
	 * @param stops whether the membership was told to stop
	 * @param late whether the time for the drain is over
	 * @param nanos the reading of the monotonic clock
	 * @return the signals
	 */
	ShardSignals signals(boolean stops, boolean late, long nanos) {
		SlotSet drained = this.works.drained();
		boolean lost = this.terms.isLost();
		if (!stops) {
			return new ShardSignals(false, false, drained, lost);
		}
		this.board.leaving(true);
		if (this.terms.term() != null && !this.terms.isDraining()) {
			this.terms.drain(EndReason.STOPPED);
		}
		boolean idle = this.terms.term() == null || this.terms.drain() != Drain.UNDER_WAY;
		SlotSet held = this.works.held();
		if (!this.spec.releaseOnStop()) {
			return new ShardSignals(false, late || drainAll(held, drained) && idle, SlotSet.none(), lost);
		}
		this.left |= idle || !held.isEmpty();
		boolean over = idle && drained.containsAll(held);
		if (over && !this.done) {
			this.doneAt = nanos;
		}
		this.done = over;
		// The Lease expires by itself if the API server cannot be reached.
		boolean futile = over && nanos - this.doneAt > Durations.nanos(this.spec.renewDeadline()) / 2;
		if (!idle && drained.containsAll(held)) {
			// Do not release the last slots yet. That would end the term, which other
			// work of the member still needs.
			drained = SlotSet.none();
		}
		return new ShardSignals(this.left, late || futile, drained, lost);
	}

	private boolean drainAll(SlotSet held, SlotSet drained) {
		if (!this.drainsAll) {
			this.drainsAll = true;
			this.works.drain(held, ShardLossReason.STOPPED);
		}
		return drained.containsAll(held);
	}

	void carryOut(ShardNotice notice) {
		try {
			apply(notice);
		}
		catch (RuntimeException | Error ex) {
			// Continue, because only a stop may end the loop.
			logger.error("The member of group '{}/{}' failed while it processed {}; continuing", this.spec.namespace(),
					this.spec.group(), notice, ex);
			if (notice instanceof ShardNotice.Gained || notice instanceof ShardNotice.Draining) {
				// Give up the term. Otherwise no member would work on these slots or take
				// them over.
				this.terms.giveUp();
			}
		}
	}

	private void apply(ShardNotice notice) {
		if (notice instanceof ShardNotice.Began began) {
			this.since = Instant.ofEpochMilli(began.term().validFrom().wallMillis());
			this.refusedBy = null;
			this.terms.granted(held(began.term()));
		}
		else if (notice instanceof ShardNotice.Renewed renewed) {
			this.reports.renewed();
			this.terms.renewed(held(renewed.term()), renewed.slack());
		}
		else if (notice instanceof ShardNotice.RenewalFailed) {
			this.terms.renewalFailed();
		}
		else if (notice instanceof ShardNotice.Gained gained) {
			gained(gained.slots());
		}
		else if (notice instanceof ShardNotice.Draining draining) {
			this.reports.draining(draining.slots(), draining.reason());
			this.works.drain(draining.slots(), switch (draining.reason()) {
				case MOVED -> ShardLossReason.MOVED;
				case LEAVING -> ShardLossReason.STOPPED;
			});
		}
		else if (notice instanceof ShardNotice.Lost lost) {
			lost(lost.slots(), lost.reason());
		}
		else if (notice instanceof ShardNotice.Ended ended) {
			this.terms.revoked(held(ended.term()), reason(ended.reason()));
		}
		else if (notice instanceof ShardNotice.MembersChanged changed) {
			if (this.board.seen(changed.view())) {
				this.reports.members(this.board.members());
			}
			SlotSet others = this.board.foreign();
			this.works.taken(others);
			if (others.size() == this.spec.slots().total()) {
				settleWithoutShare();
			}
			this.works.membersChanged();
		}
		else if (notice instanceof ShardNotice.Refused refused) {
			this.refusedBy = refused.name();
			this.reports.refused(refused.name(), refused.slots());
		}
	}

	/**
	 * Tells the work that the share of this process is known, if it is empty because
	 * there are more members than slots.
	 */
	private void settleWithoutShare() {
		long takers = this.board.members().stream().filter((member) -> !member.leaving()).count();
		if (this.terms.term() != null && takers > this.spec.slots().total()) {
			this.works.settleWithoutShare();
		}
	}

	private void gained(SlotSet slots) {
		this.refusedBy = null;
		LeaseTerm term = this.terms.term();
		if (term == null) {
			// The term has expired in the meantime. The state machine learns that from
			// the next signals.
			return;
		}
		this.works.gained(slots, term);
		this.reports.gained(slots);
		if (this.drainsAll) {
			this.works.drain(slots, ShardLossReason.STOPPED);
		}
	}

	private void lost(SlotSet slots, LossReason reason) {
		switch (reason) {
			case MOVED, LEFT -> {
				this.works.released(slots);
				this.reports.released(slots);
			}
			case EXPIRED, TAKEN -> this.works.lose(ShardLossReason.EXPIRED);
			case GIVEN_UP -> {
				if (this.spec.releaseOnStop()) {
					this.reports.undrainedSlots();
				}
				this.works.lose(ShardLossReason.STOPPED);
			}
		}
	}

	private EndReason reason(LossReason reason) {
		return switch (reason) {
			case EXPIRED -> EndReason.EXPIRED;
			// A member that leaves deletes its Lease itself.
			case TAKEN -> (this.left && this.works.held().isEmpty()) ? EndReason.STOPPED : EndReason.TAKEN;
			case MOVED, LEFT, GIVEN_UP -> EndReason.STOPPED;
		};
	}

	private HeldTerm held(MemberTerm term) {
		this.lastTerm = this.earlierTerms + term.number();
		return new HeldTerm(this.lastTerm, this.since, term.validFrom());
	}

	void halted() {
		this.terms.halted();
		this.works.stopped();
		this.board.clear();
		this.refusedBy = null;
	}

}
