package dev.kubeinformer.internal.elector;

import java.time.Duration;
import java.time.Instant;

import dev.kubeinformer.internal.election.ClockReading;
import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.election.HeldTerm;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.leader.Leadership;

/**
 * Term of this process. Decides from two clock readings, without a lock, whether the term
 * is over. A term that was found to be over stays over, even if a clock is set back.
 * Thread-safe.
 */
public final class LeaseTerm {

	private final ElectorClocks clocks;

	private final ElectionRules rules;

	private final long deadline;

	private volatile HeldTerm held;

	private volatile boolean over;

	LeaseTerm(HeldTerm held, Duration renewDeadline, ElectionRules rules, ElectorClocks clocks) {
		this.held = held;
		this.deadline = Durations.nanos(renewDeadline);
		this.rules = rules;
		this.clocks = clocks;
	}

	public long number() {
		return this.held.number();
	}

	/**
	 * Returns whether the term is still valid.
	 * @return {@code true} if no thread has found that the term is over
	 */
	public boolean isValid() {
		if (this.over) {
			return false;
		}
		if (left() > 0) {
			return true;
		}
		this.over = true;
		return false;
	}

	/**
	 * Returns the remaining validity of the term.
	 * @return the nanoseconds; negative if the term is over
	 */
	public long left() {
		return this.deadline - this.rules.termElapsed(this.held.validFrom(), this.clocks.read());
	}

	/**
	 * Extends the term unless it was found to be over.
	 * @param renewed the term with a later start of its validity
	 */
	void renew(HeldTerm renewed) {
		if (isValid()) {
			this.held = renewed;
		}
	}

	public Leadership.Term view() {
		HeldTerm current = this.held;
		ClockReading from = current.validFrom();
		return new Leadership.Term(current.number(), current.since(),
				Instant.ofEpochMilli(from.wallMillis()).plusNanos(this.deadline));
	}

}
