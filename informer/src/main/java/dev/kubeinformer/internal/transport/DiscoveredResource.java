package dev.kubeinformer.internal.transport;

import org.jspecify.annotations.Nullable;

/**
 * What discovery says of a resource.
 *
 * @param kind the kind of its objects; empty if it is not known
 * @param advice what to look at if requests for the resource find nothing, without a full
 * stop; {@code null} if that is not known
 */
record DiscoveredResource(String kind, @Nullable String advice) {

}
