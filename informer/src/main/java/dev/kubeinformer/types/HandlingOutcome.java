package dev.kubeinformer.types;

/**
 * How the handling of an event may end.
 */
public enum HandlingOutcome {

	/** The handler returned. */
	HANDLED,

	/** The handler threw an exception, and another attempt is due. */
	RETRY,

	/** The handler threw an exception, and the event is given up. */
	EXHAUSTED,

	/** A stop interrupted the handler; the event waits for the next start. */
	INTERRUPTED

}
