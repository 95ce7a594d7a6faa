package dev.kubeinformer.internal.election;

import java.util.List;

/**
 * Decision of an election.
 *
 * @param notices what has happened since the last one, in order
 * @param step what to do next
 */
public record ElectionDecision(List<ElectionNotice> notices, ElectionStep step) {

}
