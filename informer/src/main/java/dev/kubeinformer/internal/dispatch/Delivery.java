package dev.kubeinformer.internal.dispatch;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * Event as it is handed to a handler.
 *
 * @param <T> the model class
 * @param kind what happened
 * @param before the object before; {@code null} for an addition
 * @param after the object after; {@code null} for a deletion
 * @param resync whether nothing changed and a resync is the reason
 * @param initial whether the object belongs to the initial state
 * @param finalStateUnknown whether {@code before} may not be the last state of a deleted
 * object
 * @param attempt how often this event was handed to the handler, counted from 1
 */
public record Delivery<T>(Delta.Kind kind, @Nullable StoredObject<T> before, @Nullable StoredObject<T> after,
		boolean resync, boolean initial, boolean finalStateUnknown, int attempt) {

}
