package dev.kubeinformer.internal.dispatch;

import java.time.Instant;

import dev.kubeinformer.types.ObjectKey;

/**
 * Event that is being handled.
 *
 * @param since since when
 * @param key the object
 */
public record Handling(Instant since, ObjectKey key) {

}
