package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/**
 * One object of a list or an event: readable, or known by its identity only.
 *
 * @param <T> the model class
 * @param metadata the identity, as far as it could be read
 * @param object the object; {@code null} if it could not be read
 * @param problem why it could not be read: our own text with the path of the field, never
 * a value; {@code null} if it could
 */
public record DecodedObject<T>(ObjectMetadata metadata, @Nullable T object, @Nullable String problem) {

}
