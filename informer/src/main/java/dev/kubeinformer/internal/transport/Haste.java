package dev.kubeinformer.internal.transport;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Deadlines of a request during an outage of the API server. They are shorter than usual,
 * so that a request that hangs does not delay the next one.
 *
 * @param connecting the longest wait for a connection; {@code null} for the usual one
 * @param answer the longest wait for the headers of the response, including connecting;
 * {@code null} for the usual one
 * @param fresh whether the request opens a new connection, because the server's name may
 * resolve to another address by now
 */
public record Haste(@Nullable Duration connecting, @Nullable Duration answer, boolean fresh) {

}
