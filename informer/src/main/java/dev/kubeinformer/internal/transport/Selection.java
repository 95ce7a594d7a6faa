package dev.kubeinformer.internal.transport;

import org.jspecify.annotations.Nullable;

/**
 * Which objects of a resource are asked for. It goes with every request.
 *
 * @param namespace the namespace, or {@code null} for the whole cluster
 * @param labelSelector the label selector, or {@code null} for none
 * @param fieldSelector the field selector, or {@code null} for none
 */
public record Selection(@Nullable String namespace, @Nullable String labelSelector, @Nullable String fieldSelector) {

}
