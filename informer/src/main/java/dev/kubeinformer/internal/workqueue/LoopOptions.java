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
 * @param id the id of the reconciler, which names its threads
 * @param concurrency how many runs there are at once, at most
 * @param timeout how long a run may take before it is cancelled
 * @param minInterval the least time between the starts of two runs of a key
 * @param ownWritesTimeout how long a key is parked at most
 * @param retry the backoff of failed runs
 * @param drainTimeout how long runs may take to end when the loop is stopped
 * @param threads makes the threads of the workers
 * @param nanoTime the clock that times are measured by
 * @param random the source of jitter; used under a lock only
 * @param timer cancels runs that take too long
 * @param clock the clock of the times that people read
 */
public record LoopOptions(String id, int concurrency, Duration timeout, Duration minInterval, Duration ownWritesTimeout,
		Retry retry, Duration drainTimeout, ThreadFactory threads, LongSupplier nanoTime, RandomGenerator random,
		ScheduledExecutorService timer, Clock clock) {

}
