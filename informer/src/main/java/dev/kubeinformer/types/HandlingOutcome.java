package dev.kubeinformer.types;

/**
 * Outcome of one delivery of an event.
 */
public enum HandlingOutcome {

	/** The handler returned without an exception. */
	HANDLED,

	/** The handler threw an exception, and another attempt will follow. */
	RETRY,

	/** The handler threw an exception, and no other attempt will follow. */
	EXHAUSTED,

	/**
	 * The event was not handled completely, for one of two reasons. A stop interrupted
	 * the handler; the event then waits for the next start. Or the leadership of this
	 * process ended before or during the delivery; the next term begins with the content
	 * of the cache.
	 */
	INTERRUPTED

}
