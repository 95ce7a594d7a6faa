package dev.kubeinformer.internal.workqueue;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import dev.kubeinformer.controller.ReconcilerSpec.Retry;

/**
 * Settings of the loop of a reconciler.
 *
 * @param id the id of the reconciler, which is part of the names of its threads
 * @param concurrency the maximum number of concurrent runs
 * @param timeout the longest duration of a run before it is cancelled
 * @param minInterval the shortest time between the starts of two runs of a key
 * @param ownWritesTimeout the longest time for which a key waits until the caches show
 * its own writes
 * @param retry the backoff of failed runs
 * @param drainTimeout the time within which runs may end when the loop is stopped
 * @param threads creates the threads of the workers
 * @param nanoTime the clock for durations
 * @param random the source of jitter; used under a lock only
 * @param timer cancels runs that time out
 * @param clock the clock for times in reports
 */
public record LoopOptions(String id, int concurrency, Duration timeout, Duration minInterval, Duration ownWritesTimeout,
		Retry retry, Duration drainTimeout, ThreadFactory threads, LongSupplier nanoTime, RandomGenerator random,
		ScheduledExecutorService timer, Clock clock) {

}
