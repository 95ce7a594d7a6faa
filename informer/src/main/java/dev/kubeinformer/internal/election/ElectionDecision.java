package dev.kubeinformer.internal.election;

import java.util.List;

/**
 * Decision of an election: what has happened, and what to do next.
 *
 * @param notices the notices of events since the last decision, in order
 * @param step the next step
 */
public record ElectionDecision(List<ElectionNotice> notices, ElectionStep step) {

}
