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

	/** A stop interrupted the handler; the event waits for the next start. */
	INTERRUPTED

}
