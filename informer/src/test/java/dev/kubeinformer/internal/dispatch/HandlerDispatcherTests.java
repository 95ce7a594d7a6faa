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

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.ResourceEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class HandlerDispatcherTests {

	@RegisterExtension
	final TestDispatchers dispatchers = new TestDispatchers();

	@Test
	void eventsAreHandledInOrder() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::record, 1, 1000);
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			dispatcher.sink().delta(Events.updated("o" + i % 7, i, i + 1));
			expected.add("o" + i % 7 + ":" + i + ">" + (i + 1));
		}
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).isEqualTo(expected));
		await().untilAsserted(() -> assertThat(dispatcher.status().deliveries().processed()).isEqualTo(500));
	}

	@Test
	void exceptionIsCountedAndTheNextEventIsHandled() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start((event) -> {
			if (event.object().name().equals("o2")) {
				throw new StackOverflowError("secret");
			}
			this.dispatchers.record(event);
		}, 1, 1000);
		for (int i = 1; i <= 5; i++) {
			dispatcher.sink().delta(Events.added("o" + i, 1));
		}
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).containsExactly("+o1:1", "+o3:1", "+o4:1", "+o5:1"));
		assertThat(dispatcher.status().deliveries().failed()).isEqualTo(1);
		assertThat(dispatcher.status().lastError().exception()).isEqualTo("java.lang.StackOverflowError");
		assertThat(dispatcher.status().lastError().key()).hasToString("ns/o2");
	}

	@Test
	void handlerIsSyncedWhenTheLastInitialEventIsFinished() throws InterruptedException {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start((event) -> {
			if (event.object().name().equals("o3")) {
				this.dispatchers.passGate();
			}
		}, 1, 1000);
		for (int i = 1; i <= 3; i++) {
			dispatcher.sink().delta(Events.initial("o" + i, 1));
		}
		dispatcher.sink().initialStateComplete();
		this.dispatchers.awaitBlocked();
		assertThat(dispatcher.hasSynced()).isFalse();
		assertThat(dispatcher.status().sync().pendingInitial()).isEqualTo(1);
		assertThat(dispatcher.awaitSync(Duration.ofMillis(10))).isFalse();
		this.dispatchers.release();
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
		assertThat(dispatcher.status().sync().syncedAt()).isNotNull();
	}

	@Test
	void handlerOfAnEmptyStateIsSyncedAtOnce() throws InterruptedException {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::record, 1, 1000);
		assertThat(dispatcher.hasSynced()).isFalse();
		dispatcher.sink().initialStateComplete();
		assertThat(dispatcher.awaitSync(Duration.ZERO)).isTrue();
	}

	@Test
	void failingInitialEventCountsAsFinished() throws InterruptedException {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start((event) -> {
			throw new IllegalStateException();
		}, 1, 1000);
		dispatcher.sink().delta(Events.initial("o1", 1));
		dispatcher.sink().initialStateComplete();
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
	}

	@Test
	void waitingForItselfFailsAtOnce() {
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createReentrant((self, event) -> {
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
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startBlocked(10, Events.added("first", 1));
		for (int i = 0; i < 5; i++) {
			dispatcher.sink().delta(Events.added("o" + i, 0));
		}
		for (int version = 0; version < 10_000; version++) {
			dispatcher.sink().delta(Events.updated("o" + version % 5, version / 5, version / 5 + 1));
			dispatcher.sink().delta(Events.added("short-lived", version));
			dispatcher.sink().delta(Events.deleted("short-lived", version));
		}
		assertThat(dispatcher.status().queue().size()).isLessThanOrEqualTo(10 + 6);
		assertThat(dispatcher.status().queue().merged()).isGreaterThan(20_000);
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(dispatcher.status().queue().size()).isZero());
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).contains("+first:1")
			.filteredOn((each) -> each.endsWith(":2000") || each.endsWith(">2000"))
			.hasSize(5));
	}

	@Test
	void annihilatedInitialEventCompletesItsTicket() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startBlocked(1, Events.added("blocking", 1));
		dispatcher.sink().delta(Events.initial("a", 1));
		dispatcher.sink().delta(Events.deleted("a", 2));
		assertThat(dispatcher.status().sync().pendingInitial()).isZero();
		assertThat(dispatcher.status().queue().size()).isZero();
	}

	@Test
	void recreatedObjectIsNotMergedWithItsPredecessor() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startBlocked(1, Events.added("a", 1));
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		dispatcher.sink().delta(Events.deleted("a", 2));
		for (int life = 3; life < 50; life++) {
			dispatcher.sink().delta(Events.added("a", "uid" + life, life));
			assertThat(dispatcher.status().queue().size()).isEqualTo(2);
			if (life < 49) {
				dispatcher.sink().delta(Events.deleted("a", "uid" + life, life));
				assertThat(dispatcher.status().queue().size()).isEqualTo(1);
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
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start((event) -> {
			String name = event.object().name();
			if (running.merge(name, 1, Integer::sum) != 1) {
				wrong.add("overlap of " + name);
			}
			int version = Integer.parseInt(event.object().version());
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
		await().untilAsserted(() -> assertThat(dispatcher.status().queue().size()).isZero());
		await().untilAsserted(() -> assertThat(last).isEqualTo(versions));
		await().until(() -> handled.get() + dispatcher.status().queue().merged() == 20_000);
		assertThat(wrong).isEmpty();
	}

	@Test
	void resyncWaitsOnlyWhereNothingElseDoesAndGivesWayToAnEvent() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startBlocked(1000, Events.added("first", 1));
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
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::record, 1, 1000);
		dispatcher.pause(true);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.pause(false);
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1"));
		dispatcher.pause(true);
		dispatcher.sink().delta(Events.added("b", 1));
		dispatcher.drain(Duration.ofSeconds(30));
		TestDispatchers.end(dispatcher);
		assertThat(this.dispatchers.handled()).containsExactly("+a:1");
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
	}

	@Test
	void interruptThatAHandlerLeftBehindDoesNotMeetTheNextEvent() {
		List<Boolean> interrupted = new CopyOnWriteArrayList<>();
		HandlerDispatcher<Note> dispatcher = this.dispatchers.create((event) -> {
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
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start(this.dispatchers::block, 1, 1000);
		assertThat(dispatcher.status().handling()).isNull();
		dispatcher.sink().delta(Events.added("a", 1));
		this.dispatchers.awaitBlocked();
		assertThat(dispatcher.status().handling().key()).hasToString("ns/a");
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(dispatcher.status().handling()).isNull());
	}

	@Test
	void listenerIsNotifiedOfTheEventsOfAnObjectInTheirOrder() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.create(this.dispatchers::record, 2,
				new ActiveListener((event) -> {
					if (event.type() == ResourceEvent.Type.DELETE) {
						this.dispatchers.passGate();
					}
				}));
		this.dispatchers.start(dispatcher);
		dispatcher.sink().delta(Events.deleted("a", 1));
		this.dispatchers.awaitBlocked();
		dispatcher.sink().delta(Events.added("a", 2));
		dispatcher.sink().delta(Events.added("b", 1));
		await().until(() -> this.dispatchers.handled().contains("+b:1"));
		assertThat(this.dispatchers.handled()).containsExactly("-a:1", "+b:1");
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("-a:1", "+b:1", "+a:2"));
	}

	@Test
	void listenerIsNotifiedHowLongEventsWaitedAndTook() {
		List<Duration> times = new CopyOnWriteArrayList<>();
		HandlerDispatcher<Note> dispatcher = this.dispatchers.create(
				(event) -> this.dispatchers.timer().advance(Duration.ofMillis(150)), 1,
				new ActiveListener((event) -> times.addAll(List.of(event.waited(), event.duration()))));
		dispatcher.sink().delta(Events.added("a", 1));
		this.dispatchers.timer().advance(Duration.ofMillis(20));
		dispatcher.sink().delta(Events.added("b", 1));
		this.dispatchers.start(dispatcher);
		await().untilAsserted(() -> assertThat(times).containsExactly(Duration.ofMillis(20), Duration.ofMillis(150),
				Duration.ofMillis(150), Duration.ofMillis(150)));
	}

	private static final class ActiveListener extends InactiveListener {

		private final Handled handled;

		ActiveListener(Handled handled) {
			this.handled = handled;
		}

		@Override
		public boolean isActive() {
			return true;
		}

		@Override
		public void handled(HandledEvent event) {
			try {
				this.handled.accept(event);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	/** Action of a test after an event was processed. */
	@FunctionalInterface
	private interface Handled {

		void accept(HandledEvent event) throws InterruptedException;

	}

}
