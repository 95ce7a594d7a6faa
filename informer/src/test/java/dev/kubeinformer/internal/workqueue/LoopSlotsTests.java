package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.fixtures.PatientAwaits;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.leader.LeadershipLostException;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Slots of a loop with real threads. The slot of a key is the number in its name.
 */
@ExtendWith(PatientAwaits.class)
@Timeout(120)
class LoopSlotsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final ObjectKey ONE = TestLoops.key("1");

	private static final ObjectKey TWO = TestLoops.key("2");

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

	private final List<ObjectKey> runs = new CopyOnWriteArrayList<>();

	private final Map<ObjectKey, CountDownLatch> gates = new ConcurrentHashMap<>();

	private final Map<ObjectKey, Fence> fences = new ConcurrentHashMap<>();

	/** Ends of the runs of keys; the runs of other keys are done. */
	private final Map<ObjectKey, RunEnd> ends = new ConcurrentHashMap<>();

	private ReconcileLoop loop;

	@BeforeEach
	void start() {
		start(Duration.ofSeconds(20));
	}

	private void start(Duration drainTimeout) {
		LoopOptions options = TestLoops.withDrainTimeout(TestLoops.options(this.timer, 4), drainTimeout);
		this.loop = new ReconcileLoop(options, new TestLoops.Silent());
		this.loop.start(Fence.NONE, this::run);
		this.loop.open();
	}

	@AfterEach
	void stop() {
		this.gates.values().forEach(CountDownLatch::countDown);
		this.loop.stop();
		this.timer.shutdownNow();
	}

	private RunEnd run(KeyRun run) {
		if (!run.enter(slot(run.key()))) {
			return RunEnd.absent();
		}
		this.runs.add(run.key());
		this.fences.put(run.key(), run.fence());
		CountDownLatch gate = this.gates.get(run.key());
		while (gate != null) {
			try {
				gate.await();
				gate = null;
			}
			catch (InterruptedException ex) {
				// This run ignores it.
			}
		}
		return this.ends.getOrDefault(run.key(), RunEnd.done());
	}

	private static int slot(ObjectKey key) {
		return Integer.parseInt(key.name().substring(0, 1));
	}

	private void change(ObjectKey key) {
		this.loop.changed(key, QueueLane.LIVE);
	}

	private CountDownLatch hang(ObjectKey key) {
		CountDownLatch gate = new CountDownLatch(1);
		this.gates.put(key, gate);
		change(key);
		await().until(() -> this.runs.contains(key));
		return gate;
	}

	private CompletableFuture<Void> drain(Set<Integer> slots, Duration lease) {
		return CompletableFuture.runAsync(() -> {
			try {
				this.loop.slots().drain(slots, lease);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private void assertIdle() throws InterruptedException {
		assertThat(TestLoops.awaitIdle(this.loop, LONG).names()).isEmpty();
	}

	@Test
	void onlyRunsOfOpenSlotsShouldBegin() throws InterruptedException {
		this.loop.slots().open(Set.of(1));
		change(ONE);
		change(TWO);
		assertIdle();
		assertThat(this.runs).containsExactly(ONE);
		this.loop.slots().open(Set.of(2));
		this.loop.slots().close(Set.of(1));
		change(ONE);
		change(TWO);
		assertIdle();
		assertThat(this.runs).containsExactly(ONE, TWO);
	}

	@Test
	void drainShouldAwaitTheRunsOfItsSlotsAlone() throws InterruptedException {
		this.loop.slots().open(Set.of(1, 2));
		CountDownLatch one = hang(ONE);
		CountDownLatch two = hang(TWO);
		CompletableFuture<Void> drained = drain(Set.of(1), LONG);
		await().until(() -> {
			int before = this.runs.size();
			change(TestLoops.key("1-more"));
			await().until(() -> this.loop.busy().names().stream().noneMatch((name) -> name.contains("1-more")));
			return this.runs.size() == before;
		});
		assertThat(drained).isNotDone();
		assertThat(this.fences.get(ONE).admitsRequests()).isTrue();
		one.countDown();
		assertThat(drained).succeedsWithin(LONG);
		assertThat(this.loop.figures().active()).isEqualTo(1);
		assertThat(this.fences.get(TWO).admitsRequests()).isTrue();
		two.countDown();
		assertIdle();
		this.runs.clear();
		change(ONE);
		change(TWO);
		assertIdle();
		assertThat(this.runs).containsExactly(TWO);
	}

	@Test
	void runThatIgnoresItsInterruptShouldDelayOnlyItsSlotForTheLease() {
		start(Duration.ofMillis(50));
		this.loop.slots().open(Set.of(1, 2));
		hang(ONE);
		hang(TWO);
		Duration lease = Duration.ofMillis(400);
		assertThat(drain(Set.of(3), lease)).succeedsWithin(LONG);
		long before = System.nanoTime();
		CompletableFuture<Void> drained = drain(Set.of(1), lease);
		await().until(() -> !this.fences.get(ONE).admitsRequests());
		assertThat(this.fences.get(ONE).refusal("Patch of 'x'")).isInstanceOf(LeadershipLostException.class)
			.hasMessage("Patch of 'x' was refused, because slot 1 is lost or handed over, in which the run for "
					+ "'default/1' began");
		assertThat(drained).succeedsWithin(LONG);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(lease);
		assertThat(this.fences.get(TWO).admitsRequests()).isTrue();
		assertThat(this.loop.figures().active()).isEqualTo(2);
		// The run cannot have an effect any more, so that it does not delay again.
		this.loop.slots().open(Set.of(1));
		assertThat(drain(Set.of(1), lease)).succeedsWithin(Duration.ofSeconds(5));
	}

	@Test
	void keyShouldNotRunTwiceAtOnceWhenItsSlotComesBackDuringARun() throws InterruptedException {
		start(Duration.ZERO);
		this.loop.slots().open(Set.of(1));
		CountDownLatch one = hang(ONE);
		assertThat(drain(Set.of(1), Duration.ofMillis(1))).succeedsWithin(LONG);
		this.loop.slots().forget(List.of(ONE));
		this.loop.slots().open(Set.of(1));
		change(ONE);
		change(TestLoops.key("1-more"));
		await().until(() -> this.runs.contains(TestLoops.key("1-more")));
		assertThat(this.runs).containsOnlyOnce(ONE);
		this.gates.remove(ONE);
		one.countDown();
		await().until(() -> this.runs.stream().filter(ONE::equals).count() == 2);
		assertIdle();
		assertThat(this.fences.get(ONE).admitsRequests()).isTrue();
		assertThat(this.loop.figures().queue().delayed()).isZero();
	}

	@Test
	void lostSlotShouldRefuseTheRequestsOfItsRunsAtOnce() throws InterruptedException {
		this.loop.slots().open(Set.of(1, 2));
		AtomicReference<Thread> thread = new AtomicReference<>();
		CountDownLatch interrupted = new CountDownLatch(1);
		ReconcileLoop other = new ReconcileLoop(TestLoops.options(this.timer, 4), new TestLoops.Silent());
		other.slots().open(Set.of(1));
		CountDownLatch cancelled = new CountDownLatch(1);
		other.start(Fence.NONE, (run) -> {
			run.enter(1);
			run.onCancel(cancelled::countDown);
			thread.set(Thread.currentThread());
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
			return RunEnd.requeueAfter(Duration.ofHours(1));
		});
		other.open();
		other.changed(ONE, QueueLane.LIVE);
		await().until(() -> thread.get() != null);
		other.slots().abandon(Set.of(1));
		assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(TestLoops.awaitIdle(other, LONG).names()).isEmpty();
		assertThat(other.figures().queue().delayed()).as("the outcome of a lost run").isZero();
		other.stop();
	}

	@Test
	void nothingShouldBeRememberedOfForgottenKeys() throws InterruptedException {
		this.loop.slots().open(Set.of(1, 2));
		this.ends.put(ONE, RunEnd.failed(new IllegalStateException("as the test wants it"), Duration.ofMinutes(1)));
		change(ONE);
		await().until(() -> this.loop.figures().queue().failingKeys() == 1);
		this.ends.put(TWO, RunEnd.requeueAfter(Duration.ofHours(1)));
		change(TWO);
		await().until(() -> this.loop.figures().queue().delayed() == 2);
		AtomicReference<Runnable> arrival = new AtomicReference<>();
		ObjectKey parked = TestLoops.key("1-parked");
		this.ends.put(parked, RunEnd.park(new OwnWritesWait() {

			@Override
			public int awaited() {
				return 1;
			}

			@Override
			public void register(Runnable arrived) {
				arrival.set(arrived);
			}

		}));
		change(parked);
		await().until(() -> arrival.get() != null);
		ObjectKey given = TestLoops.key("1-given");
		this.ends.put(given, RunEnd.gaveUp(new IllegalStateException("as the test wants it")));
		change(given);
		await().until(() -> this.loop.figures().queue().failingKeys() == 2);
		this.runs.clear();
		this.loop.slots().forget(List.of(ONE, TWO, parked, given, TestLoops.key("1-unknown")));
		assertThat(this.loop.figures().queue()).satisfies((queue) -> {
			assertThat(queue.failingKeys()).isZero();
			assertThat(queue.delayed()).isZero();
			assertThat(queue.parked()).isZero();
		});
		assertThat(this.loop.figures().failing()).isEmpty();
		this.ends.clear();
		arrival.get().run();
		this.loop.retryGivenUp();
		assertIdle();
		assertThat(this.runs).isEmpty();
		change(ONE);
		assertIdle();
		assertThat(this.runs).containsExactly(ONE);
	}

}
