package dev.kubeinformer.internal.election;

import java.time.Instant;

/**
 * Term that this process holds.
 *
 * @param number the number of the term
 * @param since when the Lease was acquired, by the wall clock
 * @param validFrom when the last successful renewal was sent, from when the deadline
 * counts
 */
public record HeldTerm(long number, Instant since, ClockReading validFrom) {

	HeldTerm renewed(ClockReading from) {
		return new HeldTerm(this.number, this.since, from);
	}

}
