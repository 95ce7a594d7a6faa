package dev.kubeinformer.internal.shards;

/**
 * Current signals from outside a membership.
 *
 * @param leave {@code true} to leave the group after the drain of all slots
 * @param giveUp {@code true} to end at once, without release of the slots
 * @param drained the slots whose work has ended since their drain was announced
 * @param lost {@code true} if another thread found that the current term is over
 */
public record ShardSignals(boolean leave, boolean giveUp, SlotSet drained, boolean lost) {

}
