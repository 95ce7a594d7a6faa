package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of events that a handler failed on. Attempts are written down as
 * {@code +a:1}, {@code a:1>2} and {@code -a:2}, with {@code #2} and so on behind those
 * that are not the first.
 */
class HandlerRetryTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final List<HandlerDispatcher<String>> started = new ArrayList<>();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final List<String> exhausted = new CopyOnWriteArrayList<>();

	/** How often the handler still fails, by name of the object. */
	private final Map<String, Integer> failing = new ConcurrentHashMap<>();

	private final ManualTimer timer = new ManualTimer();

	private final CountDownLatch entered = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.gate.countDown();
		this.started.forEach((dispatcher) -> dispatcher.close(Duration.ZERO));
		await().untilAsserted(() -> assertThat(this.threads).noneMatch(Thread::isAlive));
		assertThat(this.timer.scheduled()).isZero();
	}

	@Test
	void failedEventIsTriedAgainAfterItsDelays() {
		this.failing.put("a", 2);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(failures));
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
		this.timer.advance(Duration.ofMillis(999));
		assertThat(this.timer.scheduled()).isEqualTo(1);
		assertThat(this.told).containsExactly("+a:1");
		this.timer.advance(Duration.ofMillis(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+a:1#2"));
		awaitWaiting(dispatcher, 1);
		this.timer.advance(Duration.ofMillis(1999));
		assertThat(this.timer.scheduled()).isEqualTo(1);
		this.timer.advance(Duration.ofMillis(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+a:1#2", "+a:1#3"));
		await().untilAsserted(() -> assertThat(dispatcher.processed()).isEqualTo(1));
		assertThat(dispatcher.failed()).isEqualTo(2);
		assertThat(dispatcher.retries()).isEqualTo(2);
		assertThat(dispatcher.exhausted()).isZero();
		assertThat(dispatcher.figures().retrying()).isZero();
		assertThat(dispatcher.figures().waiting()).isZero();
		assertThat(this.timer.scheduled()).isZero();
	}

	@Test
	void waitingEventHoldsNoWorkerAndNoOtherObject() {
		this.failing.put("a", 1);
		this.failing.put("b", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> LONG);
		dispatcher.sink().delta(added("a", 1));
		dispatcher.sink().delta(added("b", 1));
		dispatcher.sink().delta(added("c", 1));
		dispatcher.sink().delta(updated("c", 1, 2));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+b:1", "+c:1", "c:1>2"));
		assertThat(dispatcher.figures().retrying()).isEqualTo(2);
		assertThat(this.threads).hasSize(1);
		assertThat(this.timer.scheduled()).isEqualTo(1);
		this.timer.advance(LONG);
		await().untilAsserted(() -> assertThat(this.told).endsWith("+a:1#2", "+b:1#2"));
	}

	@Test
	void laterEventsAreMergedIntoTheOneThatWaits() {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(updated("a", 1, 2));
		dispatcher.sink().delta(updated("a", 2, 3));
		dispatcher.sink().delta(added("b", 1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+b:1"));
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
		assertThat(dispatcher.figures().merged()).isEqualTo(2);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+b:1", "+a:3"));
		assertThat(dispatcher.retries()).isZero();
	}

	@Test
	void deletionOfAnObjectWhoseAdditionFailedIsTold() {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(deleted("a", 2));
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "-a:2"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "u", "other" })
	void failedDeletionIsToldBeforeTheObjectReturns(String uid) {
		this.failing.put("a", 2);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(deleted("a", 2));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(addedAs("a", uid, 3));
		dispatcher.sink()
			.delta(new Delta<>(Delta.Kind.UPDATED, object("a", uid, 3), object("a", uid, 4), false, false));
		assertThat(dispatcher.figures().waiting()).isEqualTo(2);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(dispatcher.failed()).isEqualTo(2));
		awaitWaiting(dispatcher, 1);
		assertThat(dispatcher.figures().waiting()).isEqualTo(2);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("-a:2", "-a:2#2", "-a:2#3", "+a:4"));
	}

	@Test
	void recreatedObjectThatNobodySawLeavesNoTraceBehindAFailedDeletion() {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(deleted("a", 2));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(addedAs("a", "other", 3));
		dispatcher.sink().delta(new Delta<>(Delta.Kind.DELETED, object("a", "other", 4), null, false, false));
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("-a:2", "-a:2#2"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void eventsThatCameWhileTheFailingOneWasHandledWaitBehindIt(int concurrency) throws InterruptedException {
		HandlerDispatcher<String> dispatcher = create((failures, cause) -> Duration.ofSeconds(1), concurrency, 1000);
		dispatcher.start(this.timer);
		dispatcher.sink().delta(added("gated a", 1));
		assertThat(this.entered.await(30, TimeUnit.SECONDS)).isTrue();
		this.failing.put("gated a", 1);
		dispatcher.sink().delta(updated("gated a", 1, 2));
		dispatcher.sink().delta(updated("gated a", 2, 3));
		dispatcher.sink().delta(deleted("gated a", 4));
		dispatcher.sink().delta(addedAs("gated a", "other", 5));
		dispatcher.sink().delta(added("b", 1));
		this.gate.countDown();
		await().untilAsserted(() -> assertThat(this.told).containsExactlyInAnyOrder("+gated a:1", "+b:1"));
		awaitWaiting(dispatcher, 1);
		assertThat(dispatcher.figures().waiting()).isEqualTo(2);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).endsWith("-gated a:4", "+gated a:5").hasSize(4));
	}

	@Test
	void changedObjectWaitsNoLongerThanAfterAFirstFailure() {
		this.failing.put("a", 3);
		HandlerDispatcher<String> dispatcher = start(
				(failures, cause) -> (failures == 1) ? Duration.ofSeconds(1) : LONG);
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+a:1#2"));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(updated("a", 1, 2));
		this.timer.advance(Duration.ofMillis(999));
		dispatcher.sink().delta(updated("a", 2, 3));
		assertThat(this.told).hasSize(2);
		this.timer.advance(Duration.ofMillis(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+a:1#2", "+a:3"));
	}

	@Test
	void handlerIsSyncedWhenTheRetryOfAnInitialEventSucceeds() throws InterruptedException {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(initial("a", 1));
		dispatcher.sink().delta(initial("b", 1));
		dispatcher.sink().initialStateComplete();
		awaitWaiting(dispatcher, 1);
		await().untilAsserted(() -> assertThat(dispatcher.pendingInitial()).isEqualTo(1));
		assertThat(dispatcher.syncedAt()).isNull();
		this.timer.advance(Duration.ofSeconds(1));
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
	}

	@Test
	void handlerIsSyncedWhenTheRetriesOfAnInitialEventAreExhausted() throws InterruptedException {
		this.failing.put("a", 9);
		HandlerDispatcher<String> dispatcher = start(upTo(2));
		dispatcher.sink().delta(initial("a", 1));
		dispatcher.sink().initialStateComplete();
		for (int attempt = 1; attempt <= 2; attempt++) {
			awaitWaiting(dispatcher, 1);
			assertThat(dispatcher.syncedAt()).isNull();
			this.timer.advance(Duration.ofSeconds(1));
		}
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
		assertThat(this.exhausted).containsExactly("+a:1#3");
		assertThat(dispatcher.exhausted()).isEqualTo(1);
	}

	@Test
	void objectThatChangesSoonerThanItsRetriesEndDoesNotHoldUpTheSync() throws InterruptedException {
		this.failing.put("a", 99);
		HandlerDispatcher<String> dispatcher = start(upTo(2));
		dispatcher.sink().delta(initial("a", 1));
		dispatcher.sink().initialStateComplete();
		for (int version = 1; version <= 2; version++) {
			awaitWaiting(dispatcher, 1);
			assertThat(dispatcher.syncedAt()).isNull();
			dispatcher.sink().delta(updated("a", version, version + 1));
			this.timer.advance(Duration.ofSeconds(1));
		}
		assertThat(dispatcher.awaitSync(Duration.ofSeconds(30))).isTrue();
		awaitWaiting(dispatcher, 1);
		assertThat(this.told).containsExactly("+a:1", "+a:2", "+a:3");
		assertThat(this.exhausted).isEmpty();
	}

	@Test
	void exhaustedEventIsToldOnceAndTheNextEventOrResyncTriesAgain() {
		this.failing.put("a", 3);
		HandlerDispatcher<String> dispatcher = start(upTo(1));
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.exhausted).containsExactly("+a:1#2"));
		await().untilAsserted(() -> assertThat(dispatcher.figures().retrying()).isZero());
		dispatcher.sink().resync(object("a", "u", 1));
		awaitWaiting(dispatcher, 1);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(dispatcher.processed()).isEqualTo(1));
		dispatcher.sink().delta(updated("a", 1, 2));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+a:1#2", "a:1>1 resync",
				"a:1>1 resync#2", "a:1>2"));
		assertThat(this.exhausted).hasSize(1);
		assertThat(dispatcher.exhausted()).isEqualTo(1);
	}

	@Test
	void withoutRetryEveryFailedEventIsExhausted() {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> null);
		dispatcher.sink().delta(added("a", 1));
		await().untilAsserted(() -> assertThat(this.exhausted).containsExactly("+a:1"));
	}

	@Test
	void resyncPassesOverObjectsInRetry() {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(updated("a", 1, 2));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().resync(object("a", "u", 2));
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("a:1>2", "a:1>2#2"));
		await().untilAsserted(() -> assertThat(dispatcher.processed()).isEqualTo(1));
		assertThat(dispatcher.figures().waiting()).isZero();
	}

	@Test
	void resyncThatWaitsBehindAFailingEventIsDropped() throws InterruptedException {
		this.failing.put("gated a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(updated("gated a", 1, 2));
		assertThat(this.entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.sink().resync(object("gated a", "u", 2));
		this.gate.countDown();
		awaitWaiting(dispatcher, 1);
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("gated a:1>2", "gated a:1>2#2"));
	}

	@Test
	void laterEventTakesThePlaceOfAFailedResync() {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().resync(object("a", "u", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(updated("a", 1, 2));
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("a:1>1 resync", "a:1>2"));
	}

	@Test
	void retryDoesNotComeWhilePausedAndComesAfterwards() {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.pause(true);
		this.timer.advance(LONG);
		assertThat(this.timer.scheduled()).isZero();
		dispatcher.sink().delta(updated("a", 1, 2));
		assertThat(dispatcher.figures().waiting()).isEqualTo(1);
		assertThat(dispatcher.figures().retrying()).isEqualTo(1);
		assertThat(this.told).containsExactly("+a:1");
		dispatcher.pause(false);
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+a:2"));
	}

	@Test
	void stopDoesNotWaitForRetriesAndALaterStartGoesOnWithThem() {
		this.failing.put("a", 1);
		HandlerDispatcher<String> dispatcher = create((failures, cause) -> LONG, 2, 1000);
		dispatcher.start(this.timer);
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(added("b", 1));
		long before = System.nanoTime();
		dispatcher.drain(Duration.ofSeconds(30));
		end(dispatcher);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
		assertThat(this.threads).noneMatch(Thread::isAlive);
		assertThat(this.told).containsExactly("+a:1", "+b:1");
		assertThat(this.timer.scheduled()).isZero();
		assertThat(dispatcher.figures().retrying()).isEqualTo(1);
		assertThat(dispatcher.figures().dropped()).isZero();
		this.timer.advance(LONG.minusSeconds(1));
		dispatcher.start(this.timer);
		assertThat(this.timer.scheduled()).isEqualTo(1);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+b:1", "+a:1#2"));
	}

	@Test
	void eventThatFailsDuringTheStopStaysForTheNextStart() throws InterruptedException {
		this.failing.put("gated a", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ofSeconds(1));
		dispatcher.sink().delta(added("gated a", 1));
		assertThat(this.entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.sink().delta(updated("gated a", 1, 2));
		dispatcher.drain(Duration.ofSeconds(30));
		this.gate.countDown();
		end(dispatcher);
		assertThat(this.told).containsExactly("+gated a:1");
		assertThat(dispatcher.figures().retrying()).isEqualTo(1);
		assertThat(this.timer.scheduled()).isZero();
		dispatcher.start(this.timer);
		this.timer.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+gated a:1", "+gated a:2"));
	}

	@Test
	void closedDispatcherDropsItsRetries() throws InterruptedException {
		this.failing.put("a", 1);
		this.failing.put("gated b", 1);
		HandlerDispatcher<String> dispatcher = create((failures, cause) -> LONG, 2, 1000);
		dispatcher.start(this.timer);
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(added("gated b", 1));
		assertThat(this.entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.sink().delta(updated("gated b", 1, 2));
		Thread closing = new Thread(() -> dispatcher.close(Duration.ofSeconds(30)));
		this.threads.add(closing);
		closing.start();
		await().until(() -> this.timer.scheduled() == 0);
		this.gate.countDown();
		await().until(() -> !closing.isAlive());
		assertThat(this.told).containsExactly("+a:1", "+gated b:1", "gated b:1>2");
		assertThat(this.exhausted).isEmpty();
		assertThat(dispatcher.figures().dropped()).isEqualTo(2);
		assertThat(dispatcher.figures().waiting()).isZero();
		assertThat(dispatcher.figures().retrying()).isZero();
	}

	@Test
	void objectThatFailsOnAndOnDoesNotGoBeforeTheOthers() throws InterruptedException {
		this.failing.put("a", 9);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> Duration.ZERO);
		dispatcher.sink().delta(added("a", 1));
		awaitWaiting(dispatcher, 1);
		dispatcher.sink().delta(added("gated", 1));
		assertThat(this.entered.await(30, TimeUnit.SECONDS)).isTrue();
		dispatcher.sink().delta(added("b", 1));
		dispatcher.sink().delta(added("c", 1));
		this.timer.advance(Duration.ZERO);
		this.gate.countDown();
		await()
			.untilAsserted(() -> assertThat(this.told).containsExactly("+a:1", "+gated:1", "+b:1", "+c:1", "+a:1#2"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void handlerThatAlwaysFailsHoldsNoMoreThanItsCapacityAndTheLiveObjects(int concurrency) {
		AtomicInteger broken = new AtomicInteger(1);
		HandlerDispatcher<String> dispatcher = create((delivery) -> {
			if (broken.get() == 1) {
				throw new IllegalStateException("always");
			}
			record(delivery);
		}, (failures, cause) -> Duration.ofMillis(failures), concurrency, 10);
		dispatcher.start(this.timer);
		int largest = 0;
		for (int version = 0; version < 5_000; version++) {
			for (int i = 0; i < 5; i++) {
				String name = "o" + i;
				dispatcher.sink().delta((version == 0) ? added(name, 1) : updated(name, version, version + 1));
			}
			dispatcher.sink().delta(addedAs("reborn", "uid" + version, version));
			dispatcher.sink()
				.delta(new Delta<>(Delta.Kind.DELETED, object("reborn", "uid" + version, version), null, false, false));
			if (version % 10 == 0) {
				this.timer.advance(Duration.ofMillis(1));
			}
			largest = Math.max(largest, dispatcher.figures().waiting());
		}
		assertThat(largest).isLessThanOrEqualTo(10 + 2 * 6);
		await().until(() -> {
			this.timer.advance(Duration.ofMillis(1));
			return dispatcher.failed() > 10;
		});
		broken.set(0);
		await().untilAsserted(() -> {
			this.timer.advance(LONG);
			assertThat(dispatcher.figures().waiting()).isZero();
		});
		await().untilAsserted(() -> assertThat(this.told).filteredOn((each) -> each.contains("5000")).hasSize(5));
	}

	@Test
	void oddAnswersOfARetryHurtNobody() {
		this.failing.put("late", 1);
		this.failing.put("early", 1);
		this.failing.put("broken", 1);
		HandlerDispatcher<String> dispatcher = start((failures, cause) -> switch (cause.getMessage()) {
			case "late" -> Duration.ofSeconds(Long.MAX_VALUE);
			case "early" -> Duration.ofSeconds(-1);
			default -> throw new IllegalStateException(cause);
		});
		dispatcher.sink().delta(added("late", 1));
		dispatcher.sink().delta(added("early", 1));
		dispatcher.sink().delta(added("broken", 1));
		await().untilAsserted(() -> assertThat(this.exhausted).containsExactly("+broken:1"));
		this.timer.advance(Duration.ofDays(1000));
		await().untilAsserted(() -> assertThat(this.told).contains("+early:1#2").doesNotContain("+late:1#2"));
		assertThat(dispatcher.figures().retrying()).isEqualTo(1);
	}

	private void handle(Delivery<String> delivery) throws InterruptedException {
		String name = ((delivery.after() != null) ? delivery.after() : delivery.before()).name();
		this.told.add(tell(delivery));
		if (name.startsWith("gated")) {
			this.entered.countDown();
			this.gate.await();
		}
		if (this.failing.computeIfPresent(name, (key, times) -> times - 1) != null) {
			this.failing.remove(name, -1);
			if (this.failing.containsKey(name)) {
				throw new IllegalStateException(name);
			}
		}
	}

	private void record(Delivery<String> delivery) {
		this.told.add(tell(delivery));
	}

	private static String tell(Delivery<String> delivery) {
		String event = switch (delivery.kind()) {
			case ADDED -> "+" + delivery.after().object();
			case UPDATED -> delivery.before().object() + ">" + delivery.after().resourceVersion()
					+ (delivery.resync() ? " resync" : "");
			case DELETED -> "-" + delivery.before().object();
		};
		return event + ((delivery.attempt() > 1) ? "#" + delivery.attempt() : "");
	}

	private void awaitWaiting(HandlerDispatcher<String> dispatcher, int count) {
		await().untilAsserted(() -> {
			assertThat(dispatcher.figures().retrying()).isEqualTo(count);
			assertThat(this.timer.scheduled()).isEqualTo(1);
		});
	}

	private static void end(HandlerDispatcher<String> dispatcher) {
		dispatcher.awaitDrained();
		dispatcher.awaitEnd(System.nanoTime() + HandlerDispatcher.GRACE.toNanos());
	}

	private static DeliveryRetry upTo(int retries) {
		return (failures, cause) -> (failures <= retries) ? Duration.ofSeconds(1) : null;
	}

	private HandlerDispatcher<String> start(DeliveryRetry retry) {
		HandlerDispatcher<String> dispatcher = create(retry, 1, 1000);
		dispatcher.start(this.timer);
		return dispatcher;
	}

	private HandlerDispatcher<String> create(DeliveryRetry retry, int concurrency, int capacity) {
		return create(this::handle, retry, concurrency, capacity);
	}

	private HandlerDispatcher<String> create(DeliveryHandler<String> handler, DeliveryRetry retry, int concurrency,
			int capacity) {
		HandlerDispatcher<String> dispatcher = new HandlerDispatcher<>(handler, (delivery, cause, delay) -> {
			if (delay == null) {
				this.exhausted.add(tell(delivery));
			}
		}, new Unheard(), new HandlerDispatcher.Options(concurrency, capacity, retry, (work) -> {
			Thread thread = new Thread(work);
			this.threads.add(thread);
			return thread;
		}, this.timer::nanoTime));
		this.started.add(dispatcher);
		return dispatcher;
	}

	private static Delta<String> initial(String name, int version) {
		return new Delta<>(Delta.Kind.ADDED, null, object(name, "u", version), true, false);
	}

	private static Delta<String> added(String name, int version) {
		return addedAs(name, "u", version);
	}

	private static Delta<String> addedAs(String name, String uid, int version) {
		return new Delta<>(Delta.Kind.ADDED, null, object(name, uid, version), false, false);
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

}
