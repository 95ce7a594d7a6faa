package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.ReconcilerStatus;

/**
 * Metrics of a loop at one moment.
 *
 * @param queue the queue
 * @param total the number of runs that ended
 * @param active the number of current runs
 * @param longestActive the duration of the longest current run; zero if there is none
 * @param failed the number of failed runs, including runs that gave up
 * @param conflicts the number of runs that ended with a conflict
 * @param ownWriteTimeouts the number of times that a parked key waited until the timeout
 * @param lastError the class of the last exception and the key of its run; {@code null}
 * if no run has failed
 * @param failing the keys that have been failing longest, at most 20
 */
public record LoopFigures(ReconcilerStatus.Queue queue, long total, int active, Duration longestActive, long failed,
		long conflicts, long ownWriteTimeouts, @Nullable String lastError, List<FailingKey> failing) {

}
