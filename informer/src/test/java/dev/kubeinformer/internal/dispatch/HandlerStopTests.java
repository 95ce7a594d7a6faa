package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.handler.ResourceEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The end of a handler's workers: a stop that a later start may follow, and a close. Both
 * may come from a callback of the handler itself.
 */
class HandlerStopTests {

	@RegisterExtension
	final TestDispatchers dispatchers = new TestDispatchers();

	@Test
	void stopHandlesWhatWaitsAndALaterStartGoesOn() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::record, 2, 1000);
		for (int i = 0; i < 100; i++) {
			dispatcher.sink().delta(Events.added("o" + i, 1));
		}
		dispatcher.drain(Duration.ofSeconds(30));
		TestDispatchers.end(dispatcher);
		assertThat(this.dispatchers.handled()).hasSize(100);
		assertThat(this.dispatchers.threads()).noneMatch(Thread::isAlive);
		dispatcher.sink().delta(Events.added("later", 1));
		this.dispatchers.start(dispatcher);
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).hasSize(101));
	}

	@Test
	void handlerThatIgnoresItsInterruptHandlesNothingAfterTheStop() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start((event) -> {
			boolean open = false;
			while (!open) {
				try {
					this.dispatchers.passGate();
					open = true;
				}
				catch (InterruptedException ex) {
					this.dispatchers.record(event);
				}
			}
		}, 1, 1000);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.sink().delta(Events.added("b", 1));
		this.dispatchers.awaitBlocked();
		long before = System.nanoTime();
		dispatcher.drain(Duration.ZERO);
		TestDispatchers.end(dispatcher);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMinutes(1));
		this.dispatchers.release();
		this.dispatchers.awaitThreads();
		assertThat(this.dispatchers.handled()).containsExactly("+a:1");
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
	}

	@Test
	void eventThatAStopInterruptsIsNoFailureAndIsHandledAfterTheNextStart() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startBlocked(1000, Events.initial("a", 1),
				Events.added("b", 1));
		dispatcher.sink().initialStateComplete();
		dispatcher.drain(Duration.ZERO);
		TestDispatchers.end(dispatcher);
		this.dispatchers.awaitThreads();
		assertThat(this.dispatchers.interrupted()).containsExactly("+a:1");
		assertThat(dispatcher.status().deliveries().failed()).isZero();
		assertThat(dispatcher.status().deliveries().exhausted()).isZero();
		assertThat(dispatcher.status().lastError()).isNull();
		assertThat(dispatcher.status().queue().size()).isEqualTo(2);
		assertThat(dispatcher.status().sync().pendingInitial()).isOne();
		assertThat(dispatcher.hasSynced()).isFalse();
		this.dispatchers.release();
		this.dispatchers.start(dispatcher);
		this.dispatchers.timer().advance(Duration.ZERO);
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactlyInAnyOrder("+a:1", "+b:1"));
		await().until(() -> dispatcher.hasSynced());
	}

	@Test
	void attemptThatAStopInterruptsDoesNotCount() {
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		HandlerDispatcher<Note> dispatcher = this.dispatchers.create((event) -> {
			attempts.add(event.attempt());
			this.dispatchers.passGate();
			throw new IllegalStateException("no");
		}, 1);
		dispatcher.sink().delta(Events.initial("a", 1));
		this.dispatchers.start(dispatcher);
		this.dispatchers.awaitBlocked();
		dispatcher.drain(Duration.ZERO);
		TestDispatchers.end(dispatcher);
		// The event is not due before the worker that was interrupted has put it back.
		this.dispatchers.awaitThreads();
		this.dispatchers.release();
		this.dispatchers.start(dispatcher);
		this.dispatchers.timer().advance(Duration.ZERO);
		await().until(() -> dispatcher.status().deliveries().failed() == 1);
		assertThat(attempts).containsExactly(1, 1);
		assertThat(dispatcher.status().deliveries().retries()).isZero();
	}

	@Test
	void interruptedCallerOfAStopLosesNoEvent() throws InterruptedException {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::block, 1, 1000);
		for (int i = 0; i < 20; i++) {
			dispatcher.sink().delta(Events.added("o" + i, 1));
		}
		AtomicBoolean flag = new AtomicBoolean();
		Thread caller = new Thread(() -> {
			Thread.currentThread().interrupt();
			dispatcher.drain(Duration.ofSeconds(30));
			TestDispatchers.end(dispatcher);
			flag.set(Thread.currentThread().isInterrupted());
		});
		caller.start();
		await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
		caller.interrupt();
		this.dispatchers.release();
		caller.join(Duration.ofMinutes(1).toMillis());
		assertThat(this.dispatchers.handled()).hasSize(20);
		assertThat(this.dispatchers.interrupted()).isEmpty();
		assertThat(flag).isTrue();
	}

	@Test
	void workerWhoseTimeIsOverTakesNoFurtherEvent() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startBlocked(1000, Events.added("a", 1),
				Events.added("b", 1));
		dispatcher.drain(Duration.ZERO);
		dispatcher.awaitDrained();
		dispatcher.drain(Duration.ofSeconds(30));
		this.dispatchers.awaitThreads();
		assertThat(this.dispatchers.handled()).isEmpty();
		assertThat(dispatcher.status().queue().size()).isEqualTo(2);
	}

	@Test
	void eventThatACloseInterruptsIsDropped() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startBlocked(1000, Events.added("a", 1),
				Events.added("b", 1));
		dispatcher.close(Duration.ZERO);
		// A worker that is left behind drops its event when it ends.
		this.dispatchers.awaitThreads();
		assertThat(dispatcher.status().queue().dropped()).isEqualTo(2);
		assertThat(dispatcher.status().queue().size()).isZero();
	}

	@Test
	void closedDispatcherTakesNothing() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::record, 1, 1000);
		dispatcher.close(Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.added("a", 1));
		assertThat(dispatcher.status().queue().size()).isZero();
	}

	@Test
	void waitingForAHandlerThatIsClosedEnds() throws Exception {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startBlocked(1000, Events.initial("a", 1));
		ExecutorService waiter = Executors.newSingleThreadExecutor();
		Future<Boolean> synced = waiter.submit(() -> dispatcher.awaitSync(Duration.ofMinutes(5)));
		dispatcher.close(Duration.ZERO);
		assertThat(synced.get(30, TimeUnit.SECONDS)).isFalse();
		waiter.shutdown();
	}

	@Test
	void closeReportsOnceHowManyEventsItDrops() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::record, 2, 1000);
		dispatcher.pause(true);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.sink().delta(Events.deleted("b", 1));
		dispatcher.close(Duration.ofSeconds(30));
		dispatcher.close(Duration.ZERO);
		assertThat(this.dispatchers.dropped()).containsExactly(2);
	}

	@Test
	void closeThatDropsNothingReportsNothing() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::record, 2, 1000);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.close(Duration.ofSeconds(30));
		assertThat(this.dispatchers.handled()).containsExactly("+a:1");
		assertThat(this.dispatchers.dropped()).isEmpty();
	}

	@Test
	void stopInACallbackWaitsForTheOtherWorkers() throws InterruptedException {
		CountDownLatch both = new CountDownLatch(2);
		CountDownLatch stopped = new CountDownLatch(1);
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createReentrant((self, event) -> {
			both.countDown();
			both.await();
			if (event.object().name().equals("stopper")) {
				self.drain(Duration.ofSeconds(30));
				TestDispatchers.end(self);
				this.dispatchers.record(event);
				stopped.countDown();
			}
			else {
				await().until(() -> self.status().queue().size() == 0);
				this.dispatchers.passGate();
				this.dispatchers.record(event);
			}
		}, 2);
		dispatcher.sink().delta(Events.added("stopper", 1));
		dispatcher.sink().delta(Events.added("other", 1));
		this.dispatchers.start(dispatcher);
		await().until(() -> this.dispatchers.threads().stream().anyMatch((thread) -> isIn(thread, "awaitDrained")));
		this.dispatchers.release();
		assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.dispatchers.handled()).containsExactly("+other:1", "+stopper:1");
	}

	@Test
	void stopInACallbackDoesNotKeepALaterStartFromWorking() throws InterruptedException {
		CountDownLatch stopped = new CountDownLatch(1);
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createReentrant((self, event) -> {
			this.dispatchers.record(event);
			if (event.object().name().equals("first")) {
				self.drain(Duration.ZERO);
				TestDispatchers.end(self);
				stopped.countDown();
			}
		}, 1);
		this.dispatchers.start(dispatcher);
		dispatcher.sink().delta(Events.added("first", 1));
		assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
		this.dispatchers.start(dispatcher);
		dispatcher.sink().delta(Events.added("second", 1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+first:1", "+second:1"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void closeInACallbackLetsWhatWaitsBeHandled(int concurrency) {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createReentrant((self, event) -> {
			this.dispatchers.record(event);
			if (event.type() == ResourceEvent.Type.ADD && event.object().name().equals("closer")) {
				await().until(() -> this.dispatchers.handled().size() >= concurrency);
				self.close(Duration.ofMinutes(2));
			}
		}, concurrency);
		dispatcher.sink().delta(Events.added("closer", 1));
		for (int i = 0; i < 10; i++) {
			dispatcher.sink().delta(Events.added("o" + i, 1));
		}
		dispatcher.sink().delta(Events.updated("closer", 1, 2));
		long before = System.nanoTime();
		this.dispatchers.start(dispatcher);
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).hasSize(12));
		this.dispatchers.awaitThreads();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMinutes(1));
		assertThat(dispatcher.status().queue().dropped()).isZero();
	}

	@Test
	void closeAfterAStopInACallbackWaitsForTheCallback() throws InterruptedException {
		CountDownLatch stopped = new CountDownLatch(1);
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createReentrant((self, event) -> {
			if (event.object().name().equals("stopper")) {
				self.drain(Duration.ofSeconds(30));
				TestDispatchers.end(self);
				stopped.countDown();
				this.dispatchers.passGate();
			}
			this.dispatchers.record(event);
		}, 1);
		dispatcher.sink().delta(Events.added("stopper", 1));
		dispatcher.sink().delta(Events.added("o", 1));
		this.dispatchers.start(dispatcher);
		assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
		Thread closer = new Thread(() -> dispatcher.close(Duration.ofSeconds(30)));
		closer.start();
		await().until(() -> isIn(closer, "awaitDrained"));
		this.dispatchers.release();
		closer.join(Duration.ofMinutes(1).toMillis());
		assertThat(this.dispatchers.handled()).containsExactly("+stopper:1", "+o:1");
		assertThat(dispatcher.status().queue().dropped()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void closeInACallbackReleasesThoseWhoWaitAndDropsWhatIsLeft(int concurrency) throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createReentrant((self, event) -> {
			if (event.object().name().equals("closer")) {
				self.close(Duration.ZERO);
				closed.countDown();
				this.dispatchers.passGate();
			}
		}, concurrency);
		ExecutorService waiter = Executors.newSingleThreadExecutor();
		Future<Boolean> synced = waiter.submit(() -> dispatcher.awaitSync(Duration.ofMinutes(5)));
		dispatcher.sink().delta(Events.initial("closer", 1));
		dispatcher.sink().delta(Events.updated("closer", 1, 2));
		this.dispatchers.start(dispatcher);
		assertThat(synced.get(30, TimeUnit.SECONDS)).isFalse();
		waiter.shutdown();
		assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(dispatcher.status().queue().size()).isZero();
		assertThat(dispatcher.status().queue().dropped()).isOne();
		this.dispatchers.release();
		this.dispatchers.awaitThreads();
	}

	@Test
	void callbacksThatEndTheirDispatcherDoNotWaitForEachOther() {
		CountDownLatch both = new CountDownLatch(2);
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createReentrant((self, event) -> {
			both.countDown();
			both.await();
			if (event.object().name().equals("stopper")) {
				self.drain(Duration.ofSeconds(30));
				TestDispatchers.end(self);
			}
			else {
				self.close(Duration.ofSeconds(30));
			}
			this.dispatchers.record(event);
		}, 2);
		dispatcher.sink().delta(Events.added("stopper", 1));
		dispatcher.sink().delta(Events.added("closer", 1));
		this.dispatchers.start(dispatcher);
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).containsExactlyInAnyOrder("+stopper:1", "+closer:1"));
		assertThat(this.dispatchers.interrupted()).isEmpty();
	}

	@Test
	void callbackThatWaitsForTheEndDoesNotWaitForOneThatAskedForItMeanwhile() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createReentrant((self, event) -> {
			if (event.object().name().equals("stopper")) {
				await().until(() -> self.status().queue().size() == 0);
				self.drain(Duration.ofMinutes(5));
				TestDispatchers.end(self);
				this.dispatchers.record(event);
				this.dispatchers.release();
			}
			else {
				await().until(() -> this.dispatchers.threads()
					.stream()
					.anyMatch((thread) -> isIn(thread, "awaitDrained")
							&& thread.getState() == Thread.State.TIMED_WAITING));
				self.close(Duration.ofMinutes(5));
				// The stopper opens it, and need not wait for this callback.
				this.dispatchers.passGate();
				this.dispatchers.record(event);
			}
		}, 2);
		dispatcher.sink().delta(Events.added("stopper", 1));
		dispatcher.sink().delta(Events.added("closer", 1));
		this.dispatchers.start(dispatcher);
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+stopper:1", "+closer:1"));
	}

	private static boolean isIn(Thread thread, String method) {
		return Arrays.stream(thread.getStackTrace()).anyMatch((frame) -> frame.getMethodName().equals(method));
	}

}
