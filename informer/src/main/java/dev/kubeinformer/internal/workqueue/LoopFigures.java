package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.ReconcilerStatus;

/**
 * Figures of a loop at one moment.
 *
 * @param queue the queue
 * @param total the number of runs that ended
 * @param active the number of runs at this moment
 * @param longestActive how long the longest of these has run; zero if there is none
 * @param failed the number of runs that failed, those that gave up included
 * @param conflicts the number of runs that ended with a conflict
 * @param ownWriteTimeouts the number of keys that were parked until the timeout
 * @param lastError the class of the last exception and the key; {@code null} if no run
 * has failed
 * @param failing the keys that fail for longest, at most 20
 */
public record LoopFigures(ReconcilerStatus.Queue queue, long total, int active, Duration longestActive, long failed,
		long conflicts, long ownWriteTimeouts, @Nullable String lastError, List<FailingKey> failing) {

}
