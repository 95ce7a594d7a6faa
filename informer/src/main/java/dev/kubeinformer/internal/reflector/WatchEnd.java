package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.transport.Failure;

/**
 * How an open watch ended.
 *
 * @param failure what went wrong; {@code null} if the server closed the stream properly
 * @param lived how long the stream was open
 * @param events whether it brought an event
 */
record WatchEnd(@Nullable Failure failure, Duration lived, boolean events) {

}
