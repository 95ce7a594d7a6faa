package dev.kubeinformer.internal.transport;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Deadlines of a request while the API server is away. They are shorter than usual, so
 * that a request that hangs does not delay the next one.
 *
 * @param connecting the limit on connecting; {@code null} for the usual one
 * @param answer the limit on the headers of the answer, connecting included; {@code null}
 * for the usual one
 * @param fresh whether a new connection is made: the name of the server may lead to
 * another address by now
 */
public record Haste(@Nullable Duration connecting, @Nullable Duration answer, boolean fresh) {

}
