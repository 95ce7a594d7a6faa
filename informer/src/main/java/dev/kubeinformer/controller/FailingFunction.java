package dev.kubeinformer.controller;

import java.time.Instant;

/**
 * User function that fails to map a change to keys of the queue. Its changes are retried
 * until it no longer throws; until then, their keys are not queued.
 *
 * @param kind the kind of function
 * @param resource the resource of its objects, as {@code plural[.group]}
 * @param objects the number of objects for whose last change it failed
 * @param failedAt the time of the last failure
 * @param key the object of the last failure, in printable form
 * @param exceptionClass the name of the class of the last exception; its message is not
 * kept, because it may quote contents of objects
 */
public record FailingFunction(Kind kind, String resource, int objects, Instant failedAt, String key,
		String exceptionClass) {

	/**
	 * Kind of a function.
	 */
	public enum Kind {

		/** The function maps a watched object to keys of primaries. */
		MAPPER,

		/** The function decides whether an update of a primary causes a run. */
		CONDITION

	}

}
