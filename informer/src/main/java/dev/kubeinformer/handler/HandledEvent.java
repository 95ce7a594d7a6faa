package dev.kubeinformer.handler;

import java.time.Duration;

import dev.kubeinformer.types.HandlingOutcome;

/**
 * Outcome of one delivery of an event to a handler.
 *
 * @param type the type of the change
 * @param attempt the number of deliveries of this event so far, counted from 1
 * @param waited the time since the event was queued or, for a retry, since the previous
 * attempt
 * @param duration the time that the handler needed
 * @param outcome the outcome of the delivery
 */
public record HandledEvent(ResourceEvent.Type type, int attempt, Duration waited, Duration duration,
		HandlingOutcome outcome) {

}
