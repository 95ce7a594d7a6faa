package dev.kubeinformer.internal.transport;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a request is sent while the API server is away: what has not connected or is not
 * answered soon is not waited for as long as usual.
 *
 * @param connecting how long connecting may take; {@code null} for as long as usual
 * @param answer how long the headers of the answer may take, connecting included;
 * {@code null} for as long as usual
 * @param fresh whether it takes a new connection: those there are may lead to a server
 * that will not recover, while its address leads to another one by now
 */
public record Haste(@Nullable Duration connecting, @Nullable Duration answer, boolean fresh) {

}
