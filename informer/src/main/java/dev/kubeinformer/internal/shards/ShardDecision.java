package dev.kubeinformer.internal.shards;

import java.util.List;

/**
 * Decision of a membership.
 *
 * @param notices the notices since the last decision, in order
 * @param step the next step
 */
public record ShardDecision(List<ShardNotice> notices, ShardStep step) {

}
