package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.internal.workqueue.KeyDelays;
import dev.kubeinformer.internal.workqueue.KeyQueue;
import dev.kubeinformer.internal.workqueue.RunFailure;
import dev.kubeinformer.internal.workqueue.RunStep;
import dev.kubeinformer.internal.workqueue.TakenKey;
import dev.kubeinformer.types.ObjectKey;

/**
 * Measures the work queue of a reconciler with very many keys: bytes for each, without
 * the key and its strings, and hand-outs a second by one thread. Argument: the number of
 * keys.
 */
public final class KeyQueueCost {

	private static final RunFailure FAILURE = RunFailure.of(new IOException(), RunStep.RECONCILE);

	private static final int ROUNDS = 5;

	private final ObjectKey[] keys;

	private KeyQueueCost(int size) {
		this.keys = new ObjectKey[size];
		for (int i = 0; i < size; i++) {
			this.keys[i] = new ObjectKey("namespace-" + i % 100, "object-" + i);
		}
	}

	public static void main(String[] args) {
		KeyQueueCost cost = new KeyQueueCost((args.length > 0) ? Integer.parseInt(args[0]) : 1_000_000);
		cost.memory("ready", cost::queueAll);
		cost.memory("delayed by a requeue", (queue) -> {
			cost.queueAll(queue);
			cost.takeAll(queue, (run) -> queue.requeueAfter(run, TimeUnit.HOURS.toNanos(1), 0));
		});
		cost.memory("failing", (queue) -> {
			cost.queueAll(queue);
			cost.takeAll(queue, (run) -> queue.failed(run, FAILURE, 0, 0));
		});
		for (int i = 0; i < ROUNDS; i++) {
			cost.time();
		}
	}

	private static KeyQueue queue() {
		return new KeyQueue(new KeyDelays(Duration.ZERO, Duration.ofSeconds(10), Retry.defaults(), new Random(1)));
	}

	private void queueAll(KeyQueue queue) {
		for (ObjectKey key : this.keys) {
			queue.changed(key, QueueLane.LIVE, 0);
		}
	}

	private void takeAll(KeyQueue queue, Consumer<TakenKey> end) {
		for (int i = 0; i < this.keys.length; i++) {
			end.accept(Objects.requireNonNull(queue.take(0)));
		}
	}

	private void memory(String state, Consumer<KeyQueue> fill) {
		KeyQueue queue = queue();
		long before = used();
		fill.accept(queue);
		long bytes = used() - before;
		Reference.reachabilityFence(queue);
		System.out.printf("%,d keys %s: %.1f bytes each%n", this.keys.length, state, (double) bytes / this.keys.length);
	}

	private static long used() {
		Runtime runtime = Runtime.getRuntime();
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			System.gc();
			least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
		}
		return least;
	}

	private void time() {
		KeyQueue queue = queue();
		long start = System.nanoTime();
		long startCpu = cpu();
		queueAll(queue);
		long queued = System.nanoTime();
		long queuedCpu = cpu();
		takeAll(queue, (run) -> queue.done(run, 0));
		long endedCpu = cpu();
		long ended = System.nanoTime();
		System.out.printf(
				"a second of the thread's CPU time: %,.0f changes, %,.0f hand-outs with their ends, "
						+ "%,.0f of both; by the clock: %,.0f, %,.0f, %,.0f%n",
				rate(queuedCpu - startCpu), rate(endedCpu - queuedCpu), rate(endedCpu - startCpu), rate(queued - start),
				rate(ended - queued), rate(ended - start));
	}

	private static long cpu() {
		return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
	}

	private double rate(long nanos) {
		return this.keys.length / (nanos / 1e9);
	}

}
