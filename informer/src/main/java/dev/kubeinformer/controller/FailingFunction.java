package dev.kubeinformer.controller;

import java.time.Instant;

/**
 * Function of a user that fails where it says what a change means for the queue. The
 * changes are tried again until it does not throw; until then the keys that they concern
 * are not queued.
 *
 * @param kind the kind of function
 * @param resource the resource of the objects that it is called with, as
 * {@code plural[.group]}
 * @param objects the number of objects whose last change it has failed on
 * @param failedAt when it failed last
 * @param key the object that it failed on last, as it can be printed
 * @param exceptionClass the name of the class of the last exception; its message is not
 * kept, because it may quote contents of objects
 */
public record FailingFunction(Kind kind, String resource, int objects, Instant failedAt, String key,
		String exceptionClass) {

	/**
	 * Kind of a function.
	 */
	public enum Kind {

		/** It maps a watched object to keys of primaries. */
		MAPPER,

		/** It says whether an update of a primary leads to a run. */
		CONDITION

	}

}
