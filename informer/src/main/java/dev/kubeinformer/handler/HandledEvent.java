package dev.kubeinformer.handler;

import java.time.Duration;

import dev.kubeinformer.types.HandlingOutcome;

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
public record HandledEvent(ResourceEvent.Type type, int attempt, Duration waited, Duration duration,
		HandlingOutcome outcome) {

}
