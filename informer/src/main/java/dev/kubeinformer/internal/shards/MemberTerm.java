package dev.kubeinformer.internal.shards;

import dev.kubeinformer.internal.election.ClockReading;

/**
 * Term of a member. All slots that it gains end with the term at the latest.
 *
 * @param number the number of the term in this process
 * @param validFrom the reading when the last successful write was sent, which starts the
 * deadline
 */
public record MemberTerm(long number, ClockReading validFrom) {

}
