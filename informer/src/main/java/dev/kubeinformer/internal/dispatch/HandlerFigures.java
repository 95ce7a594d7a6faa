package dev.kubeinformer.internal.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * Figures of a handler's events at one instant: an event in none of them was handled.
 *
 * @param waiting events that wait
 * @param retrying those of them that failed before
 * @param merged events that were merged into another
 * @param dropped events that were dropped because the dispatcher was closed
 * @param handling the event that the handler has been busy with for longest; {@code null}
 * if it is idle
 */
public record HandlerFigures(int waiting, int retrying, long merged, long dropped, @Nullable Handling handling) {

}
