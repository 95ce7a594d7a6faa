package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many threads change keys of a loop whose runs end in every way, while it is stopped and
 * started again: no key is lost, and no two runs of a key overlap.
 */
@Timeout(120)
class ReconcileLoopStressTests {

	private static final int KEYS = 40;

	private static final int CHANGES = Boolean.getBoolean("tests.thorough") ? 200_000 : 20_000;

	private static final Duration LONG = Duration.ofSeconds(60);

	private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(2);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Track> tracks = new ArrayList<>();

	private final AtomicBoolean calm = new AtomicBoolean();

	private final ReconcileLoop loop;

	ReconcileLoopStressTests() {
		for (int i = 0; i < KEYS; i++) {
			this.tracks.add(new Track());
		}
		LoopOptions options = TestLoops.withDrainTimeout(
				TestLoops.withTimeout(TestLoops.options(this.timer, 4), Duration.ofMillis(5)), Duration.ofMillis(3));
		this.loop = new ReconcileLoop(options, new TestLoops.Silent());
	}

	@AfterEach
	void stop() {
		this.loop.stop();
		this.timer.shutdownNow();
		this.threads.shutdownNow();
	}

	@RepeatedTest(3)
	void noKeyIsLostAndNoRunsOverlap() throws Exception {
		this.loop.start(Fence.NONE, this::run);
		this.loop.open();
		List<Future<?>> writers = new ArrayList<>();
		for (int thread = 0; thread < 4; thread++) {
			long seed = ThreadLocalRandom.current().nextLong();
			writers.add(this.threads.submit(() -> change(seed)));
		}
		for (int i = 0; i < 5; i++) {
			TestLoops.awaitIdle(this.loop, Duration.ofMillis(40));
			this.loop.stop();
			this.loop.start(Fence.NONE, this::run);
			this.loop.open();
		}
		for (Future<?> writer : writers) {
			writer.get();
		}
		this.calm.set(true);
		BusyKeys busy = TestLoops.awaitIdle(this.loop, LONG);
		assertThat(busy.names()).isEmpty();
		for (int i = 0; i < KEYS; i++) {
			Track track = this.tracks.get(i);
			assertThat(track.overlaps).as("overlapping runs of key %s", i).hasValue(0);
			assertThat(track.reconciled).as("key %s", i).isEqualTo(track.version.get());
		}
		LoopFigures figures = this.loop.figures();
		assertThat(figures.queue().failingKeys()).isZero();
		assertThat(figures.queue().parked()).isZero();
		assertThat(figures.failed()).isPositive();
	}

	private void change(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		for (int i = 0; i < CHANGES / 4; i++) {
			int number = random.nextInt(KEYS);
			this.tracks.get(number).version.incrementAndGet();
			ObjectKey key = TestLoops.key(Integer.toString(number));
			switch (random.nextInt(8)) {
				case 0 -> this.loop.deleted(key);
				case 1 -> this.loop.trigger(key, QueueLane.INITIAL);
				case 2 -> this.loop.changed(key, QueueLane.INITIAL);
				default -> this.loop.changed(key, QueueLane.LIVE);
			}
			if (random.nextInt(8) == 0) {
				this.loop.resync(TestLoops.key(Integer.toString(random.nextInt(KEYS))));
			}
			if (random.nextInt(200) == 0) {
				Thread.yield();
			}
		}
	}

	private RunEnd run(KeyRun run) throws Exception {
		Track track = this.tracks.get(Integer.parseInt(run.key().name()));
		if (!track.running.compareAndSet(false, true)) {
			track.overlaps.incrementAndGet();
		}
		int version = track.version.get();
		try {
			return end(run, track, version);
		}
		finally {
			track.running.set(false);
		}
	}

	private RunEnd end(KeyRun run, Track track, int version) throws Exception {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		switch (this.calm.get() ? 100 : random.nextInt(40)) {
			case 0 -> throw new StackOverflowError();
			case 1 -> throw new IllegalStateException();
			case 2 -> {
				return RunEnd.conflict(new IllegalStateException());
			}
			case 3 -> {
				// Takes too long, until it is cancelled.
				CountDownLatch never = new CountDownLatch(1);
				run.onCancel(never::countDown);
				never.await();
				throw new IllegalStateException();
			}
			case 4, 5, 6, 7 -> {
				return RunEnd.park(new Writes(random.nextInt(4)));
			}
			default -> {
				track.reconciled = version;
				return (random.nextInt(10) == 0) ? RunEnd.requeueAfter(Duration.ofNanos(random.nextInt(1, 1_000_000)))
						: RunEnd.done();
			}
		}
	}

	/** History of a key. */
	private static final class Track {

		private final AtomicInteger version = new AtomicInteger();

		private final AtomicBoolean running = new AtomicBoolean();

		private final AtomicInteger overlaps = new AtomicInteger();

		private volatile int reconciled;

	}

	/**
	 * Writes that arrive by other threads, or at once.
	 */
	private final class Writes implements OwnWritesWait {

		private final int count;

		Writes(int count) {
			this.count = count;
		}

		@Override
		public int awaited() {
			return this.count;
		}

		@Override
		public void register(Runnable arrived) {
			for (int i = 0; i < this.count; i++) {
				if (ThreadLocalRandom.current().nextBoolean()) {
					arrived.run();
				}
				else {
					ReconcileLoopStressTests.this.threads.execute(arrived);
				}
			}
		}

	}

}
