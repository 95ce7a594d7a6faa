package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.fixtures.PatientAwaits;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The loop of a reconciler with real threads.
 */
@ExtendWith(PatientAwaits.class)
@Timeout(120)
class ReconcileLoopTests {

	private static final ObjectKey A = TestLoops.key("a");

	private static final ObjectKey B = TestLoops.key("b");

	private static final Duration LONG = Duration.ofSeconds(60);

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

	private final List<Ended> ended = new CopyOnWriteArrayList<>();

	private final BlockingQueue<Boolean> unparked = new LinkedBlockingQueue<>();

	private final List<String> stops = new CopyOnWriteArrayList<>();

	private LoopOptions options = TestLoops.options(this.timer, 2);

	private ReconcileLoop loop = new ReconcileLoop(this.options, new TestLoops.Silent());

	private KeyRunner runner = (run) -> RunEnd.done();

	@AfterEach
	void stop() {
		this.loop.stop();
		this.timer.shutdownNow();
	}

	private void run(KeyRunner runner) {
		make(runner, new Listener());
		start();
		this.loop.open();
	}

	private void make(KeyRunner runner, LoopListener listener) {
		this.runner = runner;
		this.loop = new ReconcileLoop(this.options, listener);
	}

	private void start() {
		this.loop.start(Fence.NONE, this.runner);
	}

	private void change(ObjectKey key) {
		this.loop.changed(key, QueueLane.LIVE);
	}

	private void assertIdle() throws InterruptedException {
		assertThat(TestLoops.awaitIdle(this.loop, LONG).names()).isEmpty();
	}

	private static void pass(CountDownLatch latch) throws InterruptedException {
		assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void noKeyIsTakenBeforeItIsOpenNorOnHold() throws InterruptedException {
		AtomicInteger runs = new AtomicInteger();
		make((run) -> {
			runs.incrementAndGet();
			return RunEnd.done();
		}, new Listener());
		change(A);
		start();
		assertThat(TestLoops.awaitIdle(this.loop, Duration.ofMillis(20)).names()).containsExactly("default/a (queued)");
		this.loop.open();
		assertIdle();
		this.loop.hold();
		change(B);
		assertThat(TestLoops.awaitIdle(this.loop, Duration.ofMillis(20)).names()).containsExactly("default/b (queued)");
		assertThat(this.loop.figures().queue().ready()).containsEntry(QueueLane.LIVE, 1)
			.containsEntry(QueueLane.INITIAL, 0);
		assertThat(this.loop.figures().queue().oldestReadyAge()).isPositive();
		this.loop.open();
		assertIdle();
		assertThat(runs).hasValue(2);
	}

	@Test
	void keyThatFailsWhileTheServerIsAwayIsTriedAgainAfterHalfAMinute() {
		this.options = TestLoops.withRetry(this.options, new Retry(Duration.ofMillis(1), 1, Duration.ofHours(1), 0));
		make((run) -> RunEnd.serverAway(new IllegalStateException("as the test wants it"), null), new Listener());
		this.loop.serverAway(() -> true);
		start();
		this.loop.open();
		Instant before = Instant.now();
		change(A);
		await().until(() -> this.loop.figures().failing().stream().anyMatch((each) -> each.nextAttempt() != null));
		assertThat(this.loop.figures().failing()).singleElement()
			.extracting(FailingKey::nextAttempt, InstanceOfAssertFactories.INSTANT)
			.isBetween(before.plusSeconds(29), Instant.now().plusSeconds(31));
	}

	@Test
	void abandonedLoopForgetsItsKeysAndTakesNoneBeforeTheNextStart() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		List<ObjectKey> runs = new CopyOnWriteArrayList<>();
		Fences first = new Fences();
		make((run) -> {
			runs.add(run.key());
			running.countDown();
			while (go.getCount() > 0) {
				try {
					go.await();
				}
				catch (InterruptedException ex) {
					interrupted.countDown();
				}
			}
			throw new IllegalStateException("as the test wants it");
		}, new Listener());
		this.loop.start(first, this.runner);
		this.loop.open();
		change(A);
		pass(running);
		this.loop.hold();
		change(B);
		first.up = false;
		this.loop.abandon(first);
		pass(interrupted);
		change(B);
		assertThat(this.loop.figures().queue().ready().values()).containsOnly(0);
		assertThat(this.loop.figures().active()).isEqualTo(1);
		this.loop.start(new Fences(), this.runner);
		this.loop.open();
		change(A);
		assertThat(this.loop.busy().names()).containsExactly("default/a (running)");
		go.countDown();
		await().until(() -> runs.size() >= 2);
		this.loop.stop();
		// The run that was cut counts as none, and its key began anew.
		assertThat(runs).containsOnly(A);
		assertThat(this.ended.get(0).end()).isInstanceOf(RunEnd.Fenced.class);
		assertThat(this.ended.get(1).end()).isInstanceOf(RunEnd.Failed.class);
		assertThat(this.loop.figures().total()).isEqualTo(this.ended.size() - 1);
	}

	@Test
	void fenceThatIsDownLetsNoRunBegin() throws InterruptedException {
		Fences fence = new Fences();
		AtomicInteger runs = new AtomicInteger();
		make((run) -> {
			runs.incrementAndGet();
			return RunEnd.done();
		}, new Listener());
		this.loop.start(fence, this.runner);
		fence.up = false;
		this.loop.open();
		change(A);
		assertIdle();
		assertThat(runs).hasValue(0);
		assertThat(this.ended).isEmpty();
		assertThat(this.loop.figures().total()).isZero();
	}

	@Test
	void workersAreMadeAsNeededUpToTheirNumberAndNamed() throws InterruptedException {
		List<Thread> threads = new CopyOnWriteArrayList<>();
		this.options = new LoopOptions("web", 3, LONG, Duration.ZERO, LONG, TestLoops.QUICK, LONG, (work) -> {
			Thread thread = new Thread(work);
			threads.add(thread);
			return thread;
		}, System::nanoTime, this.options.random(), this.timer, this.options.clock());
		CountDownLatch running = new CountDownLatch(3);
		CountDownLatch go = new CountDownLatch(1);
		run((run) -> {
			running.countDown();
			pass(go);
			return RunEnd.done();
		});
		assertThat(threads).hasSize(1);
		for (int i = 0; i < 10; i++) {
			change(TestLoops.key("k" + i));
		}
		pass(running);
		assertThat(this.loop.figures().active()).isEqualTo(3);
		go.countDown();
		assertIdle();
		assertThat(threads).extracting(Thread::getName)
			.containsExactlyInAnyOrder("reconciler-web-1", "reconciler-web-2", "reconciler-web-3");
		this.loop.stop();
		await().until(() -> threads.stream().noneMatch(Thread::isAlive));
	}

	@Test
	void changeDuringARunLeadsToOneMoreOfTheSameKeyWithoutOverlap() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicInteger now = new AtomicInteger();
		AtomicInteger runs = new AtomicInteger();
		AtomicBoolean overlap = new AtomicBoolean();
		run((run) -> {
			overlap.compareAndSet(false, now.incrementAndGet() > 1);
			runs.incrementAndGet();
			running.countDown();
			pass(go);
			now.decrementAndGet();
			return RunEnd.done();
		});
		change(A);
		pass(running);
		change(A);
		change(A);
		go.countDown();
		assertIdle();
		assertThat(runs).hasValue(2);
		assertThat(overlap).isFalse();
	}

	@Test
	void requeueIsAwaitedWithoutATimerAndIsIdle() throws InterruptedException {
		CountDownLatch second = new CountDownLatch(2);
		run((run) -> {
			second.countDown();
			return (second.getCount() > 0) ? RunEnd.requeueAfter(Duration.ofMillis(30)) : RunEnd.done();
		});
		change(A);
		assertIdle();
		pass(second);
		assertThat(this.ended).extracting(Ended::end).first().isInstanceOf(RunEnd.RequeueAfter.class);
	}

	@Test
	void requeueComesAfterTenMillisecondsAtTheEarliest() throws InterruptedException {
		List<Long> starts = new CopyOnWriteArrayList<>();
		CountDownLatch last = new CountDownLatch(3);
		run((run) -> {
			starts.add(System.nanoTime());
			last.countDown();
			return (last.getCount() > 0) ? RunEnd.requeueAfter(Duration.ofNanos(1)) : RunEnd.done();
		});
		change(A);
		pass(last);
		assertThat(Duration.ofNanos(starts.get(2) - starts.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(20));
	}

	@Test
	void earlierDeadlineIsNotMissedByAWorkerThatWaitsForALaterOne() throws InterruptedException {
		CountDownLatch soon = new CountDownLatch(2);
		run((run) -> {
			if (run.key().equals(A)) {
				return RunEnd.requeueAfter(Duration.ofHours(1));
			}
			soon.countDown();
			return RunEnd.requeueAfter(Duration.ofMillis(20));
		});
		change(A);
		assertIdle();
		change(B);
		pass(soon);
	}

	@Test
	void errorFailsTheRunAndNeitherWorkerNorKeyIsLost() throws InterruptedException {
		this.options = TestLoops.options(this.timer, 1);
		Instant before = Instant.now();
		CountDownLatch failed = new CountDownLatch(4);
		AtomicBoolean healthy = new AtomicBoolean();
		run((run) -> {
			failed.countDown();
			if (!healthy.get()) {
				throw new StackOverflowError();
			}
			return RunEnd.done();
		});
		change(A);
		pass(failed);
		FailingKey failing = this.loop.figures().failing().get(0);
		assertThat(failing.key()).isEqualTo(A);
		assertThat(failing.attempts()).isBetween(3, 1000);
		assertThat(failing.failingSince()).isBetween(before.minusMillis(100), Instant.now());
		assertThat(failing.exceptionClass()).isEqualTo("java.lang.StackOverflowError");
		assertThat(this.loop.figures().lastError()).isEqualTo("java.lang.StackOverflowError for 'default/a'");
		healthy.set(true);
		assertIdle();
		assertThat(this.loop.figures().failing()).isEmpty();
		assertThat(this.loop.figures().queue().failingKeys()).isZero();
	}

	@Test
	void listenerThatThrowsDoesNoHarm() throws InterruptedException {
		make((run) -> RunEnd.done(), new TestLoops.Silent() {

			@Override
			public void ended(KeyRun run, RunEnd end, Duration duration) {
				Thread.currentThread().interrupt();
				throw new AssertionError();
			}

		});
		start();
		this.loop.open();
		change(A);
		assertIdle();
		change(A);
		assertIdle();
		assertThat(this.loop.figures().total()).isEqualTo(2);
	}

	@Test
	void listenerHearsOfTheEndOfARunBeforeTheNextOneOfItsKey() throws InterruptedException {
		AtomicInteger seen = new AtomicInteger();
		run((run) -> {
			assertThat(this.ended).hasSize(seen.getAndIncrement());
			return (seen.get() < 20) ? RunEnd.requeueAfter(Duration.ofNanos(1)) : RunEnd.done();
		});
		change(A);
		await().until(() -> this.ended.size() == 20);
		assertThat(this.ended).allMatch((each) -> !(each.end instanceof RunEnd.Failed));
	}

	@Test
	void runThatTakesTooLongIsCancelledAndInterruptedAndTheNextOneIsNot() throws InterruptedException {
		// Runs that should not time out must not do so on a busy machine, either.
		this.options = TestLoops.withTimeout(TestLoops.options(this.timer, 1), Duration.ofSeconds(3));
		List<String> order = new CopyOnWriteArrayList<>();
		AtomicBoolean interruptedLater = new AtomicBoolean();
		run((run) -> {
			if (run.key().equals(B)) {
				interruptedLater.set(Thread.currentThread().isInterrupted());
				return RunEnd.done();
			}
			if (run.attempt() > 1) {
				return RunEnd.done();
			}
			run.onCancel(() -> order.add("cancelled"));
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				order.add("interrupted");
				Thread.currentThread().interrupt();
			}
			run.onCancel(() -> order.add("late"));
			throw new IllegalStateException();
		});
		change(A);
		change(B);
		assertIdle();
		assertThat(order).containsExactly("cancelled", "interrupted", "late");
		assertThat(interruptedLater).isFalse();
		assertThat(this.ended).extracting(Ended::timedOut).containsExactlyInAnyOrder(true, false, false);
	}

	@Test
	void runThatIgnoresItsInterruptStaysOneAndOtherWorkersGoOn() throws InterruptedException {
		this.options = TestLoops.withTimeout(this.options, Duration.ofMillis(20));
		CountDownLatch go = new CountDownLatch(1);
		AtomicReference<KeyRun> stuck = new AtomicReference<>();
		run((run) -> {
			if (run.key().equals(A)) {
				stuck.set(run);
				awaitIgnoringInterrupts(go);
			}
			return RunEnd.done();
		});
		change(A);
		await().until(() -> stuck.get() != null && stuck.get().timedOut());
		change(A);
		change(B);
		await().until(() -> this.ended.size() == 1);
		// The listener hears of the end of a run before the loop takes it for ended.
		await().untilAsserted(() -> assertThat(this.loop.figures().active()).isOne());
		assertThat(this.loop.figures().longestActive()).isGreaterThan(Duration.ofMillis(20));
		go.countDown();
		assertIdle();
		assertThat(this.ended).extracting(Ended::key).containsExactly(B, A, A);
	}

	private static void awaitIgnoringInterrupts(CountDownLatch latch) {
		boolean over = false;
		while (!over) {
			try {
				latch.await();
				over = true;
			}
			catch (InterruptedException ex) {
				// Ignored on purpose.
			}
		}
	}

	@Test
	void eachOfManyRunsTimesOutInItsTime() throws InterruptedException {
		this.options = TestLoops.withTimeout(TestLoops.options(this.timer, 4), Duration.ofMillis(30));
		run((run) -> {
			if (run.attempt() == 1) {
				new CountDownLatch(1).await();
			}
			return RunEnd.done();
		});
		for (int i = 0; i < 12; i++) {
			change(TestLoops.key("k" + i));
		}
		assertIdle();
		assertThat(this.ended.stream().filter(Ended::timedOut).map(Ended::key).distinct()).hasSize(12);
	}

	@Test
	void stopDrainsRunsAndKeepsTheKeysThatWait() throws InterruptedException {
		this.options = TestLoops.options(this.timer, 1);
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		run((run) -> {
			running.countDown();
			pass(go);
			return RunEnd.done();
		});
		change(A);
		change(B);
		pass(running);
		Thread stopping = new Thread(this.loop::stop);
		stopping.start();
		await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
		go.countDown();
		stopping.join();
		assertThat(this.stops).containsExactly("waits for 1");
		assertThat(this.ended).extracting(Ended::key).containsExactly(A);
		assertThat(this.loop.busy().names()).containsExactly("default/b (queued)");
		start();
		this.loop.open();
		assertIdle();
		assertThat(this.ended).extracting(Ended::key).containsExactly(A, B);
	}

	@Test
	void stopInterruptsAtTheDrainTimeoutAndSuchKeysRunAgain() throws InterruptedException {
		this.options = TestLoops.withDrainTimeout(this.options, Duration.ofMillis(20));
		CountDownLatch running = new CountDownLatch(1);
		List<String> order = new CopyOnWriteArrayList<>();
		run((run) -> {
			if (order.isEmpty()) {
				run.onCancel(() -> order.add("cancelled"));
				running.countDown();
				new CountDownLatch(1).await();
			}
			assertThat(run.attempt()).isOne();
			return RunEnd.done();
		});
		change(A);
		pass(running);
		this.loop.stop();
		assertThat(this.stops).containsExactly("waits for 1", "interrupted [default/a]");
		assertThat(order).containsExactly("cancelled");
		assertThat(this.ended).extracting(Ended::end).containsExactly(new RunEnd.Stopped());
		assertThat(this.loop.figures().active()).isZero();
		assertThat(this.loop.figures().failed()).isZero();
		assertThat(this.loop.busy().names()).containsExactly("default/a (queued)");
		start();
		this.loop.open();
		assertIdle();
		assertThat(this.ended).extracting(Ended::end).containsExactly(new RunEnd.Stopped(), RunEnd.done());
	}

	@Test
	void runThatIgnoresAStopStaysOneAfterARestart() throws InterruptedException {
		this.options = TestLoops.withDrainTimeout(TestLoops.options(this.timer, 1), Duration.ZERO);
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicInteger runs = new AtomicInteger();
		run((run) -> {
			if (run.key().equals(A) && runs.incrementAndGet() == 1) {
				running.countDown();
				awaitIgnoringInterrupts(go);
			}
			return RunEnd.done();
		});
		change(A);
		pass(running);
		this.loop.stop();
		start();
		this.loop.open();
		change(A);
		change(B);
		await().until(() -> this.ended.size() == 1);
		assertThat(runs).hasValue(1);
		go.countDown();
		assertIdle();
		assertThat(runs).hasValue(2);
		assertThat(this.ended).extracting(Ended::key).containsExactly(B, A, A);
	}

	@Test
	void runThatHadNotBegunAtTheEndOfAStopDoesNotBegin() throws InterruptedException {
		CountDownLatch held = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicInteger made = new AtomicInteger();
		AtomicInteger runs = new AtomicInteger();
		this.options = new LoopOptions("web", 2, LONG, Duration.ZERO, LONG, TestLoops.QUICK, Duration.ZERO, (work) -> {
			if (made.incrementAndGet() == 2) {
				// The second worker is made before the first run begins.
				held.countDown();
				awaitIgnoringInterrupts(go);
			}
			return new Thread(work);
		}, System::nanoTime, this.options.random(), this.timer, this.options.clock());
		run((run) -> {
			runs.incrementAndGet();
			return RunEnd.done();
		});
		change(A);
		pass(held);
		this.loop.stop();
		go.countDown();
		await().until(() -> this.ended.size() == 1);
		assertThat(runs).hasValue(0);
		assertThat(this.ended).extracting(Ended::end).containsExactly(new RunEnd.Stopped());
	}

	@Test
	void stopFromARunWaitsForTheOthersButNotForItself() throws InterruptedException {
		this.options = TestLoops.withDrainTimeout(this.options, LONG);
		CountDownLatch otherRuns = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		CountDownLatch stopped = new CountDownLatch(1);
		AtomicReference<Integer> others = new AtomicReference<>();
		run((run) -> {
			if (run.key().equals(B)) {
				otherRuns.countDown();
				pass(go);
				return RunEnd.done();
			}
			pass(otherRuns);
			assertThat(this.loop.isRunThread()).isTrue();
			go.countDown();
			this.loop.stop();
			others.set(this.loop.figures().active());
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			stopped.countDown();
			return RunEnd.done();
		});
		assertThat(this.loop.isRunThread()).isFalse();
		change(B);
		change(A);
		pass(stopped);
		assertThat(others).hasValue(1);
		await().until(() -> this.ended.size() == 2);
		assertThat(this.ended).extracting(Ended::end).containsOnly(RunEnd.done());
	}

	@Test
	void stopsFromTwoRunsDoNotWaitForEachOther() throws InterruptedException {
		this.options = TestLoops.withDrainTimeout(this.options, LONG);
		CountDownLatch both = new CountDownLatch(2);
		CountDownLatch stopped = new CountDownLatch(2);
		run((run) -> {
			both.countDown();
			pass(both);
			this.loop.stop();
			stopped.countDown();
			return RunEnd.done();
		});
		change(A);
		change(B);
		pass(stopped);
		await().until(() -> this.loop.figures().active() == 0);
	}

	@Test
	void interruptOfTheThreadThatStopsCostsNoRunItsEnd() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		run((run) -> {
			running.countDown();
			pass(go);
			return RunEnd.done();
		});
		change(A);
		pass(running);
		AtomicBoolean interrupted = new AtomicBoolean();
		Thread stopping = new Thread(() -> {
			this.loop.stop();
			interrupted.set(Thread.currentThread().isInterrupted());
		});
		stopping.start();
		stopping.interrupt();
		await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
		go.countDown();
		stopping.join();
		assertThat(interrupted).isTrue();
		assertThat(this.ended).extracting(Ended::end).containsExactly(RunEnd.done());
	}

	@Test
	void parkedKeyTakesNoThreadAndRunsWhenItsWritesArrived() throws InterruptedException {
		this.options = TestLoops.options(this.timer, 1);
		BlockingQueue<Runnable> arrivals = new LinkedBlockingQueue<>();
		AtomicBoolean written = new AtomicBoolean(true);
		run((run) -> (run.key().equals(A) && written.getAndSet(false)) ? RunEnd.park(new Writes(2, arrivals))
				: RunEnd.done());
		change(A);
		await().until(() -> arrivals.size() == 2);
		change(B);
		await().until(() -> this.ended.size() == 1);
		assertThat(this.loop.figures().queue().parked()).isOne();
		// The listener hears of the end of a run before the loop takes it for ended.
		await().untilAsserted(() -> assertThat(this.loop.busy().names()).containsExactly("default/a (parked)"));
		Objects.requireNonNull(arrivals.poll()).run();
		assertThat(this.loop.figures().queue().parked()).isOne();
		Objects.requireNonNull(arrivals.poll()).run();
		assertIdle();
		assertThat(this.unparked).containsExactly(true);
		assertThat(this.ended).extracting(Ended::key).containsExactly(B, A);
		assertThat(this.loop.figures().total()).isEqualTo(2);
	}

	@Test
	void parkedKeyRunsAtTheTimeoutAndIsCounted() throws InterruptedException {
		this.options = TestLoops.withOwnWritesTimeout(this.options, Duration.ofMillis(30));
		run((run) -> run.ownWritesTimedOut() ? RunEnd.done() : RunEnd.park(new Writes(1, new LinkedBlockingQueue<>())));
		change(A);
		assertIdle();
		assertThat(this.unparked).containsExactly(false);
		assertThat(this.loop.figures().ownWriteTimeouts()).isOne();
	}

	@Test
	void parkingThatFailsIsAFailedRunOrOver() throws InterruptedException {
		ConcurrentHashMap<ObjectKey, Boolean> failed = new ConcurrentHashMap<>();
		run((run) -> (failed.putIfAbsent(run.key(), true) != null) ? RunEnd.done() : RunEnd.park(new OwnWritesWait() {

			@Override
			public int awaited() {
				if (run.key().equals(A)) {
					throw new IllegalStateException();
				}
				return 1;
			}

			@Override
			public void register(Runnable arrived) {
				throw new IllegalStateException();
			}

		}));
		change(A);
		change(B);
		assertIdle();
		assertThat(this.ended).extracting(Ended::key).containsExactlyInAnyOrder(A, A, B);
		assertThat(this.unparked).containsExactly(false);
	}

	@Test
	void tenthConflictIsReportedAsAFailure() throws InterruptedException {
		AtomicInteger runs = new AtomicInteger();
		run((run) -> {
			if (runs.incrementAndGet() > 10) {
				return RunEnd.done();
			}
			change(run.key());
			return RunEnd.conflict(new IllegalStateException());
		});
		change(A);
		assertIdle();
		assertThat(this.ended).filteredOn((each) -> each.end instanceof RunEnd.Conflict).hasSize(9);
		assertThat(this.ended).filteredOn((each) -> each.end instanceof RunEnd.Failed).hasSize(1);
		assertThat(this.loop.figures().conflicts()).isEqualTo(9);
		assertThat(this.loop.figures().failed()).isEqualTo(1);
	}

	@Test
	void threadFactoryThatFailsAtTheFirstThreadIsTriedAgainLater() throws InterruptedException {
		AtomicInteger asked = new AtomicInteger();
		this.options = new LoopOptions("web", 2, LONG, Duration.ZERO, LONG, TestLoops.QUICK, LONG, (work) -> {
			if (asked.incrementAndGet() != 2) {
				throw new IllegalStateException("no thread");
			}
			return new Thread(work);
		}, System::nanoTime, this.options.random(), this.timer, this.options.clock());
		make((run) -> RunEnd.done(), new Listener());
		change(A);
		start();
		this.loop.open();
		assertIdle();
		change(B);
		assertIdle();
		assertThat(asked).hasValue(4);
	}

	@Test
	void manyRunsLeaveNoTasksBehindInTheTimer() throws InterruptedException {
		run((run) -> RunEnd.done());
		for (int i = 0; i < 1000; i++) {
			change(TestLoops.key("k" + i));
		}
		assertIdle();
		assertThat(this.loop.figures().total()).isEqualTo(1000);
		assertThat(this.timer.getQueue()).hasSizeLessThanOrEqualTo(1);
	}

	@Test
	void failingKeysAreListedWithTheirNextAttempt() throws InterruptedException {
		this.options = TestLoops.withRetry(this.options, new Retry(Duration.ofMillis(2), 2, Duration.ofHours(2), 0));
		run((run) -> run.key().equals(A) ? RunEnd.gaveUp(new IllegalArgumentException())
				: RunEnd.failed(new IllegalStateException(), Duration.ofHours(1)));
		change(A);
		assertIdle();
		change(B);
		assertIdle();
		LoopFigures figures = this.loop.figures();
		assertThat(figures.queue().failingKeys()).isEqualTo(2);
		assertThat(figures.queue().delayed()).isOne();
		FailingKey givenUp = figures.failing().get(0);
		assertThat(givenUp.key()).isEqualTo(A);
		assertThat(givenUp.nextAttempt()).isNull();
		FailingKey delayed = figures.failing().get(1);
		assertThat(delayed.key()).isEqualTo(B);
		assertThat(delayed.attempts()).isOne();
		assertThat(delayed.nextAttempt()).isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3600));
	}

	@Test
	void busyKeysNameAtMostTwenty() throws InterruptedException {
		start();
		for (int i = 0; i < 30; i++) {
			change(TestLoops.key("k" + i));
		}
		BusyKeys busy = TestLoops.awaitIdle(this.loop, Duration.ZERO);
		assertThat(busy.count()).isEqualTo(30);
		assertThat(busy.names()).hasSize(20);
		assertThat(busy.runsStarted()).isZero();
		assertThat(busy.isIdle()).isFalse();
	}

	/**
	 * End of a run.
	 *
	 * @param key the key
	 * @param end how it ended
	 * @param timedOut whether it was cancelled for taking too long
	 */
	private record Ended(ObjectKey key, RunEnd end, boolean timedOut) {

	}

	/**
	 * Records what it is notified of.
	 */
	private final class Listener implements LoopListener {

		@Override
		public void ended(KeyRun run, RunEnd end, Duration duration) {
			ReconcileLoopTests.this.ended.add(new Ended(run.key(), end, run.timedOut()));
		}

		@Override
		public void unparked(ObjectKey key, Duration waited, boolean seen) {
			ReconcileLoopTests.this.unparked.add(seen);
		}

		@Override
		public void awaited(int runs) {
			ReconcileLoopTests.this.stops.add("waits for " + runs);
		}

		@Override
		public void interrupted(List<ObjectKey> keys) {
			ReconcileLoopTests.this.stops.add("interrupted " + keys);
		}

	}

	/**
	 * Writes whose arrival the test controls.
	 *
	 * @param awaited the number of awaited writes
	 * @param arrivals receives the callbacks
	 */
	private record Writes(int awaited, BlockingQueue<Runnable> arrivals) implements OwnWritesWait {

		@Override
		public void register(Runnable arrived) {
			for (int i = 0; i < this.awaited; i++) {
				this.arrivals.add(arrived);
			}
		}

	}

	/**
	 * Fence that a test takes down.
	 */
	private static final class Fences implements Fence {

		private volatile boolean up = true;

		@Override
		public boolean admitsRuns() {
			return this.up;
		}

		@Override
		public boolean admitsRequests() {
			return this.up;
		}

		@Override
		public RuntimeException refusal(String what) {
			return new IllegalStateException(what);
		}

	}

}
