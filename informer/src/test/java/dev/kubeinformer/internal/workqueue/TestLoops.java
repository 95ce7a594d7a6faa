package dev.kubeinformer.internal.workqueue;

import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;

import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.types.ObjectKey;

/**
 * Settings of loops in tests.
 */
final class TestLoops {

	static final Retry QUICK = new Retry(Duration.ofMillis(2), 2, Duration.ofMillis(20), 0.2);

	private TestLoops() {
	}

	static LoopOptions options(ScheduledExecutorService timer, int concurrency) {
		return new LoopOptions("test", concurrency, Duration.ofMinutes(1), Duration.ZERO, Duration.ofSeconds(30), QUICK,
				Duration.ofSeconds(20), Thread::new, System::nanoTime, new Random(), timer, Clock.systemUTC());
	}

	static LoopOptions withRetry(LoopOptions options, Retry retry) {
		return new LoopOptions(options.id(), options.concurrency(), options.timeout(), options.minInterval(),
				options.ownWritesTimeout(), retry, options.drainTimeout(), options.threads(), options.nanoTime(),
				options.random(), options.timer(), options.clock());
	}

	static LoopOptions withTimeout(LoopOptions options, Duration timeout) {
		return new LoopOptions(options.id(), options.concurrency(), timeout, options.minInterval(),
				options.ownWritesTimeout(), options.retry(), options.drainTimeout(), options.threads(),
				options.nanoTime(), options.random(), options.timer(), options.clock());
	}

	static LoopOptions withDrainTimeout(LoopOptions options, Duration drainTimeout) {
		return new LoopOptions(options.id(), options.concurrency(), options.timeout(), options.minInterval(),
				options.ownWritesTimeout(), options.retry(), drainTimeout, options.threads(), options.nanoTime(),
				options.random(), options.timer(), options.clock());
	}

	static LoopOptions withOwnWritesTimeout(LoopOptions options, Duration ownWritesTimeout) {
		return new LoopOptions(options.id(), options.concurrency(), options.timeout(), options.minInterval(),
				ownWritesTimeout, options.retry(), options.drainTimeout(), options.threads(), options.nanoTime(),
				options.random(), options.timer(), options.clock());
	}

	static BusyKeys awaitIdle(ReconcileLoop loop, Duration timeout) throws InterruptedException {
		long until = System.nanoTime() + timeout.toNanos();
		loop.idleSignal().await(() -> loop.busy().isIdle(), () -> until - System.nanoTime());
		return loop.busy();
	}

	static ObjectKey key(String name) {
		return new ObjectKey("default", name);
	}

	/**
	 * Listener that does nothing.
	 */
	static class Silent implements LoopListener {

		@Override
		public void ended(KeyRun run, RunEnd end, Duration duration) {
			// Not listened to.
		}

		@Override
		public void unparked(ObjectKey key, Duration waited, boolean seen) {
			// Not listened to.
		}

	}

}
