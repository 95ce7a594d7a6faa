package dev.kubeinformer.internal.elector;

import java.time.Duration;
import java.time.Instant;

import dev.kubeinformer.internal.election.ClockReading;
import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.election.HeldTerm;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.leader.Leadership;

/**
 * Term of this process: a time during which it leads. Any thread can ask whether the term
 * is over. The decision needs two clock readings and no lock. As soon as a thread has
 * found that the term is over, it stays over, even if a clock is set back. Thread-safe.
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
	 * Returns the time for which the term is still valid without another renewal.
	 * @return the nanoseconds; negative if the term is over
	 */
	public long left() {
		return this.deadline - this.rules.termElapsed(this.held.validFrom(), this.clocks.read());
	}

	/**
	 * Extends the term after a renewal. Does nothing if a thread has found that the term
	 * is over.
	 * @param renewed the term with the clock reading of the renewal
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
