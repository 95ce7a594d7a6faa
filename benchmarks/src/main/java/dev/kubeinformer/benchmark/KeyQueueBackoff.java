package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.internal.workqueue.KeyDelays;
import dev.kubeinformer.internal.workqueue.KeyQueue;
import dev.kubeinformer.internal.workqueue.RunFailure;
import dev.kubeinformer.internal.workqueue.RunStep;
import dev.kubeinformer.internal.workqueue.TakenKey;
import dev.kubeinformer.types.ObjectKey;

/**
 * Records the retries of a key that always fails while it changes ten times a second, in
 * virtual time: its schedule must equal that of a key that does not change. Argument: the
 * number of minutes.
 */
public final class KeyQueueBackoff {

	private static final RunFailure FAILURE = RunFailure.of(new IOException(), RunStep.RECONCILE);

	private static final long CHANGE = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long RUN = TimeUnit.MILLISECONDS.toNanos(5);

	private static final ObjectKey KEY = new ObjectKey("default", "failing");

	private KeyQueueBackoff() {
	}

	public static void main(String[] args) {
		long end = TimeUnit.MINUTES.toNanos((args.length > 0) ? Integer.parseInt(args[0]) : 60);
		Retry retry = Retry.defaults();
		KeyQueue queue = new KeyQueue(new KeyDelays(Duration.ZERO, Duration.ofSeconds(10), retry, new Random(1)));
		List<Long> retries = new ArrayList<>();
		int attempt = 0;
		int runs = 0;
		long now = 0;
		long nextChange = 0;
		while (now < end) {
			if (now == nextChange) {
				queue.changed(KEY, QueueLane.LIVE, now);
				nextChange += CHANGE;
			}
			TakenKey run = queue.take(now);
			if (run != null) {
				runs++;
				now += RUN;
				while (nextChange <= now) {
					queue.changed(KEY, QueueLane.LIVE, nextChange);
					nextChange += CHANGE;
				}
				if (run.attempt() > attempt) {
					retries.add(now);
					attempt = run.attempt();
				}
				else {
					// The earlier attempt was caused by a change, and does not count.
					retries.set(retries.size() - 1, now);
				}
				queue.failed(run, FAILURE, 0, now);
			}
			else {
				now = Math.min(nextChange, queue.nextDeadline());
			}
		}
		print(retry, retries, runs, end);
	}

	private static void print(Retry retry, List<Long> retries, int runs, long end) {
		System.out.printf("%d runs in %d s, of which %d counted%n", runs, end / 1_000_000_000, retries.size());
		for (int i = 1; i < retries.size(); i++) {
			double wait = (retries.get(i) - retries.get(i - 1)) / 1e9;
			double planned = Math.min(retry.delay().toMillis() / 1e3 * Math.pow(retry.multiplier(), i - 1),
					retry.maxDelay().toSeconds());
			System.out.printf("failure %2d after %8.3f s, planned %7.1f s ± %.0f %%: %+.1f %%%n", i + 1, wait, planned,
					100 * retry.jitter(), 100 * (wait / planned - 1));
		}
	}

}
