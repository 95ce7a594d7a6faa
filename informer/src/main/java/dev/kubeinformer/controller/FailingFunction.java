package dev.kubeinformer.controller;

import java.time.Instant;

/**
 * User function that failed for some changes. A mapper determines the keys that a change
 * queues; a condition decides whether an update of a primary queues its key. The function
 * is called again for these changes until it no longer throws an exception. Until then,
 * their keys are not queued.
 *
 * @param kind the kind of function
 * @param resource the resource of its objects, as {@code plural[.group]}
 * @param objects the number of objects whose last change the function could not map
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

		/** Function that maps a watched object to keys of primaries. */
		MAPPER,

		/** Function that decides whether an update of a primary causes a run. */
		CONDITION

	}

}
