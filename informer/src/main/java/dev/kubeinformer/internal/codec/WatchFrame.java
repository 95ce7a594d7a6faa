package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.WatchEventType;

/**
 * One event of a watch stream.
 *
 * @param <T> the model class
 * @param type the type of the event
 * @param object the object of an addition, change or deletion; {@code null} for the
 * others
 * @param resourceVersion the version that the event carries; empty if it carries none
 * @param initialEventsEnd whether this bookmark ends the initial events of a streaming
 * list (KEP-3157)
 * @param status what an {@link WatchEventType#ERROR} says; {@code null} for the others
 */
public record WatchFrame<T>(WatchEventType type, @Nullable DecodedObject<T> object, String resourceVersion,
		boolean initialEventsEnd, @Nullable ApiStatus status) {

}
