package dev.kubeinformer.controller;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.FailedWrite;
import dev.kubeinformer.types.ObjectKey;

/**
 * Key whose last run failed.
 *
 * @param key the key
 * @param attempts the number of failed runs since the last successful one
 * @param failingSince the time of the first of these failures
 * @param nextAttempt the time of the next attempt; {@code null} if the key waits for a
 * worker, is running, or was given up
 * @param exceptionClass the class name of the last exception, with the HTTP status if the
 * API server rejected a request; the message is not kept, because it may quote contents
 * of objects
 * @param cleanup {@code true} if the object was being deleted when its last run failed
 * @param write the write that the API server rejected or did not respond to; {@code null}
 * if it was another failure
 */
public record FailingKey(ObjectKey key, int attempts, Instant failingSince, @Nullable Instant nextAttempt,
		String exceptionClass, boolean cleanup, @Nullable FailedWrite write) {

	/**
	 * Creates a key whose last run was not a cleanup, and whose failure was not a
	 * rejected write.
	 * @param key the key
	 * @param attempts the number of failed runs since the last successful one
	 * @param failingSince the time of the first of these failures
	 * @param nextAttempt the time of the next attempt; {@code null} if the key waits for
	 * a worker, is running, or was given up
	 * @param exceptionClass the class name of the last exception
	 */
	public FailingKey(ObjectKey key, int attempts, Instant failingSince, @Nullable Instant nextAttempt,
			String exceptionClass) {
		this(key, attempts, failingSince, nextAttempt, exceptionClass, false, null);
	}

}
