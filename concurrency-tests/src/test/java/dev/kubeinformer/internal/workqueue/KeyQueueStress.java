package dev.kubeinformer.internal.workqueue;

import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.types.ObjectKey;

/**
 * A key changes while a worker takes and runs it. The run sees the change, or the key is
 * ready once more; it is never lost.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The run sees the change")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Another run will see it")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The run sees it, and another one will")
@Outcome(expect = Expect.FORBIDDEN, desc = "What the run saw, keys that are ready")
@State
public class KeyQueueStress {

	private static final ObjectKey KEY = new ObjectKey("ns", "a");

	/** Shut down: no run takes too long. */
	private static final ScheduledExecutorService TIMER = timer();

	private static final Retry RETRY = new Retry(Duration.ofHours(1), 2, Duration.ofHours(1), 0);

	private final ReconcileLoop loop;

	private Runnable worker;

	private volatile int data;

	private int seen;

	public KeyQueueStress() {
		this.loop = new ReconcileLoop(
				new LoopOptions("stress", 1, Duration.ofHours(1), Duration.ZERO, Duration.ofHours(1), RETRY,
						Duration.ZERO, this::newThread, System::nanoTime, new Random(), TIMER, Clock.systemUTC()),
				new Silence());
		this.loop.start(Fence.NONE, this::run);
		this.loop.changed(KEY, QueueLane.LIVE);
		this.loop.open();
	}

	private static ScheduledExecutorService timer() {
		ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1);
		timer.shutdown();
		return timer;
	}

	// The worker is one of the two threads of the test.
	private Thread newThread(Runnable work) {
		this.worker = work;
		return new Thread() {

			@Override
			public synchronized void start() {
			}

		};
	}

	private RunEnd run(KeyRun run) {
		this.seen = this.data;
		// The worker ends after this run.
		this.loop.stop();
		return RunEnd.done();
	}

	@Actor
	public void worker() {
		this.worker.run();
	}

	@Actor
	public void change() {
		this.data = 1;
		this.loop.changed(KEY, QueueLane.LIVE);
	}

	@Arbiter
	public void end(II_Result result) {
		result.r1 = this.seen;
		result.r2 = ready();
	}

	private int ready() {
		return this.loop.figures().queue().ready().values().stream().mapToInt(Integer::intValue).sum();
	}

	private static final class Silence implements LoopListener {

		@Override
		public void ended(KeyRun run, RunEnd end, Duration duration) {
		}

		@Override
		public void unparked(ObjectKey key, Duration waited, boolean seen) {
		}

	}

}
