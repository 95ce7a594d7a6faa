package dev.kubeinformer.controller;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Key whose last run failed.
 *
 * @param key the key
 * @param attempts the number of failed runs since the last one that did not fail
 * @param failingSince the time of the first of them
 * @param nextAttempt when it is tried again; {@code null} if it waits for a worker, runs,
 * or was given up
 * @param exceptionClass the name of the class of the last exception, and of what the API
 * server refused the HTTP status; its message is not kept, because it may quote contents
 * of objects
 */
public record FailingKey(ObjectKey key, int attempts, Instant failingSince, @Nullable Instant nextAttempt,
		String exceptionClass) {

}
