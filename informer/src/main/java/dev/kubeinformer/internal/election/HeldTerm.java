package dev.kubeinformer.internal.election;

import java.time.Instant;

/**
 * Term of this process: a time during which it leads.
 *
 * @param number the number of the term
 * @param since the time at which this process acquired the Lease, by the wall clock
 * @param validFrom the clock reading when the last successful renewal was sent. The renew
 * deadline counts from it
 */
public record HeldTerm(long number, Instant since, ClockReading validFrom) {

	HeldTerm renewed(ClockReading from) {
		return new HeldTerm(this.number, this.since, from);
	}

}
