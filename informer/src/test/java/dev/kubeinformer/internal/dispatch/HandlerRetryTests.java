package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Retries of events that a handler failed on. Attempts are recorded as
 * {@link Events#describe} does.
 */
class HandlerRetryTests {

	private static final Duration LONG = Duration.ofHours(1);

	@RegisterExtension
	final TestDispatchers dispatchers = new TestDispatchers();

	/** Number of further failures of the handler, by the name of the object. */
	private final Map<String, Integer> failing = new ConcurrentHashMap<>();

	@Test
	void failedEventIsTriedAgainAfterItsDelays() {
		this.failing.put("a", 2);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(failures));
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
		this.dispatchers.timer().advance(Duration.ofMillis(999));
		assertThat(this.dispatchers.timer().scheduled()).isEqualTo(1);
		assertThat(this.dispatchers.handled()).containsExactly("+a:1");
		this.dispatchers.timer().advance(Duration.ofMillis(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+a:1#2"));
		awaitWaiting(dispatcher, 1);
		this.dispatchers.timer().advance(Duration.ofMillis(1999));
		assertThat(this.dispatchers.timer().scheduled()).isEqualTo(1);
		this.dispatchers.timer().advance(Duration.ofMillis(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+a:1#2", "+a:1#3"));
		await().untilAsserted(() -> assertThat(dispatcher.status().deliveries().processed()).isEqualTo(1));
		assertThat(dispatcher.status().deliveries().failed()).isEqualTo(2);
		assertThat(dispatcher.status().deliveries().retries()).isEqualTo(2);
		assertThat(dispatcher.status().deliveries().exhausted()).isZero();
		assertThat(dispatcher.status().queue().waitingForRetry()).isZero();
		assertThat(dispatcher.status().queue().size()).isZero();
		assertThat(this.dispatchers.timer().scheduled()).isZero();
	}

	@Test
	void waitingEventHoldsNoWorkerAndNoOtherObject() {
		this.failing.put("a", 1);
		this.failing.put("b", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> LONG);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.sink().delta(Events.added("b", 1));
		dispatcher.sink().delta(Events.added("c", 1));
		dispatcher.sink().delta(Events.updated("c", 1, 2));
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+b:1", "+c:1", "c:1>2"));
		assertThat(dispatcher.status().queue().waitingForRetry()).isEqualTo(2);
		assertThat(this.dispatchers.threads()).hasSize(1);
		assertThat(this.dispatchers.timer().scheduled()).isEqualTo(1);
		this.dispatchers.timer().advance(LONG);
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).endsWith("+a:1#2", "+b:1#2"));
	}

	@Test
	void laterEventsAreMergedIntoTheOneThatWaits() {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		dispatcher.sink().delta(Events.updated("a", 2, 3));
		dispatcher.sink().delta(Events.added("b", 1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+b:1"));
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
		assertThat(dispatcher.status().queue().merged()).isEqualTo(2);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+b:1", "+a:3"));
		assertThat(dispatcher.status().deliveries().retries()).isZero();
	}

	@Test
	void deletionOfAnObjectWhoseAdditionFailedIsDelivered() {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.deleted("a", 2));
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "-a:2"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "u", "other" })
	void failedDeletionIsDeliveredBeforeTheObjectReturns(String uid) {
		this.failing.put("a", 2);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.deleted("a", 2));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.added("a", uid, 3));
		dispatcher.sink().delta(Events.updated("a", uid, 3, 4));
		assertThat(dispatcher.status().queue().size()).isEqualTo(2);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(dispatcher.status().deliveries().failed()).isEqualTo(2));
		awaitWaiting(dispatcher, 1);
		assertThat(dispatcher.status().queue().size()).isEqualTo(2);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).containsExactly("-a:2", "-a:2#2", "-a:2#3", "+a:4"));
	}

	@Test
	void recreatedObjectThatNobodySawLeavesNoTraceBehindAFailedDeletion() {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.deleted("a", 2));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.added("a", "other", 3));
		dispatcher.sink().delta(Events.deleted("a", "other", 4));
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("-a:2", "-a:2#2"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void eventsThatCameWhileTheFailingOneWasHandledWaitBehindIt(int concurrency) {
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1), concurrency);
		dispatcher.sink().delta(Events.added("gated a", 1));
		this.dispatchers.awaitBlocked();
		this.failing.put("gated a", 1);
		dispatcher.sink().delta(Events.updated("gated a", 1, 2));
		dispatcher.sink().delta(Events.updated("gated a", 2, 3));
		dispatcher.sink().delta(Events.deleted("gated a", 4));
		dispatcher.sink().delta(Events.added("gated a", "other", 5));
		dispatcher.sink().delta(Events.added("b", 1));
		this.dispatchers.release();
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).containsExactlyInAnyOrder("+gated a:1", "+b:1"));
		awaitWaiting(dispatcher, 1);
		assertThat(dispatcher.status().queue().size()).isEqualTo(2);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).endsWith("-gated a:4", "+gated a:5").hasSize(4));
	}

	@Test
	void changedObjectWaitsNoLongerThanAfterAFirstFailure() {
		this.failing.put("a", 3);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> (failures == 1) ? Duration.ofSeconds(1) : LONG);
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+a:1#2"));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		this.dispatchers.timer().advance(Duration.ofMillis(999));
		dispatcher.sink().delta(Events.updated("a", 2, 3));
		assertThat(this.dispatchers.handled()).hasSize(2);
		this.dispatchers.timer().advance(Duration.ofMillis(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+a:1#2", "+a:3"));
	}

	@Test
	void handlerIsSyncedWhenTheRetryOfAnInitialEventSucceeds() throws InterruptedException {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.initial("a", 1));
		dispatcher.sink().delta(Events.initial("b", 1));
		dispatcher.sink().initialStateComplete();
		awaitWaiting(dispatcher, 1);
		await().untilAsserted(() -> assertThat(dispatcher.status().sync().pendingInitial()).isEqualTo(1));
		assertThat(dispatcher.hasSynced()).isFalse();
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
	}

	@Test
	void handlerIsSyncedWhenTheRetriesOfAnInitialEventAreExhausted() throws InterruptedException {
		this.failing.put("a", 9);
		HandlerDispatcher<Note> dispatcher = start(upTo(2));
		dispatcher.sink().delta(Events.initial("a", 1));
		dispatcher.sink().initialStateComplete();
		for (int attempt = 1; attempt <= 2; attempt++) {
			awaitWaiting(dispatcher, 1);
			assertThat(dispatcher.hasSynced()).isFalse();
			this.dispatchers.timer().advance(Duration.ofSeconds(1));
		}
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
		assertThat(this.dispatchers.exhausted()).containsExactly("+a:1#3");
		assertThat(dispatcher.status().deliveries().exhausted()).isEqualTo(1);
	}

	@Test
	void objectThatChangesSoonerThanItsRetriesEndDoesNotHoldUpTheSync() throws InterruptedException {
		this.failing.put("a", 99);
		HandlerDispatcher<Note> dispatcher = start(upTo(2));
		dispatcher.sink().delta(Events.initial("a", 1));
		dispatcher.sink().initialStateComplete();
		for (int version = 1; version <= 2; version++) {
			awaitWaiting(dispatcher, 1);
			assertThat(dispatcher.hasSynced()).isFalse();
			dispatcher.sink().delta(Events.updated("a", version, version + 1));
			this.dispatchers.timer().advance(Duration.ofSeconds(1));
		}
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
		awaitWaiting(dispatcher, 1);
		assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+a:2", "+a:3");
		assertThat(this.dispatchers.exhausted()).isEmpty();
	}

	@Test
	void exhaustedEventIsReportedOnceAndTheNextEventOrResyncTriesAgain() {
		this.failing.put("a", 3);
		HandlerDispatcher<Note> dispatcher = start(upTo(1));
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.exhausted()).containsExactly("+a:1#2"));
		await().untilAsserted(() -> assertThat(dispatcher.status().queue().waitingForRetry()).isZero());
		dispatcher.sink().resync(Events.object("a", 1));
		awaitWaiting(dispatcher, 1);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(dispatcher.status().deliveries().processed()).isEqualTo(1));
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+a:1#2",
				"a:1>1 resync", "a:1>1 resync#2", "a:1>2"));
		assertThat(this.dispatchers.exhausted()).hasSize(1);
		assertThat(dispatcher.status().deliveries().exhausted()).isEqualTo(1);
	}

	@Test
	void withoutRetryEveryFailedEventIsExhausted() {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> null);
		dispatcher.sink().delta(Events.added("a", 1));
		await().untilAsserted(() -> assertThat(this.dispatchers.exhausted()).containsExactly("+a:1"));
	}

	@Test
	void resyncPassesOverObjectsInRetry() {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().resync(Events.object("a", 2));
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("a:1>2", "a:1>2#2"));
		await().untilAsserted(() -> assertThat(dispatcher.status().deliveries().processed()).isEqualTo(1));
		assertThat(dispatcher.status().queue().size()).isZero();
	}

	@Test
	void resyncThatWaitsBehindAFailingEventIsDropped() {
		this.failing.put("gated a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.updated("gated a", 1, 2));
		this.dispatchers.awaitBlocked();
		dispatcher.sink().resync(Events.object("gated a", "u", 2));
		this.dispatchers.release();
		awaitWaiting(dispatcher, 1);
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).containsExactly("gated a:1>2", "gated a:1>2#2"));
	}

	@Test
	void laterEventTakesThePlaceOfAFailedResync() {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().resync(Events.object("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("a:1>1 resync", "a:1>2"));
	}

	@Test
	void retryDoesNotComeWhilePausedAndComesAfterwards() {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.pause(true);
		this.dispatchers.timer().advance(LONG);
		assertThat(this.dispatchers.timer().scheduled()).isZero();
		dispatcher.sink().delta(Events.updated("a", 1, 2));
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
		assertThat(dispatcher.status().queue().waitingForRetry()).isEqualTo(1);
		assertThat(this.dispatchers.handled()).containsExactly("+a:1");
		dispatcher.pause(false);
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+a:2"));
	}

	@Test
	void stopDoesNotWaitForRetriesAndALaterStartGoesOnWithThem() {
		this.failing.put("a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> LONG, 2);
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.added("b", 1));
		long before = System.nanoTime();
		dispatcher.drain(Duration.ofMinutes(2));
		TestDispatchers.end(dispatcher);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMinutes(1));
		assertThat(this.dispatchers.threads()).noneMatch(Thread::isAlive);
		assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+b:1");
		assertThat(this.dispatchers.timer().scheduled()).isZero();
		assertThat(dispatcher.status().queue().waitingForRetry()).isEqualTo(1);
		assertThat(dispatcher.status().queue().dropped()).isZero();
		this.dispatchers.timer().advance(LONG.minusSeconds(1));
		this.dispatchers.start(dispatcher);
		assertThat(this.dispatchers.timer().scheduled()).isEqualTo(1);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+b:1", "+a:1#2"));
	}

	@Test
	void eventThatFailsDuringTheStopStaysForTheNextStart() {
		this.failing.put("gated a", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(Events.added("gated a", 1));
		this.dispatchers.awaitBlocked();
		dispatcher.sink().delta(Events.updated("gated a", 1, 2));
		dispatcher.drain(Duration.ofSeconds(30));
		this.dispatchers.release();
		TestDispatchers.end(dispatcher);
		assertThat(this.dispatchers.handled()).containsExactly("+gated a:1");
		assertThat(dispatcher.status().queue().waitingForRetry()).isEqualTo(1);
		assertThat(this.dispatchers.timer().scheduled()).isZero();
		this.dispatchers.start(dispatcher);
		this.dispatchers.timer().advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+gated a:1", "+gated a:2"));
	}

	@Test
	void closedDispatcherDropsItsRetries() {
		this.failing.put("a", 1);
		this.failing.put("gated b", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> LONG, 2);
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.added("gated b", 1));
		this.dispatchers.awaitBlocked();
		dispatcher.sink().delta(Events.updated("gated b", 1, 2));
		Thread closing = this.dispatchers.newThread(() -> dispatcher.close(Duration.ofSeconds(30)));
		closing.start();
		await().until(() -> this.dispatchers.timer().scheduled() == 0);
		this.dispatchers.release();
		await().until(() -> !closing.isAlive());
		assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+gated b:1", "gated b:1>2");
		assertThat(this.dispatchers.exhausted()).isEmpty();
		assertThat(dispatcher.status().queue().dropped()).isEqualTo(2);
		assertThat(dispatcher.status().queue().size()).isZero();
		assertThat(dispatcher.status().queue().waitingForRetry()).isZero();
	}

	@Test
	void objectThatFailsOnAndOnDoesNotGoBeforeTheOthers() {
		this.failing.put("a", 9);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> Duration.ZERO);
		dispatcher.sink().delta(Events.added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(Events.added("gated", 1));
		this.dispatchers.awaitBlocked();
		dispatcher.sink().delta(Events.added("b", 1));
		dispatcher.sink().delta(Events.added("c", 1));
		this.dispatchers.timer().advance(Duration.ZERO);
		this.dispatchers.release();
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+gated:1", "+b:1",
				"+c:1", "+a:1#2"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void handlerThatAlwaysFailsHoldsNoMoreThanItsCapacityAndTheLiveObjects(int concurrency) {
		AtomicInteger broken = new AtomicInteger(1);
		HandlerDispatcher<Note> dispatcher = this.dispatchers.start((event) -> {
			if (broken.get() == 1) {
				throw new IllegalStateException("always");
			}
			this.dispatchers.record(event);
		}, (failures, cause) -> Duration.ofMillis(failures), concurrency, 10);
		int largest = 0;
		for (int version = 0; version < 5_000; version++) {
			for (int i = 0; i < 5; i++) {
				String name = "o" + i;
				dispatcher.sink()
					.delta((version == 0) ? Events.added(name, 1) : Events.updated(name, version, version + 1));
			}
			dispatcher.sink().delta(Events.added("reborn", "uid" + version, version));
			dispatcher.sink().delta(Events.deleted("reborn", "uid" + version, version));
			if (version % 10 == 0) {
				this.dispatchers.timer().advance(Duration.ofMillis(1));
			}
			largest = Math.max(largest, dispatcher.status().queue().size());
		}
		assertThat(largest).isLessThanOrEqualTo(10 + 2 * 6);
		await().until(() -> {
			this.dispatchers.timer().advance(Duration.ofMillis(1));
			return dispatcher.status().deliveries().failed() > 10;
		});
		broken.set(0);
		await().untilAsserted(() -> {
			this.dispatchers.timer().advance(LONG);
			assertThat(dispatcher.status().queue().size()).isZero();
		});
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).filteredOn((each) -> each.contains("5000")).hasSize(5));
	}

	@Test
	void oddAnswersOfARetryHurtNobody() {
		this.failing.put("late", 1);
		this.failing.put("early", 1);
		this.failing.put("broken", 1);
		HandlerDispatcher<Note> dispatcher = start((failures, cause) -> switch (cause.getMessage()) {
			case "late" -> Duration.ofSeconds(Long.MAX_VALUE);
			case "early" -> Duration.ofSeconds(-1);
			default -> throw new IllegalStateException(cause);
		});
		dispatcher.sink().delta(Events.added("late", 1));
		dispatcher.sink().delta(Events.added("early", 1));
		dispatcher.sink().delta(Events.added("broken", 1));
		await().untilAsserted(() -> assertThat(this.dispatchers.exhausted()).containsExactly("+broken:1"));
		this.dispatchers.timer().advance(Duration.ofDays(1000));
		await().untilAsserted(
				() -> assertThat(this.dispatchers.handled()).contains("+early:1#2").doesNotContain("+late:1#2"));
		assertThat(dispatcher.status().queue().waitingForRetry()).isEqualTo(1);
	}

	private void handle(ResourceEvent<Note> event) throws InterruptedException {
		String name = event.object().name();
		this.dispatchers.record(event);
		if (name.startsWith("gated")) {
			this.dispatchers.passGate();
		}
		if (this.failing.computeIfPresent(name, (key, times) -> times - 1) != null) {
			this.failing.remove(name, -1);
			if (this.failing.containsKey(name)) {
				throw new IllegalStateException(name);
			}
		}
	}

	private void awaitWaiting(HandlerDispatcher<Note> dispatcher, int count) {
		await().untilAsserted(() -> {
			assertThat(dispatcher.status().queue().waitingForRetry()).isEqualTo(count);
			assertThat(this.dispatchers.timer().scheduled()).isEqualTo(1);
		});
	}

	private static RetryBackoff upTo(int retries) {
		return (failures, cause) -> (failures <= retries) ? Duration.ofSeconds(1) : null;
	}

	private HandlerDispatcher<Note> start(RetryBackoff retry) {
		return start(retry, 1);
	}

	private HandlerDispatcher<Note> start(RetryBackoff retry, int concurrency) {
		return this.dispatchers.start(this::handle, retry, concurrency, 1000);
	}

}
