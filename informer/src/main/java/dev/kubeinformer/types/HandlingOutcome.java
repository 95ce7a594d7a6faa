package dev.kubeinformer.types;

/**
 * Outcome of one delivery of an event.
 */
public enum HandlingOutcome {

	/** The handler returned. */
	HANDLED,

	/** The handler threw an exception, and another attempt is due. */
	RETRY,

	/** The handler threw an exception, and no further attempt is due. */
	EXHAUSTED,

	/**
	 * A stop interrupted the handler, and the event waits for the next start. Or the term
	 * of the leader ended before or during the delivery; the next term begins with the
	 * content of the cache.
	 */
	INTERRUPTED

}
