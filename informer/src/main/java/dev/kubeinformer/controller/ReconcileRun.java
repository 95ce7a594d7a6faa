package dev.kubeinformer.controller;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Completed run of a reconciler.
 *
 * @param key the key of the primary
 * @param attempt the number of the attempt, from 1
 * @param cleanup {@code true} if the object was being deleted, so that its cleanup ran
 * @param lane the lane that the key was taken from
 * @param queueTime the time from when the key became ready to the start of the run
 * @param duration the duration of the run
 * @param outcome the outcome
 * @param error the exception of the run; {@code null} if there was none. Its message may
 * quote contents of objects
 */
public record ReconcileRun(ObjectKey key, int attempt, boolean cleanup, QueueLane lane, Duration queueTime,
		Duration duration, RunOutcome outcome, @Nullable Throwable error) {

}
