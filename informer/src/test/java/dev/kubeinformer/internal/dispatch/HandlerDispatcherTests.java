package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.HandlingOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class HandlerDispatcherTests {

	private final List<HandlerDispatcher<String>> started = new ArrayList<>();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final List<String> interrupted = new CopyOnWriteArrayList<>();

	private final List<Integer> dropped = new CopyOnWriteArrayList<>();

	private final ManualTimer timer = new ManualTimer();

	private final CountDownLatch gate = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.gate.countDown();
		this.started.forEach((dispatcher) -> dispatcher.close(Duration.ZERO));
		await().untilAsserted(() -> assertThat(this.threads).noneMatch(Thread::isAlive));
	}

	@Test
	void eventsAreHandledInOrder() {
		HandlerDispatcher<String> dispatcher = start(this::record, 1, 1000);
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			dispatcher.sink().delta(updated("o" + i % 7, i, i + 1));
			expected.add("o" + i % 7 + ":" + i + ">" + (i + 1));
		}
		await().untilAsserted(() -> assertThat(this.told).isEqualTo(expected));
		await().untilAsserted(() -> assertThat(dispatcher.processed()).isEqualTo(500));
	}

	@Test
	void exceptionIsCountedAndTheNextEventIsHandled() {
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			if (delivery.after().name().equals("o2")) {
				throw new StackOverflowError("secret");
			}
			record(delivery);
		}, 1, 1000);
		for (int i = 1; i <= 5; i++) {
			dispatcher.sink().delta(added("o" + i, 1, false));
		}
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+o1:1", "+o3:1", "+o4:1", "+o5:1"));
		assertThat(dispatcher.failed()).isEqualTo(1);
		assertThat(dispatcher.lastFailure().exception()).isEqualTo("java.lang.StackOverflowError");
		assertThat(dispatcher.lastFailure().key()).hasToString("ns/o2");
	}

	@Test
	void handlerIsSyncedWhenTheLastInitialEventIsFinished() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			if (delivery.after().name().equals("o3")) {
				entered.countDown();
				this.gate.await();
			}
		}, 1, 1000);
		for (int i = 1; i <= 3; i++) {
			dispatcher.sink().delta(added("o" + i, 1, true));
		}
		dispatcher.sink().initialStateComplete();
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(dispatcher.syncedAt()).isNull();
		assertThat(dispatcher.pendingInitial()).isEqualTo(1);
		assertThat(dispatcher.awaitSync(Duration.ofMillis(10))).isFalse();
		this.gate.countDown();
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
		assertThat(dispatcher.syncedAt()).isNotNull();
	}

	@Test
	void handlerOfAnEmptyStateIsSyncedAtOnce() throws InterruptedException {
		HandlerDispatcher<String> dispatcher = start(this::record, 1, 1000);
		assertThat(dispatcher.syncedAt()).isNull();
		dispatcher.sink().initialStateComplete();
		assertThat(dispatcher.awaitSync(Duration.ZERO)).isTrue();
	}

	@Test
	void failingInitialEventCountsAsFinished() throws InterruptedException {
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			throw new IllegalStateException();
		}, 1, 1000);
		dispatcher.sink().delta(added("o1", 1, true));
		dispatcher.sink().initialStateComplete();
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
	}

	@Test
	void waitingForItselfFailsAtOnce() {
		AtomicReference<HandlerDispatcher<String>> self = new AtomicReference<>();
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			try {
				self.get().awaitSync(Duration.ofSeconds(30));
			}
			catch (IllegalStateException ex) {
				thrown.set(ex);
			}
		}, 1, 1000);
		self.set(dispatcher);
		dispatcher.start(this.timer);
		dispatcher.sink().delta(added("o1", 1, true));
		await().untilAsserted(() -> assertThat(thrown.get()).isNotNull());
		assertThatIllegalStateException().isThrownBy(() -> {
			throw thrown.get();
		}).withMessageContaining("callback");
	}

	@Test
	void blockedHandlerHoldsNoMoreThanItsCapacityAndTheLiveObjects() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			this.gate.await();
			record(delivery);
		}, 1, 10);
		dispatcher.sink().delta(added("first", 1, false));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		for (int i = 0; i < 5; i++) {
			dispatcher.sink().delta(added("o" + i, 0, false));
		}
		for (int version = 0; version < 10_000; version++) {
			dispatcher.sink().delta(updated("o" + version % 5, version / 5, version / 5 + 1));
			dispatcher.sink().delta(added("short-lived", version, false));
			dispatcher.sink().delta(deleted("short-lived", version));
		}
		assertThat(dispatcher.figures().waiting()).isLessThanOrEqualTo(10 + 6);
		assertThat(dispatcher.figures().merged()).isGreaterThan(20_000);
		this.gate.countDown();
		await().untilAsserted(() -> assertThat(dispatcher.figures().waiting()).isZero());
		await().untilAsserted(() -> assertThat(this.told).contains("+first:1")
			.filteredOn((each) -> each.endsWith(":2000") || each.endsWith(">2000"))
			.hasSize(5));
	}

	@Test
	void annihilatedInitialEventCompletesItsTicket() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			this.gate.await();
		}, 1, 1);
		dispatcher.sink().delta(added("blocking", 1, false));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.sink().delta(added("a", 1, true));
		dispatcher.sink().delta(deleted("a", 2));
		assertThat(dispatcher.pendingInitial()).isZero();
		assertThat(dispatcher.figures().waiting()).isZero();
	}

	@Test
	void recreatedObjectIsNotMergedWithItsPredecessor() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			this.gate.await();
			record(delivery);
		}, 1, 1);
		dispatcher.sink().delta(added("a", 1, false));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.sink().delta(updated("a", 1, 2));
		dispatcher.sink().delta(deleted("a", 2));
		for (int life = 3; life < 50; life++) {
			dispatcher.sink().delta(new Delta<>(Delta.Kind.ADDED, null, object("a", "uid" + life, life), false, false));
			assertThat(dispatcher.figures().waiting()).isEqualTo(2);
			if (life < 49) {
				dispatcher.sink()
					.delta(new Delta<>(Delta.Kind.DELETED, object("a", "uid" + life, life), null, false, false));
				assertThat(dispatcher.figures().waiting()).isEqualTo(1);
			}
		}
		this.gate.countDown();
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "-a:2", "+a:49"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 4, 16 })
	void eventsOfOneObjectNeverOverlapNorOvertake(int concurrency) {
		Map<String, Integer> running = new ConcurrentHashMap<>();
		Map<String, Integer> last = new ConcurrentHashMap<>();
		List<String> wrong = new CopyOnWriteArrayList<>();
		AtomicInteger handled = new AtomicInteger();
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			String name = delivery.after().name();
			if (running.merge(name, 1, Integer::sum) != 1) {
				wrong.add("overlap of " + name);
			}
			int version = Integer.parseInt(delivery.after().resourceVersion());
			Integer before = last.put(name, version);
			if (before != null && before >= version) {
				wrong.add(name + ": " + version + " after " + before);
			}
			Thread.yield();
			running.merge(name, -1, Integer::sum);
			handled.incrementAndGet();
		}, concurrency, 500);
		Random random = new Random(11);
		Map<String, Integer> versions = new HashMap<>();
		for (int i = 0; i < 20_000; i++) {
			String name = "o" + Math.abs(random.nextInt() % (1 + random.nextInt(20)));
			int version = versions.merge(name, 1, Integer::sum);
			dispatcher.sink().delta(updated(name, version - 1, version));
		}
		await().untilAsserted(() -> assertThat(dispatcher.figures().waiting()).isZero());
		await().untilAsserted(() -> assertThat(last).isEqualTo(versions));
		await().until(() -> handled.get() + dispatcher.figures().merged() == 20_000);
		assertThat(wrong).isEmpty();
	}

	@Test
	void resyncWaitsOnlyWhereNothingElseDoesAndGivesWayToAnEvent() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			this.gate.await();
			record(delivery);
		}, 1, 1000);
		dispatcher.sink().delta(added("first", 1, false));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.sink().delta(added("a", 1, false));
		dispatcher.sink().resync(object("a", "u", 1));
		dispatcher.sink().resync(object("b", "u", 1));
		dispatcher.sink().resync(object("b", "u", 1));
		dispatcher.sink().delta(updated("b", 1, 2));
		dispatcher.sink().resync(object("c", "u", 1));
		this.gate.countDown();
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+first:1", "+a:1", "b:1>2", "c:1>1 resync"));
	}

	@Test
	void pausedHandlerGetsNothing() {
		HandlerDispatcher<String> dispatcher = start(this::record, 1, 1000);
		dispatcher.pause(true);
		dispatcher.sink().delta(added("a", 1, false));
		dispatcher.pause(false);
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1"));
		dispatcher.pause(true);
		dispatcher.sink().delta(added("b", 1, false));
		dispatcher.drain(Duration.ofSeconds(5));
		end(dispatcher);
		assertThat(this.told).containsExactly("+a:1");
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
	}

	@Test
	void stopHandlesWhatWaitsAndALaterStartGoesOn() {
		HandlerDispatcher<String> dispatcher = start(this::record, 2, 1000);
		for (int i = 0; i < 100; i++) {
			dispatcher.sink().delta(added("o" + i, 1, false));
		}
		dispatcher.drain(Duration.ofSeconds(5));
		end(dispatcher);
		assertThat(this.told).hasSize(100);
		assertThat(this.threads).noneMatch(Thread::isAlive);
		dispatcher.sink().delta(added("later", 1, false));
		dispatcher.start(this.timer);
		await().untilAsserted(() -> assertThat(this.told).hasSize(101));
	}

	@Test
	void handlerThatIgnoresItsInterruptHandlesNothingAfterTheStop() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			boolean open = false;
			while (!open) {
				try {
					this.gate.await();
					open = true;
				}
				catch (InterruptedException ex) {
					record(delivery);
				}
			}
		}, 1, 1000);
		dispatcher.sink().delta(added("a", 1, false));
		dispatcher.sink().delta(added("b", 1, false));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		long before = System.nanoTime();
		dispatcher.drain(Duration.ZERO);
		end(dispatcher);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		this.gate.countDown();
		await().untilAsserted(() -> assertThat(this.threads).noneMatch(Thread::isAlive));
		assertThat(this.told).containsExactly("+a:1");
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
	}

	@Test
	void eventThatAStopInterruptsIsNoFailureAndIsHandledAfterTheNextStart() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			this.gate.await();
			record(delivery);
		}, 1, 1000);
		dispatcher.sink().delta(added("a", 1, true));
		dispatcher.sink().delta(added("b", 1, false));
		dispatcher.sink().initialStateComplete();
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.drain(Duration.ZERO);
		end(dispatcher);
		await().untilAsserted(() -> assertThat(this.threads).noneMatch(Thread::isAlive));
		assertThat(this.interrupted).containsExactly("a");
		assertThat(dispatcher.failed()).isZero();
		assertThat(dispatcher.exhausted()).isZero();
		assertThat(dispatcher.lastFailure()).isNull();
		assertThat(dispatcher.figures().waiting()).isEqualTo(2);
		assertThat(dispatcher.pendingInitial()).isOne();
		assertThat(dispatcher.syncedAt()).isNull();
		this.gate.countDown();
		dispatcher.start(this.timer);
		this.timer.advance(Duration.ZERO);
		await().untilAsserted(() -> assertThat(this.told).containsExactlyInAnyOrder("+a:1", "+b:1"));
		await().until(() -> dispatcher.syncedAt() != null);
	}

	@Test
	void attemptThatAStopInterruptsDoesNotCount() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			attempts.add(delivery.attempt());
			entered.countDown();
			this.gate.await();
			throw new IllegalStateException("no");
		}, 1, 1000);
		dispatcher.sink().delta(added("a", 1, true));
		dispatcher.start(this.timer);
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.drain(Duration.ZERO);
		end(dispatcher);
		this.gate.countDown();
		dispatcher.start(this.timer);
		this.timer.advance(Duration.ZERO);
		await().until(() -> dispatcher.failed() == 1);
		assertThat(attempts).containsExactly(1, 1);
		assertThat(dispatcher.retries()).isZero();
	}

	@Test
	void eventThatACloseInterruptsIsDropped() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			this.gate.await();
		}, 1, 1000);
		dispatcher.sink().delta(added("a", 1, false));
		dispatcher.sink().delta(added("b", 1, false));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.close(Duration.ZERO);
		assertThat(dispatcher.figures().dropped()).isEqualTo(2);
		assertThat(dispatcher.figures().waiting()).isZero();
	}

	@Test
	void interruptedCallerOfAStopLosesNoEvent() throws InterruptedException {
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			this.gate.await();
			record(delivery);
		}, 1, 1000);
		for (int i = 0; i < 20; i++) {
			dispatcher.sink().delta(added("o" + i, 1, false));
		}
		AtomicBoolean flag = new AtomicBoolean();
		Thread caller = new Thread(() -> {
			Thread.currentThread().interrupt();
			dispatcher.drain(Duration.ofSeconds(30));
			end(dispatcher);
			flag.set(Thread.currentThread().isInterrupted());
		});
		caller.start();
		await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
		caller.interrupt();
		this.gate.countDown();
		caller.join(Duration.ofSeconds(10).toMillis());
		assertThat(this.told).hasSize(20);
		assertThat(this.interrupted).isEmpty();
		assertThat(flag).isTrue();
	}

	@Test
	void stopInACallbackWaitsForTheOtherWorkers() throws InterruptedException {
		AtomicReference<HandlerDispatcher<String>> self = new AtomicReference<>();
		CountDownLatch both = new CountDownLatch(2);
		CountDownLatch stopped = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			both.countDown();
			both.await();
			if (delivery.after().name().equals("stopper")) {
				self.get().drain(Duration.ofSeconds(30));
				end(self.get());
				record(delivery);
				stopped.countDown();
			}
			else {
				await().until(() -> self.get().figures().waiting() == 0);
				this.gate.await();
				record(delivery);
			}
		}, 2, 1000);
		self.set(dispatcher);
		dispatcher.sink().delta(added("stopper", 1, false));
		dispatcher.sink().delta(added("other", 1, false));
		dispatcher.start(this.timer);
		await().until(() -> this.threads.stream().anyMatch((thread) -> isIn(thread, "join")));
		this.gate.countDown();
		assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.told).containsExactly("+other:1", "+stopper:1");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void closeInACallbackLetsWhatWaitsBeHandled(int concurrency) {
		AtomicReference<HandlerDispatcher<String>> self = new AtomicReference<>();
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			record(delivery);
			if (delivery.kind() == Delta.Kind.ADDED && delivery.after().name().equals("closer")) {
				await().until(() -> this.told.size() >= concurrency);
				self.get().close(Duration.ofSeconds(30));
			}
		}, concurrency, 1000);
		self.set(dispatcher);
		dispatcher.sink().delta(added("closer", 1, false));
		for (int i = 0; i < 10; i++) {
			dispatcher.sink().delta(added("o" + i, 1, false));
		}
		dispatcher.sink().delta(updated("closer", 1, 2));
		long before = System.nanoTime();
		dispatcher.start(this.timer);
		await().untilAsserted(() -> assertThat(this.told).hasSize(12));
		await().untilAsserted(() -> assertThat(this.threads).noneMatch(Thread::isAlive));
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		assertThat(dispatcher.figures().dropped()).isZero();
	}

	@Test
	void closeAfterAStopInACallbackWaitsForTheCallback() throws InterruptedException {
		AtomicReference<HandlerDispatcher<String>> self = new AtomicReference<>();
		CountDownLatch stopped = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			if (delivery.after().name().equals("stopper")) {
				self.get().drain(Duration.ofSeconds(30));
				end(self.get());
				stopped.countDown();
				this.gate.await();
			}
			record(delivery);
		}, 1, 1000);
		self.set(dispatcher);
		dispatcher.sink().delta(added("stopper", 1, false));
		dispatcher.sink().delta(added("o", 1, false));
		dispatcher.start(this.timer);
		assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
		Thread closer = new Thread(() -> dispatcher.close(Duration.ofSeconds(30)));
		closer.start();
		await().until(() -> isIn(closer, "join"));
		this.gate.countDown();
		closer.join(Duration.ofSeconds(10).toMillis());
		assertThat(this.told).containsExactly("+stopper:1", "+o:1");
		assertThat(dispatcher.figures().dropped()).isZero();
	}

	@Test
	void callbacksThatEndTheirDispatcherDoNotWaitForEachOther() {
		AtomicReference<HandlerDispatcher<String>> self = new AtomicReference<>();
		CountDownLatch both = new CountDownLatch(2);
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			both.countDown();
			both.await();
			if (delivery.after().name().equals("stopper")) {
				self.get().drain(Duration.ofSeconds(30));
				end(self.get());
			}
			else {
				self.get().close(Duration.ofSeconds(30));
			}
			record(delivery);
		}, 2, 1000);
		self.set(dispatcher);
		dispatcher.sink().delta(added("stopper", 1, false));
		dispatcher.sink().delta(added("closer", 1, false));
		dispatcher.start(this.timer);
		await().untilAsserted(() -> assertThat(this.told).containsExactlyInAnyOrder("+stopper:1", "+closer:1"));
		assertThat(this.interrupted).isEmpty();
	}

	@Test
	void workerWhoseTimeIsOverTakesNoFurtherEvent() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			this.gate.await();
			record(delivery);
		}, 1, 1000);
		dispatcher.sink().delta(added("a", 1, false));
		dispatcher.sink().delta(added("b", 1, false));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.drain(Duration.ZERO);
		dispatcher.awaitDrained();
		dispatcher.drain(Duration.ofSeconds(30));
		await().untilAsserted(() -> assertThat(this.threads).noneMatch(Thread::isAlive));
		assertThat(this.told).isEmpty();
		assertThat(dispatcher.figures().waiting()).isEqualTo(2);
	}

	private static boolean isIn(Thread thread, String method) {
		return Arrays.stream(thread.getStackTrace()).anyMatch((frame) -> frame.getMethodName().equals(method));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void closeInACallbackReleasesThoseWhoWaitAndDropsWhatIsLeft(int concurrency) throws Exception {
		AtomicReference<HandlerDispatcher<String>> self = new AtomicReference<>();
		CountDownLatch closed = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			if (delivery.after().name().equals("closer")) {
				self.get().close(Duration.ZERO);
				closed.countDown();
				this.gate.await();
			}
		}, concurrency, 1000);
		self.set(dispatcher);
		ExecutorService waiter = Executors.newSingleThreadExecutor();
		Future<Boolean> synced = waiter.submit(() -> dispatcher.awaitSync(Duration.ofMinutes(5)));
		dispatcher.sink().delta(added("closer", 1, true));
		dispatcher.sink().delta(updated("closer", 1, 2));
		dispatcher.start(this.timer);
		assertThat(synced.get(30, TimeUnit.SECONDS)).isFalse();
		waiter.shutdown();
		assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(dispatcher.figures().waiting()).isZero();
		assertThat(dispatcher.figures().dropped()).isOne();
		this.gate.countDown();
		await().untilAsserted(() -> assertThat(this.threads).noneMatch(Thread::isAlive));
	}

	@Test
	void interruptThatAHandlerLeftBehindDoesNotMeetTheNextEvent() {
		List<Boolean> interrupted = new CopyOnWriteArrayList<>();
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			Thread.currentThread().interrupt();
		}, 1, 1000);
		dispatcher.sink().delta(added("a", 1, false));
		dispatcher.sink().delta(added("b", 1, false));
		dispatcher.start(this.timer);
		await().untilAsserted(() -> assertThat(interrupted).containsExactly(false, false));
	}

	@Test
	void stopInACallbackDoesNotKeepALaterStartFromWorking() throws InterruptedException {
		AtomicReference<HandlerDispatcher<String>> self = new AtomicReference<>();
		CountDownLatch stopped = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			record(delivery);
			if (delivery.after().name().equals("first")) {
				self.get().drain(Duration.ZERO);
				end(self.get());
				stopped.countDown();
			}
		}, 1, 1000);
		self.set(dispatcher);
		dispatcher.start(this.timer);
		dispatcher.sink().delta(added("first", 1, false));
		assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.start(this.timer);
		dispatcher.sink().delta(added("second", 1, false));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+first:1", "+second:1"));
	}

	@Test
	void eventInHandIsNamed() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = start((delivery) -> {
			entered.countDown();
			this.gate.await();
		}, 1, 1000);
		assertThat(dispatcher.figures().handling()).isNull();
		dispatcher.sink().delta(added("a", 1, false));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(dispatcher.figures().handling().key()).hasToString("ns/a");
		this.gate.countDown();
		await().untilAsserted(() -> assertThat(dispatcher.figures().handling()).isNull());
	}

	@Test
	void waitingForAHandlerThatIsClosedEnds() throws Exception {
		HandlerDispatcher<String> dispatcher = start((delivery) -> this.gate.await(), 1, 1000);
		dispatcher.sink().delta(added("a", 1, true));
		ExecutorService waiter = Executors.newSingleThreadExecutor();
		Future<Boolean> synced = waiter.submit(() -> dispatcher.awaitSync(Duration.ofMinutes(5)));
		dispatcher.close(Duration.ZERO);
		assertThat(synced.get(30, TimeUnit.SECONDS)).isFalse();
		waiter.shutdown();
	}

	@Test
	void closedDispatcherTakesNothing() {
		HandlerDispatcher<String> dispatcher = start(this::record, 1, 1000);
		dispatcher.close(Duration.ofSeconds(1));
		dispatcher.sink().delta(added("a", 1, false));
		assertThat(dispatcher.figures().waiting()).isZero();
	}

	private void record(Delivery<String> delivery) {
		this.told.add(switch (delivery.kind()) {
			case ADDED -> "+" + delivery.after().object();
			case UPDATED -> delivery.before().object() + ">" + delivery.after().resourceVersion()
					+ (delivery.resync() ? " resync" : "");
			case DELETED -> "-" + delivery.before().object();
		});
	}

	private static void end(HandlerDispatcher<String> dispatcher) {
		dispatcher.awaitDrained();
		dispatcher.awaitEnd(System.nanoTime() + HandlerDispatcher.GRACE.toNanos());
	}

	@Test
	void listenerIsToldOfTheEventsOfAnObjectInTheirOrder() {
		CountDownLatch entered = new CountDownLatch(1);
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
		}, 2, 1000, new TellingListener((delivery, waited, duration) -> {
			if (delivery.before() == null && delivery.after().name().equals("a")) {
				entered.countDown();
				awaitGate();
			}
			record(delivery);
		}));
		dispatcher.start(this.timer);
		dispatcher.sink().delta(added("a", 1, false));
		await().until(() -> entered.getCount() == 0);
		dispatcher.sink().delta(updated("a", 1, 2));
		dispatcher.sink().delta(added("b", 1, false));
		await().until(() -> this.told.contains("+b:1"));
		assertThat(this.told).containsExactly("+b:1");
		this.gate.countDown();
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+b:1", "+a:1", "a:1>2"));
	}

	@Test
	void listenerIsToldHowLongEventsWaitedAndTook() {
		List<Duration> times = new CopyOnWriteArrayList<>();
		HandlerDispatcher<String> dispatcher = create((delivery) -> this.timer.advance(Duration.ofMillis(150)), 1, 1000,
				new TellingListener((delivery, waited, duration) -> times.addAll(List.of(waited, duration))));
		dispatcher.sink().delta(added("a", 1, false));
		this.timer.advance(Duration.ofMillis(20));
		dispatcher.sink().delta(added("b", 1, false));
		dispatcher.start(this.timer);
		await().untilAsserted(() -> assertThat(times).containsExactly(Duration.ofMillis(20), Duration.ofMillis(150),
				Duration.ofMillis(150), Duration.ofMillis(150)));
	}

	@Test
	void closeTellsOnceHowManyEventsItDrops() {
		HandlerDispatcher<String> dispatcher = start(this::record, 2, 1000);
		dispatcher.pause(true);
		dispatcher.sink().delta(added("a", 1, false));
		dispatcher.sink().delta(deleted("b", 1));
		dispatcher.close(Duration.ofSeconds(5));
		dispatcher.close(Duration.ZERO);
		assertThat(this.dropped).containsExactly(2);
	}

	@Test
	void closeThatDropsNothingTellsNothing() {
		HandlerDispatcher<String> dispatcher = start(this::record, 2, 1000);
		dispatcher.sink().delta(added("a", 1, false));
		dispatcher.close(Duration.ofSeconds(5));
		assertThat(this.told).containsExactly("+a:1");
		assertThat(this.dropped).isEmpty();
	}

	private void awaitGate() {
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private HandlerDispatcher<String> start(DeliveryHandler<String> handler, int concurrency, int capacity) {
		HandlerDispatcher<String> dispatcher = create(handler, concurrency, capacity);
		dispatcher.start(this.timer);
		return dispatcher;
	}

	private HandlerDispatcher<String> create(DeliveryHandler<String> handler, int concurrency, int capacity) {
		return create(handler, concurrency, capacity, new Unheard());
	}

	private HandlerDispatcher<String> create(DeliveryHandler<String> handler, int concurrency, int capacity,
			DeliveryListener<String> listener) {
		HandlerDispatcher<String> dispatcher = new HandlerDispatcher<>(handler, new Failures(), listener,
				new HandlerDispatcher.Options(concurrency, capacity, (failures, cause) -> null, (work) -> {
					Thread thread = new Thread(work);
					this.threads.add(thread);
					return thread;
				}, this.timer::nanoTime));
		this.started.add(dispatcher);
		return dispatcher;
	}

	private static Delta<String> added(String name, int version, boolean initial) {
		return new Delta<>(Delta.Kind.ADDED, null, object(name, "u", version), initial, false);
	}

	private static Delta<String> updated(String name, int before, int after) {
		return new Delta<>(Delta.Kind.UPDATED, object(name, "u", before), object(name, "u", after), false, false);
	}

	private static Delta<String> deleted(String name, int version) {
		return new Delta<>(Delta.Kind.DELETED, object(name, "u", version), null, false, false);
	}

	private static StoredObject<String> object(String name, String uid, int version) {
		return new StoredObject<>("ns", name, uid, String.valueOf(version), name + ":" + version);
	}

	private record TellingListener(Told told) implements DeliveryListener<String> {

		@Override
		public boolean isActive() {
			return true;
		}

		@Override
		public void synced() {
		}

		@Override
		public void delivered(Delivery<String> delivery, HandlingOutcome outcome, Duration waited, Duration duration) {
			this.told.delivered(delivery, waited, duration);
		}

		@Override
		public void settled() {
		}

	}

	/**
	 * What a test does with what it is told.
	 */
	@FunctionalInterface
	private interface Told {

		void delivered(Delivery<String> delivery, Duration waited, Duration duration);

	}

	private final class Failures implements HandlerDispatcher.DeliveryFailureHandler<String> {

		@Override
		public void failed(Delivery<String> delivery, Throwable cause, Duration retry) {
		}

		@Override
		public void interrupted(Delivery<String> delivery) {
			HandlerDispatcherTests.this.interrupted.add(delivery.after().name());
		}

		@Override
		public void dropped(int events) {
			HandlerDispatcherTests.this.dropped.add(events);
		}

	}

}
