package dev.kubeinformer.internal.shards;

/**
 * Current signals from outside a membership.
 *
 * @param leave {@code true} to leave the group when the work of all slots has ended
 * @param giveUp {@code true} to end at once, without releasing the slots
 * @param drained the slots whose work has ended after it was asked to
 * @param lost {@code true} if another thread found that the current term is over
 */
public record ShardSignals(boolean leave, boolean giveUp, SlotSet drained, boolean lost) {

}
