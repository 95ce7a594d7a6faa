package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.types.HandlingOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class HandlerDispatcherTests {

	@RegisterExtension
	final TestDispatchers dispatchers = new TestDispatchers();

	@Test
	void eventsAreHandledInOrder() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.start(this.dispatchers::record, 1, 1000);
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			dispatcher.sink().delta(Events.updated("o" + i % 7, i, i + 1));
			expected.add("o" + i % 7 + ":" + i + ">" + (i + 1));
		}
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).isEqualTo(expected));
		await().untilAsserted(() -> assertThat(dispatcher.processed()).isEqualTo(500));
	}

	@Test
	void exceptionIsCountedAndTheNextEventIsHandled() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.start((delivery) -> {
			if (delivery.after().name().equals("o2")) {
				throw new StackOverflowError("secret");
			}
			this.dispatchers.record(delivery);
		}, 1, 1000);
		for (int i = 1; i <= 5; i++) {
			dispatcher.sink().delta(Events.added("o" + i, 1));
		}
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).containsExactly("+o1:1", "+o3:1", "+o4:1", "+o5:1"));
		assertThat(dispatcher.failed()).isEqualTo(1);
		assertThat(dispatcher.lastFailure().exception()).isEqualTo("java.lang.StackOverflowError");
		assertThat(dispatcher.lastFailure().key()).hasToString("ns/o2");
	}

	@Test
	void handlerIsSyncedWhenTheLastInitialEventIsFinished() throws InterruptedException {
		HandlerDispatcher<String> dispatcher = this.dispatchers.start((delivery) -> {
			if (delivery.after().name().equals("o3")) {
				this.dispatchers.passGate();
			}
		}, 1, 1000);
		for (int i = 1; i <= 3; i++) {
			dispatcher.sink().delta(Events.initial("o" + i, 1));
		}
		dispatcher.sink().initialStateComplete();
		this.dispatchers.awaitBlocked();
		assertThat(dispatcher.syncedAt()).isNull();
		assertThat(dispatcher.pendingInitial()).isEqualTo(1);
		assertThat(dispatcher.awaitSync(Duration.ofMillis(10))).isFalse();
		this.dispatchers.release();
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
		assertThat(dispatcher.syncedAt()).isNotNull();
	}

	@Test
	void handlerOfAnEmptyStateIsSyncedAtOnce() throws InterruptedException {
		HandlerDispatcher<String> dispatcher = this.dispatchers.start(this.dispatchers::record, 1, 1000);
		assertThat(dispatcher.syncedAt()).isNull();
		dispatcher.sink().initialStateComplete();
		assertThat(dispatcher.awaitSync(Duration.ZERO)).isTrue();
	}

	@Test
	void failingInitialEventCountsAsFinished() throws InterruptedException {
		HandlerDispatcher<String> dispatcher = this.dispatchers.start((delivery) -> {
			throw new IllegalStateException();
		}, 1, 1000);
		dispatcher.sink().delta(Events.initial("o1", 1));
		dispatcher.sink().initialStateComplete();
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
	}

	@Test
	void waitingForItselfFailsAtOnce() {
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		HandlerDispatcher<String> dispatcher = this.dispatchers.createReentrant((self, delivery) -> {
			try {
				self.awaitSync(Duration.ofSeconds(30));
			}
			catch (IllegalStateException ex) {
				thrown.set(ex);
			}
		}, 1);
		this.dispatchers.start(dispatcher);
		dispatcher.sink().delta(Events.initial("o1", 1));
		await().untilAsserted(() -> assertThat(thrown.get()).isNotNull());
		assertThatIllegalStateException().isThrownBy(() -> {
			throw thrown.get();
		}).withMessageContaining("callback");
	}

	@Test
	void blockedHandlerHoldsNoMoreThanItsCapacityAndTheLiveObjects() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.startBlocked(10, Events.added("first", 1));
		for (int i = 0; i < 5; i++) {
			dispatcher.sink().delta(Events.added("o" + i, 0));
		}
		for (int version = 0; version < 10_000; version++) {
			dispatcher.sink().delta(Events.updated("o" + version % 5, version / 5, version / 5 + 1));
			dispatcher.sink().delta(Events.added("short-lived", version));
			dispatcher.sink().delta(Events.deleted("short-lived", version));
		}
		assertThat(dispatcher.figures().waiting()).isLessThanOrEqualTo(10 + 6);
		assertThat(dispatcher.figures().merged()).isGreaterThan(20_000);
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(dispatcher.figures().waiting()).isZero());
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).contains("+first:1")
			.filteredOn((each) -> each.endsWith(":2000") || each.endsWith(">2000"))
			.hasSize(5));
	}

	@Test
	void annihilatedInitialEventCompletesItsTicket() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.startBlocked(1, Events.added("blocking", 1));
		dispatcher.sink().delta(Events.initial("a", 1));
		dispatcher.sink().delta(Events.deleted("a", 2));
		assertThat(dispatcher.pendingInitial()).isZero();
		assertThat(dispatcher.figures().waiting()).isZero();
	}

	@Test
	void recreatedObjectIsNotMergedWithItsPredecessor() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.startBlocked(1, Events.added("a", 1));
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		dispatcher.sink().delta(Events.deleted("a", 2));
		for (int life = 3; life < 50; life++) {
			dispatcher.sink().delta(Events.added("a", "uid" + life, life));
			assertThat(dispatcher.figures().waiting()).isEqualTo(2);
			if (life < 49) {
				dispatcher.sink().delta(Events.deleted("a", "uid" + life, life));
				assertThat(dispatcher.figures().waiting()).isEqualTo(1);
			}
		}
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "-a:2", "+a:49"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 4, 16 })
	void eventsOfOneObjectNeverOverlapNorOvertake(int concurrency) {
		Map<String, Integer> running = new ConcurrentHashMap<>();
		Map<String, Integer> last = new ConcurrentHashMap<>();
		List<String> wrong = new CopyOnWriteArrayList<>();
		AtomicInteger handled = new AtomicInteger();
		HandlerDispatcher<String> dispatcher = this.dispatchers.start((delivery) -> {
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
			dispatcher.sink().delta(Events.updated(name, version - 1, version));
		}
		await().untilAsserted(() -> assertThat(dispatcher.figures().waiting()).isZero());
		await().untilAsserted(() -> assertThat(last).isEqualTo(versions));
		await().until(() -> handled.get() + dispatcher.figures().merged() == 20_000);
		assertThat(wrong).isEmpty();
	}

	@Test
	void resyncWaitsOnlyWhereNothingElseDoesAndGivesWayToAnEvent() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.startBlocked(1000, Events.added("first", 1));
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.sink().resync(Events.object("a", 1));
		dispatcher.sink().resync(Events.object("b", 1));
		dispatcher.sink().resync(Events.object("b", 1));
		dispatcher.sink().delta(Events.updated("b", 1, 2));
		dispatcher.sink().resync(Events.object("c", 1));
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+first:1", "+a:1", "b:1>2",
				"c:1>1 resync"));
	}

	@Test
	void pausedHandlerGetsNothing() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.start(this.dispatchers::record, 1, 1000);
		dispatcher.pause(true);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.pause(false);
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1"));
		dispatcher.pause(true);
		dispatcher.sink().delta(Events.added("b", 1));
		dispatcher.drain(Duration.ofSeconds(30));
		TestDispatchers.end(dispatcher);
		assertThat(this.dispatchers.handled()).containsExactly("+a:1");
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
	}

	@Test
	void interruptThatAHandlerLeftBehindDoesNotMeetTheNextEvent() {
		List<Boolean> interrupted = new CopyOnWriteArrayList<>();
		HandlerDispatcher<String> dispatcher = this.dispatchers.create((delivery) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			Thread.currentThread().interrupt();
		}, 1);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.sink().delta(Events.added("b", 1));
		this.dispatchers.start(dispatcher);
		await().untilAsserted(() -> assertThat(interrupted).containsExactly(false, false));
	}

	@Test
	void eventInHandIsNamed() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.start(this.dispatchers::block, 1, 1000);
		assertThat(dispatcher.figures().handling()).isNull();
		dispatcher.sink().delta(Events.added("a", 1));
		this.dispatchers.awaitBlocked();
		assertThat(dispatcher.figures().handling().key()).hasToString("ns/a");
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(dispatcher.figures().handling()).isNull());
	}

	@Test
	void listenerIsNotifiedOfTheEventsOfAnObjectInTheirOrder() {
		HandlerDispatcher<String> dispatcher = this.dispatchers.create((delivery) -> {
		}, 2, new ActiveListener((delivery, waited, duration) -> {
			if (delivery.before() == null && delivery.after().name().equals("a")) {
				this.dispatchers.passGate();
			}
			this.dispatchers.record(delivery);
		}));
		this.dispatchers.start(dispatcher);
		dispatcher.sink().delta(Events.added("a", 1));
		this.dispatchers.awaitBlocked();
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		dispatcher.sink().delta(Events.added("b", 1));
		await().until(() -> this.dispatchers.handled().contains("+b:1"));
		assertThat(this.dispatchers.handled()).containsExactly("+b:1");
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+b:1", "+a:1", "a:1>2"));
	}

	@Test
	void listenerIsNotifiedHowLongEventsWaitedAndTook() {
		List<Duration> times = new CopyOnWriteArrayList<>();
		HandlerDispatcher<String> dispatcher = this.dispatchers.create(
				(delivery) -> this.dispatchers.timer().advance(Duration.ofMillis(150)), 1,
				new ActiveListener((delivery, waited, duration) -> times.addAll(List.of(waited, duration))));
		dispatcher.sink().delta(Events.added("a", 1));
		this.dispatchers.timer().advance(Duration.ofMillis(20));
		dispatcher.sink().delta(Events.added("b", 1));
		this.dispatchers.start(dispatcher);
		await().untilAsserted(() -> assertThat(times).containsExactly(Duration.ofMillis(20), Duration.ofMillis(150),
				Duration.ofMillis(150), Duration.ofMillis(150)));
	}

	private record ActiveListener(Delivered delivered) implements DeliveryListener<String> {

		@Override
		public boolean isActive() {
			return true;
		}

		@Override
		public void synced() {
		}

		@Override
		public void delivered(Delivery<String> delivery, HandlingOutcome outcome, Duration waited, Duration duration) {
			try {
				this.delivered.accept(delivery, waited, duration);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public void settled() {
		}

	}

	/**
	 * What a test does when an event was delivered.
	 */
	@FunctionalInterface
	private interface Delivered {

		void accept(Delivery<String> delivery, Duration waited, Duration duration) throws InterruptedException;

	}

}
