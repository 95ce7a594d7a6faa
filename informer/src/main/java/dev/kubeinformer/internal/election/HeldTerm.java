package dev.kubeinformer.internal.election;

import java.time.Instant;

/**
 * Term that this process holds.
 *
 * @param number the number of the term
 * @param since the time of the acquisition, by the wall clock
 * @param validFrom the reading when the last successful renewal was sent, which starts
 * the deadline
 */
public record HeldTerm(long number, Instant since, ClockReading validFrom) {

	HeldTerm renewed(ClockReading from) {
		return new HeldTerm(this.number, this.since, from);
	}

}
