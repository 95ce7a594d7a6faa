package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.transport.Fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Waits for a loop to be idle: who waits is notified, and looks at nothing in between.
 */
class IdleConditionTests {

	/**
	 * Who is not notified looks again when his time is over, and finds that all is well.
	 */
	private static final long LONG = Duration.ofDays(1).toNanos();

	private static final Duration SOON = Duration.ofSeconds(20);

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicReference<Thread> waiting = new AtomicReference<>();

	@AfterEach
	void stop() {
		this.timer.shutdownNow();
	}

	@Test
	void conditionIsAskedForOnceAChange() {
		IdleCondition signal = new IdleCondition();
		AtomicBoolean idle = new AtomicBoolean();
		CompletableFuture<Boolean> wait = start(signal, idle::get);
		awaitAsked(1);
		signal.changed();
		awaitAsked(2);
		idle.set(true);
		signal.changed();
		assertNotified(wait);
		assertThat(this.asked).hasValue(3);
	}

	@Test
	void changeWhileTheConditionIsAskedForIsNotMissed() throws InterruptedException {
		IdleCondition signal = new IdleCondition();
		AtomicInteger calls = new AtomicInteger();
		long until = System.nanoTime() + SOON.toNanos();
		assertThat(signal.await(() -> {
			signal.changed();
			return calls.incrementAndGet() == 3;
		}, () -> until - System.nanoTime())).isTrue();
	}

	@Test
	void allWhoWaitAreNotified() {
		IdleCondition signal = new IdleCondition();
		AtomicBoolean idle = new AtomicBoolean();
		CompletableFuture<Boolean> first = start(signal, idle::get);
		awaitAsked(1);
		CompletableFuture<Boolean> second = start(signal, idle::get);
		awaitAsked(2);
		idle.set(true);
		signal.changed();
		assertNotified(first);
		assertNotified(second);
	}

	@Test
	void timeIsOver() throws InterruptedException {
		AtomicInteger rounds = new AtomicInteger(2);
		assertThat(new IdleCondition().await(() -> false, rounds::getAndDecrement)).isFalse();
		assertThat(rounds).hasValue(-1);
	}

	@Test
	void endOfTheLastRunIsSignalled() {
		CountDownLatch gate = new CountDownLatch(1);
		ReconcileLoop loop = new ReconcileLoop(TestLoops.options(this.timer, 2), new TestLoops.Silent());
		for (int i = 0; i < 100; i++) {
			loop.changed(TestLoops.key("k" + i), QueueLane.LIVE);
		}
		CompletableFuture<Boolean> wait = start(loop.idleSignal(), () -> loop.busy().isIdle());
		awaitAsked(1);
		loop.start(Fence.NONE, (run) -> {
			awaitUninterruptibly(gate);
			return RunEnd.done();
		});
		loop.open();
		gate.countDown();
		assertNotified(wait);
		// Not for each of the runs.
		assertThat(this.asked).hasValueLessThan(10);
		loop.stop();
	}

	@Test
	void keysThatAreForgottenAreSignalled() {
		ReconcileLoop loop = new ReconcileLoop(TestLoops.options(this.timer, 2), new TestLoops.Silent());
		loop.changed(TestLoops.key("a"), QueueLane.LIVE);
		CompletableFuture<Boolean> wait = start(loop.idleSignal(), () -> loop.busy().isIdle());
		awaitAsked(1);
		loop.forget();
		assertNotified(wait);
		loop.start(Fence.NONE, (run) -> RunEnd.done());
		loop.changed(TestLoops.key("b"), QueueLane.LIVE);
		CompletableFuture<Boolean> second = start(loop.idleSignal(), () -> loop.busy().isIdle());
		awaitAsked(3);
		loop.abandon(Fence.NONE);
		assertNotified(second);
	}

	private static void assertNotified(CompletableFuture<Boolean> wait) {
		assertThat(wait).succeedsWithin(SOON).isEqualTo(true);
	}

	private CompletableFuture<Boolean> start(IdleCondition signal, BooleanSupplier condition) {
		CompletableFuture<Boolean> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				result.complete(signal.await(() -> {
					boolean holds = condition.getAsBoolean();
					this.asked.incrementAndGet();
					return holds;
				}, () -> LONG));
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		});
		this.waiting.set(thread);
		thread.setDaemon(true);
		thread.start();
		return result;
	}

	// And waits again.
	private void awaitAsked(int times) {
		await().untilAsserted(() -> {
			assertThat(this.asked).hasValue(times);
			assertThat(this.waiting.get().getState()).isEqualTo(Thread.State.TIMED_WAITING);
		});
	}

	private static void awaitUninterruptibly(CountDownLatch gate) {
		try {
			gate.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
