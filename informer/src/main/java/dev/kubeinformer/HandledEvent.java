package dev.kubeinformer;

import java.time.Duration;

/**
 * What became of an event that was handed to a handler.
 *
 * @param type what happened to the object
 * @param attempt how often the event was handed to the handler, counted from 1
 * @param waited how long it waited for that since it was queued; for a further attempt,
 * since the one before
 * @param duration how long the handler took
 * @param outcome how it ended
 */
public record HandledEvent(ResourceEvent.Type type, int attempt, Duration waited, Duration duration, Outcome outcome) {

	/**
	 * How the handling of an event may end.
	 */
	public enum Outcome {

		/** The handler returned. */
		HANDLED,

		/** The handler threw an exception, and another attempt is due. */
		RETRY,

		/** The handler threw an exception, and the event is given up. */
		EXHAUSTED,

		/** A stop interrupted the handler; the event waits for the next start. */
		INTERRUPTED

	}

}
