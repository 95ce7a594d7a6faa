package dev.kubeinformer.controller;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.FailedWrite;
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
 * @param cleanup whether the object was being deleted when its last run failed
 * @param write the write that the API server refused or did not answer; {@code null} if
 * it was another failure
 */
public record FailingKey(ObjectKey key, int attempts, Instant failingSince, @Nullable Instant nextAttempt,
		String exceptionClass, boolean cleanup, @Nullable FailedWrite write) {

	/**
	 * Creates a key whose last run was not one of the cleanup, and failed without a
	 * write.
	 * @param key the key
	 * @param attempts the number of failed runs since the last one that did not fail
	 * @param failingSince the time of the first of them
	 * @param nextAttempt when it is tried again; {@code null} if it waits for a worker,
	 * runs, or was given up
	 * @param exceptionClass the name of the class of the last exception
	 */
	public FailingKey(ObjectKey key, int attempts, Instant failingSince, @Nullable Instant nextAttempt,
			String exceptionClass) {
		this(key, attempts, failingSince, nextAttempt, exceptionClass, false, null);
	}

}
