package dev.kubeinformer.internal.election;

import java.util.List;

/**
 * Decision of an election.
 *
 * @param notices the notices since the last decision, in order
 * @param step the next step
 */
public record ElectionDecision(List<ElectionNotice> notices, ElectionStep step) {

}
