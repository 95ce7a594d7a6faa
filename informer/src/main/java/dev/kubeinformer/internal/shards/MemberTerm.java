package dev.kubeinformer.internal.shards;

import dev.kubeinformer.internal.election.ClockReading;

/**
 * Term of a member, in which it may hold slots. When the term ends, all these slots are
 * lost.
 *
 * @param number the number of the term in this process
 * @param validFrom the clock reading when the last successful write was sent; the renew
 * deadline counts from it
 */
public record MemberTerm(long number, ClockReading validFrom) {

}
