package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiConsumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules of the queue, each by its times in milliseconds.
 */
class KeyQueueTests {

	private static final RunFailure FAILURE = new RunFailure("E", false, null);

	private static final ObjectKey A = new ObjectKey("default", "a");

	private static final ObjectKey B = new ObjectKey("default", "b");

	private KeyQueue queue = queue(0);

	private long now;

	private static KeyQueue queue(long minInterval) {
		return new KeyQueue(new KeyDelays(Duration.ofMillis(minInterval), Duration.ofSeconds(10),
				new Retry(Duration.ofMillis(200), 2, Duration.ofSeconds(5), 0), new Random(1)));
	}

	private void at(long millis) {
		this.now = KeyDelays.ofMillis(millis);
	}

	private void change(ObjectKey key) {
		this.queue.changed(key, QueueLane.LIVE, this.now);
	}

	private TakenKey take() {
		return Objects.requireNonNull(this.queue.take(this.now), "No key is ready");
	}

	private TakenKey takeAt(long millis) {
		at(millis - 1);
		assertThat(this.queue.take(this.now)).as("nothing is ready before %s ms", millis).isNull();
		at(millis);
		return take();
	}

	private void fail(TakenKey run) {
		this.queue.failed(run, FAILURE, 0, this.now);
	}

	private void assertNothingReady() {
		assertThat(this.queue.take(this.now)).isNull();
	}

	private void assertEmpty() {
		assertNothingReady();
		assertThat(this.queue.keys().size()).isZero();
		assertThat(this.queue.keys().delayed()).isZero();
		assertThat(this.queue.keys().parked()).isZero();
		assertThat(this.queue.keys().failingKeys()).isZero();
	}

	@Test
	void changesOfOneKeyAreOneRun() {
		change(A);
		change(A);
		assertThat(take().entry().key).isEqualTo(A);
		assertNothingReady();
	}

	@Test
	void keyIsNotHandedOutWhileItRuns() {
		change(A);
		TakenKey run = take();
		change(A);
		assertNothingReady();
		this.queue.done(run, this.now);
		TakenKey next = take();
		this.queue.done(next, this.now);
		assertEmpty();
	}

	@Test
	void slowedKeyWaitsForItsIntervalUnlessItMustNot() {
		change(A);
		this.queue.done(take(), KeyDelays.ofMillis(1000), this.now);
		at(300);
		change(A);
		TakenKey second = takeAt(1000);
		change(A);
		this.queue.requeueAfter(second, KeyDelays.ofMillis(10), KeyDelays.ofMillis(2000), this.now);
		TakenKey third = takeAt(3000);
		this.queue.done(third, KeyDelays.ofMillis(4000), this.now);
		at(3100);
		change(A);
		assertNothingReady();
		this.queue.changedAtOnce(A, QueueLane.LIVE, this.now);
		TakenKey fourth = take();
		this.queue.changedAtOnce(A, QueueLane.LIVE, this.now);
		this.queue.done(fourth, KeyDelays.ofMillis(4000), this.now);
		this.queue.done(take(), KeyDelays.ofMillis(4000), this.now);
		this.queue.trigger(A, QueueLane.LIVE, this.now);
		this.queue.done(take(), KeyDelays.ofMillis(4000), this.now);
		this.queue.deleted(A, this.now);
		this.queue.done(take(), 0, this.now);
		assertEmpty();
	}

	@Test
	void lanesAreServedInTheirOrderAndFirstInFirstOut() {
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		this.queue.changed(B, QueueLane.INITIAL, this.now);
		change(new ObjectKey("default", "c"));
		change(new ObjectKey("default", "d"));
		assertThat(namesTaken(4)).containsExactly("c", "d", "a", "b");
	}

	private List<String> namesTaken(int count) {
		List<String> names = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			names.add(take().entry().key.name());
		}
		return names;
	}

	@Test
	void everyFourthHandOutGoesToTheLowerLanesInTurn() {
		for (int i = 0; i < 12; i++) {
			change(new ObjectKey("live", "l" + i));
			this.queue.changed(new ObjectKey("retry", "r" + i), QueueLane.RETRY, this.now);
			this.queue.changed(new ObjectKey("initial", "i" + i), QueueLane.INITIAL, this.now);
		}
		assertThat(namesTaken(12)).containsExactly("l0", "l1", "l2", "r0", "l3", "l4", "l5", "i0", "l6", "l7", "l8",
				"r1");
	}

	@Test
	void lowestLaneGetsItsShareAlsoBesideRetriesOnly() {
		for (int i = 0; i < 8; i++) {
			this.queue.changed(new ObjectKey("retry", "r" + i), QueueLane.RETRY, this.now);
		}
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		assertThat(namesTaken(8)).contains("a");
	}

	@Test
	void keyMovesUpNeverDown() {
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		change(B);
		at(5);
		change(A);
		this.queue.changed(B, QueueLane.INITIAL, this.now);
		TakenKey first = take();
		assertThat(first.entry().key).isEqualTo(B);
		TakenKey second = take();
		assertThat(second.lane()).isEqualTo(QueueLane.LIVE);
		assertThat(second.readySince()).isEqualTo(this.now);
		assertThat(this.queue.keys().ready(QueueLane.INITIAL)).isZero();
	}

	@ParameterizedTest
	@EnumSource(QueueLane.class)
	void changeDuringARunKeepsItsLane(QueueLane lane) {
		change(A);
		TakenKey run = take();
		this.queue.changed(A, lane, this.now);
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		this.queue.done(run, this.now);
		assertThat(take().lane()).isEqualTo(lane);
	}

	@Test
	void requeueIsDueAfterItsDelayInTheLaneOfRetries() {
		change(A);
		this.queue.requeueAfter(take(), KeyDelays.ofMillis(50), this.now);
		assertThat(this.queue.keys().delayed()).isOne();
		TakenKey run = takeAt(50);
		assertThat(run.lane()).isEqualTo(QueueLane.RETRY);
		assertThat(run.attempt()).isOne();
		this.queue.done(run, this.now);
		assertEmpty();
	}

	@Test
	void runThatAChangeLedToReplacesTheEarlierRequeue() {
		change(A);
		this.queue.requeueAfter(take(), KeyDelays.ofMillis(50), this.now);
		at(10);
		change(A);
		this.queue.done(take(), this.now);
		at(1000);
		assertEmpty();
	}

	@Test
	void failuresAreRetriedWithBackoffUpToTheLongest() {
		change(A);
		long due = 0;
		for (long wait : new long[] { 200, 400, 800, 1600, 3200, 5000, 5000 }) {
			fail((due > 0) ? takeAt(due) : take());
			due += wait;
		}
		TakenKey run = takeAt(due);
		assertThat(run.attempt()).isEqualTo(8);
		assertThat(run.lane()).isEqualTo(QueueLane.RETRY);
		this.queue.done(run, this.now);
		assertEmpty();
	}

	@Test
	void jitterStaysInItsBounds() {
		KeyDelays delays = new KeyDelays(Duration.ZERO, Duration.ZERO,
				new Retry(Duration.ofMillis(100), 2, Duration.ofSeconds(1), 0.2), new Random(1));
		List<Long> waits = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			waits.add(delays.backoff(2) / 1_000_000);
		}
		assertThat(waits).allMatch((wait) -> wait >= 160 && wait <= 240);
		assertThat(waits).anyMatch((wait) -> wait < 165).anyMatch((wait) -> wait > 235);
	}

	@Test
	void changeOfAFailingKeyWaitsForTheFirstDelayAndLeavesTheScheduleAlone() {
		change(A);
		fail(take());
		fail(takeAt(200));
		// The next one is due at 600.
		at(210);
		change(A);
		TakenKey early = takeAt(400);
		assertThat(early.lane()).isEqualTo(QueueLane.LIVE);
		assertThat(early.attempt()).isEqualTo(3);
		fail(early);
		TakenKey due = takeAt(600);
		assertThat(due.attempt()).isEqualTo(3);
		assertThat(due.lane()).isEqualTo(QueueLane.RETRY);
		fail(due);
		assertThat(takeAt(1400).attempt()).isEqualTo(4);
	}

	@Test
	void changeDuringAFailingRunIsTriedAfterTheFirstDelay() {
		change(A);
		fail(take());
		TakenKey run = takeAt(200);
		change(A);
		fail(run);
		assertThat(takeAt(400).lane()).isEqualTo(QueueLane.LIVE);
	}

	@Test
	void earlyTryThatSucceedsEndsTheFailing() {
		change(A);
		fail(take());
		fail(takeAt(200));
		change(A);
		this.queue.done(takeAt(400), this.now);
		assertEmpty();
	}

	@Test
	void firstFailureReplacesARequeueInTheFarFuture() {
		change(A);
		this.queue.requeueAfter(take(), KeyDelays.ofMillis(60_000), this.now);
		change(A);
		fail(take());
		assertThat(takeAt(200).attempt()).isEqualTo(2);
	}

	@Test
	void minIntervalHoldsChangesAndRetriesButNoDeletion() {
		this.queue = queue(1000);
		change(A);
		this.queue.done(take(), this.now);
		at(10);
		change(A);
		fail(takeAt(1000));
		TakenKey run = takeAt(2000);
		at(2100);
		this.queue.deleted(A, this.now);
		this.queue.done(run, this.now);
		TakenKey deletion = take();
		this.queue.requeueAfter(deletion, KeyDelays.ofMillis(5), this.now);
		at(2200);
		this.queue.deleted(A, this.now);
		this.queue.done(take(), this.now);
		at(3300);
		assertEmpty();
	}

	@Test
	void keyThatRestsAfterARunIsNoDelayedOne() {
		this.queue = queue(1000);
		change(A);
		this.queue.done(take(), this.now);
		assertThat(this.queue.keys().delayed()).isZero();
		assertThat(this.queue.keys().waiting(20, this.now).count()).isZero();
		at(500);
		this.queue.resync(A, this.now);
		assertThat(this.queue.keys().waiting(20, this.now).count()).isOne();
		assertThat(takeAt(1000).lane()).isEqualTo(QueueLane.INITIAL);
	}

	@Test
	void conflictIsRetriedAtTheNextChange() {
		change(A);
		this.queue.conflict(take(), FAILURE, this.now);
		at(3);
		change(A);
		TakenKey run = take();
		assertThat(run.attempt()).isOne();
		this.queue.done(run, this.now);
		assertEmpty();
	}

	@Test
	void conflictIsRetriedAfterAWhileWithoutAChange() {
		change(A);
		this.queue.conflict(take(), FAILURE, this.now);
		assertThat(this.queue.keys().failingKeys()).isZero();
		assertThat(takeAt(100).attempt()).isOne();
	}

	@Test
	void conflictOfAFailingKeyIsNotHeldByItsSchedule() {
		change(A);
		fail(take());
		this.queue.conflict(takeAt(200), FAILURE, this.now);
		at(203);
		change(A);
		assertThat(take().attempt()).isEqualTo(2);
	}

	@Test
	void tenthConflictInARowIsAFailure() {
		change(A);
		long time = 0;
		for (int i = 0; i < 9; i++) {
			TakenKey run = take();
			assertThat(KeyQueue.isFailure(run)).isFalse();
			this.queue.conflict(run, FAILURE, this.now);
			time += 100;
			at(time);
		}
		TakenKey tenth = take();
		assertThat(KeyQueue.isFailure(tenth)).isTrue();
		this.queue.conflict(tenth, FAILURE, this.now);
		assertThat(this.queue.keys().failingKeys()).isOne();
		TakenKey next = takeAt(time + 200);
		assertThat(next.attempt()).isEqualTo(2);
		this.queue.done(next, this.now);
		change(A);
		assertThat(KeyQueue.isFailure(take())).isFalse();
	}

	@Test
	void conflictsThatLastBackOffAsFailuresDo() {
		change(A);
		long time = 0;
		for (int i = 0; i < 9; i++) {
			conflict(take());
			time += 100;
			at(time);
		}
		conflict(take());
		for (long wait : new long[] { 200, 400, 800, 1600 }) {
			assertNoneAt(time + wait - 1);
			time += wait;
			TakenKey next = takeAt(time);
			assertThat(KeyQueue.isFailure(next)).isTrue();
			conflict(next);
		}
		assertThat(takeAt(time + 3200).attempt()).isEqualTo(6);
	}

	@Test
	void conflictAfterAFailureIsStillOneTooMany() {
		change(A);
		long time = 0;
		for (int i = 0; i < 9; i++) {
			conflict(take());
			time += 100;
			at(time);
		}
		fail(take());
		TakenKey next = takeAt(time + 200);
		assertThat(KeyQueue.isFailure(next)).isTrue();
		this.queue.done(next, this.now);
		change(A);
		assertThat(KeyQueue.isFailure(take())).isFalse();
	}

	private void conflict(TakenKey run) {
		// As the workers report it.
		if (KeyQueue.isFailure(run)) {
			fail(run);
		}
		else {
			this.queue.conflict(run, FAILURE, this.now);
		}
	}

	private void assertNoneAt(long millis) {
		at(millis);
		assertThat(this.queue.take(this.now)).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "3000,3000", "100,200", "6000,5000", "2000000000000,5000" })
	void retryAfterIsALowerBoundForRetriesUpToTheLongestDelay(long asked, long due) {
		change(A);
		this.queue.failed(take(), FAILURE, KeyDelays.ofMillis(asked), this.now);
		takeAt(due);
	}

	@ParameterizedTest
	@CsvSource({ "100", "3000", "2000000000000" })
	void retryAfterHoldsNoChange(long asked) {
		change(A);
		TakenKey run = take();
		change(A);
		this.queue.failed(run, FAILURE, KeyDelays.ofMillis(asked), this.now);
		this.queue.failed(takeAt(200), FAILURE, KeyDelays.ofMillis(asked), this.now);
		assertNothingReady();
		change(A);
		takeAt(400);
	}

	@Test
	void retryAfterOfATryThatAChangeLedToIsBoundedToo() {
		change(A);
		this.queue.failed(take(), FAILURE, KeyDelays.ofMillis(2_000_000_000_000L), this.now);
		at(4000);
		change(A);
		this.queue.failed(take(), FAILURE, KeyDelays.ofMillis(2_000_000_000_000L), this.now);
		takeAt(9000);
	}

	@Test
	void resyncHasNoEffectOnAKeyThatIsNotAbsent() {
		change(A);
		this.queue.requeueAfter(take(), KeyDelays.ofMillis(50), this.now);
		this.queue.resync(A, this.now);
		assertNothingReady();
		TakenKey run = takeAt(50);
		this.queue.resync(A, this.now);
		this.queue.gaveUp(run, FAILURE, this.now);
		this.queue.resync(A, this.now);
		assertNothingReady();
		this.queue.resync(B, this.now);
		assertThat(take().lane()).isEqualTo(QueueLane.INITIAL);
	}

	@Test
	void givenUpKeyWaitsForAChange() {
		change(A);
		this.queue.gaveUp(take(), FAILURE, this.now);
		assertThat(this.queue.keys().failingKeys()).isOne();
		at(1_000_000);
		assertNothingReady();
		change(A);
		TakenKey run = take();
		assertThat(run.attempt()).isEqualTo(2);
		this.queue.done(run, this.now);
		assertEmpty();
	}

	@Test
	void changeDuringARunThatGivesUpLeadsToAnother() {
		change(A);
		TakenKey run = take();
		change(A);
		this.queue.gaveUp(run, FAILURE, this.now);
		this.queue.gaveUp(takeAt(200), FAILURE, this.now);
		at(1_000_000);
		assertNothingReady();
	}

	@Test
	void triggerEndsAnyDelay() {
		this.queue = queue(1000);
		change(A);
		this.queue.failed(take(), FAILURE, KeyDelays.ofMillis(60_000), this.now);
		at(5);
		this.queue.trigger(A, QueueLane.LIVE, this.now);
		TakenKey run = take();
		this.queue.trigger(A, QueueLane.INITIAL, this.now);
		fail(run);
		this.queue.done(take(), this.now);
		this.queue.trigger(A, QueueLane.INITIAL, this.now);
		take();
	}

	@Test
	void absentKeyIsForgottenWithItsFailures() {
		change(A);
		fail(take());
		at(10);
		this.queue.deleted(A, this.now);
		this.queue.absent(takeAt(200), this.now);
		assertEmpty();
		change(A);
		assertThat(take().attempt()).isOne();
	}

	@Test
	void objectThatIsAddedAgainWhileItsAbsenceIsFoundRunsAgain() {
		change(A);
		TakenKey run = take();
		change(A);
		this.queue.absent(run, this.now);
		assertThat(take().entry().key).isEqualTo(A);
	}

	@Test
	void parkedKeyIsReadyInItsLaneWhenAllWritesArrived() {
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		ParkedKey ticket = this.queue.park(take(), 2, this.now);
		assertThat(this.queue.keys().parked()).isOne();
		at(5);
		assertThat(this.queue.arrived(ticket, this.now)).isFalse();
		assertNothingReady();
		assertThat(this.queue.arrived(ticket, this.now)).isTrue();
		TakenKey run = take();
		assertThat(run.lane()).isEqualTo(QueueLane.INITIAL);
		assertThat(run.parked()).isSameAs(ticket);
		assertThat(ticket.seen).isTrue();
		assertThat(ticket.time).isEqualTo(KeyDelays.ofMillis(5));
		this.queue.done(run, this.now);
		assertEmpty();
	}

	@ParameterizedTest
	@EnumSource(ParkedEvent.class)
	void changeOfAParkedKeyMarksItsLaneOnly(ParkedEvent event) {
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		ParkedKey ticket = this.queue.park(take(), 1, this.now);
		event.on.accept(this.queue, this.now);
		assertNothingReady();
		this.queue.arrived(ticket, this.now);
		TakenKey run = take();
		assertThat(run.lane()).isEqualTo(event.lane);
		this.queue.done(run, this.now);
		assertEmpty();
	}

	@Test
	void changeOfAKeyThatIsAboutToBeParkedKeepsItsLane() {
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		TakenKey run = take();
		change(A);
		this.queue.arrived(this.queue.park(run, 1, this.now), this.now);
		assertThat(take().lane()).isEqualTo(QueueLane.LIVE);
	}

	@Test
	void parkedKeyRunsAtTheTimeout() {
		change(A);
		ParkedKey ticket = this.queue.park(take(), 1, this.now);
		TakenKey run = takeAt(10_000);
		assertThat(ticket.seen).isFalse();
		assertThat(run.parked()).isSameAs(ticket);
		assertThat(this.queue.arrived(ticket, this.now)).isFalse();
		this.queue.done(run, this.now);
		assertEmpty();
	}

	@Test
	void writesThatArriveForAnEarlierParkingDoNotEndThisOne() {
		change(A);
		ParkedKey earlier = this.queue.park(take(), 2, this.now);
		this.queue.arrived(earlier, this.now);
		ParkedKey later = this.queue.park(takeAt(10_000), 1, this.now);
		assertThat(this.queue.arrived(earlier, this.now)).isFalse();
		assertNothingReady();
		assertThat(this.queue.arrived(later, this.now)).isTrue();
	}

	@Test
	void parkingForNothingIsOverAtOnce() {
		change(A);
		this.queue.park(take(), 0, this.now);
		take();
	}

	@Test
	void parkingIsNoRunForTheLeastInterval() {
		this.queue = queue(1000);
		change(A);
		ParkedKey ticket = this.queue.park(take(), 1, this.now);
		this.queue.arrived(ticket, this.now);
		at(20);
		this.queue.done(take(), this.now);
		change(A);
		takeAt(1020);
	}

	@Test
	void returnedKeyIsReadyAgainInItsLane() {
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		this.queue.returned(take(), this.now);
		TakenKey run = take();
		assertThat(run.lane()).isEqualTo(QueueLane.INITIAL);
		assertThat(run.attempt()).isOne();
	}

	@Test
	void keysThatFailForLongestAreListedFirst() {
		for (int i = 0; i < 40; i++) {
			at(i * 100);
			this.queue.changed(new ObjectKey("ns", "k" + i), QueueLane.LIVE, this.now);
			this.queue.gaveUp(take(), FAILURE, this.now);
		}
		assertThat(this.queue.keys().longestFailing()).extracting((entry) -> entry.key.name())
			.hasSize(20)
			.startsWith("k0", "k1")
			.endsWith("k19");
		at(60_000);
		change(new ObjectKey("ns", "k3"));
		this.queue.done(take(), this.now);
		assertThat(this.queue.keys().failingKeys()).isEqualTo(39);
		assertThat(this.queue.keys().longestFailing()).extracting((entry) -> entry.key.name())
			.hasSize(20)
			.doesNotContain("k3")
			.endsWith("k20");
	}

	@Test
	void requeueIsIdleAndARetryThatIsDueSoonIsNot() {
		change(A);
		this.queue.requeueAfter(take(), 1, this.now);
		assertThat(this.queue.keys().waiting(20, this.now).count()).isZero();
		change(B);
		fail(take());
		assertThat(this.queue.keys().waiting(20, this.now).names()).containsExactly("default/b (delayed)");
		this.queue.trigger(B, QueueLane.LIVE, this.now);
		assertThat(this.queue.keys().waiting(20, this.now).names()).containsExactly("default/b (queued)");
		this.queue.failed(take(), FAILURE, KeyDelays.ofMillis(2000), this.now);
		assertThat(this.queue.keys().waiting(20, this.now).count()).isZero();
		at(1001);
		assertThat(this.queue.keys().waiting(20, this.now).count()).isOne();
	}

	@Test
	void ageOfTheOldestIsThatOfTheKeyThatWaitsForLongest() {
		this.queue.changed(A, QueueLane.INITIAL, this.now);
		at(7);
		change(B);
		assertThat(this.queue.keys().oldestReady()).isZero();
	}

	/** Event while a key is parked. */
	enum ParkedEvent {

		CHANGE((queue, now) -> queue.changed(A, QueueLane.LIVE, now), QueueLane.LIVE),

		DELETION((queue, now) -> queue.deleted(A, now), QueueLane.LIVE),

		TRIGGER((queue, now) -> queue.trigger(A, QueueLane.RETRY, now), QueueLane.RETRY),

		RESYNC((queue, now) -> queue.resync(A, now), QueueLane.INITIAL);

		private final BiConsumer<KeyQueue, Long> on;

		private final QueueLane lane;

		ParkedEvent(BiConsumer<KeyQueue, Long> on, QueueLane lane) {
			this.on = on;
			this.lane = lane;
		}

	}

	@Test
	void keyThatRunsElsewhereIsHandedOutWhenThatRunHasEnded() {
		this.queue.occupy(A);
		change(A);
		change(B);
		assertThat(take().key()).isEqualTo(B);
		assertNothingReady();
		this.queue.vacate(A, this.now);
		assertThat(take().key()).isEqualTo(A);
	}

	@Test
	void keyThatRanElsewhereIsForgottenIfNothingChanged() {
		this.queue.occupy(A);
		this.queue.vacate(A, this.now);
		assertEmpty();
	}

	@Test
	void endThatForgetsAKeyForgetsItsFailuresToo() {
		change(A);
		fail(take());
		TakenKey again = takeAt(200);
		assertThat(again.attempt()).isEqualTo(2);
		change(A);
		this.queue.vacate(A, this.now);
		assertThat(this.queue.keys().failingKeys()).isZero();
		TakenKey next = take();
		assertThat(next.attempt()).isEqualTo(1);
		this.queue.done(next, this.now);
		assertEmpty();
	}

	@Test
	void keyThatFailedForWantOfTheServerIsReadyWhenThatIsBack() {
		failForWantOfServer(A, 8);
		this.queue.serverIsBack(this.now);
		TakenKey run = take();
		assertThat(run.key()).isEqualTo(A);
		assertThat(run.attempt()).isEqualTo(1);
		fail(run);
		takeAt(millis() + 200);
	}

	@Test
	void keyThatFailedByItselfGoesOnWaitingWhenTheServerIsBack() {
		failForWantOfServer(A, 1);
		fail(takeAt(millis() + 200));
		this.queue.serverIsBack(this.now);
		assertNothingReady();
		assertThat(takeAt(millis() + 400).attempt()).isEqualTo(3);
	}

	@Test
	void keyThatTheServerAskedToWaitIsReadyWhenThatIsBack() {
		change(A);
		this.queue.failed(take(), FAILURE, KeyDelays.ofMillis(4000), true, this.now);
		this.queue.serverIsBack(this.now);
		assertThat(take().attempt()).isEqualTo(1);
	}

	@Test
	void leastIntervalHoldsAKeyWhenTheServerIsBack() {
		this.queue = queue(1000);
		failForWantOfServer(A, 1);
		this.queue.serverIsBack(this.now);
		takeAt(1000);
	}

	@Test
	void keyThatSucceededIsLeftAloneWhenTheServerIsBack() {
		failForWantOfServer(A, 1);
		this.queue.requeueAfter(takeAt(200), KeyDelays.ofMillis(5000), this.now);
		this.queue.serverIsBack(this.now);
		takeAt(5200);
	}

	@Test
	void keyThatRunsWhenTheServerIsBackAndFailsThenBacksOff() {
		TakenKey run = takeTriggeredDuringHold();
		this.queue.serverIsBack(this.now);
		fail(run);
		TakenKey again = takeAt(millis() + 200);
		assertThat(again.attempt()).isEqualTo(2);
		fail(again);
		takeAt(millis() + 400);
	}

	@Test
	void keyThatIsReadyWhenTheServerIsBackAndFailsThenBacksOff() {
		failAndHold(A);
		this.queue.trigger(A, QueueLane.LIVE, this.now);
		this.queue.serverIsBack(this.now);
		fail(take());
		takeAt(millis() + 200);
	}

	@Test
	void keyThatIsParkedWhenTheServerIsBackAndFailsThenBacksOff() {
		TakenKey run = takeTriggeredDuringHold();
		ParkedKey ticket = this.queue.park(run, 1, this.now);
		this.queue.serverIsBack(this.now);
		this.queue.arrived(ticket, this.now);
		fail(take());
		takeAt(millis() + 200);
	}

	@Test
	void conflictEndsTheHold() {
		TakenKey run = takeTriggeredDuringHold();
		this.queue.serverIsBack(this.now);
		this.queue.conflict(run, FAILURE, this.now);
		TakenKey again = takeAt(millis() + 100);
		// A key that failed for its own reason since is not queued by the next return of
		// the server.
		fail(again);
		this.queue.serverIsBack(this.now);
		assertNothingReady();
	}

	@Test
	void changesDuringTheHoldDoNotLengthenTheBackoff() {
		failAndHold(A);
		for (int i = 0; i < 10; i++) {
			at(millis() + 200);
			change(A);
			this.queue.failed(take(), FAILURE, KeyDelays.ofMillis(4000), true, this.now);
		}
		at(millis() + 200);
		change(A);
		TakenKey run = take();
		this.queue.serverIsBack(this.now);
		fail(run);
		assertThat(takeAt(millis() + 200).attempt()).isEqualTo(2);
	}

	private TakenKey takeTriggeredDuringHold() {
		failAndHold(A);
		this.queue.trigger(A, QueueLane.LIVE, this.now);
		return take();
	}

	private void failAndHold(ObjectKey key) {
		change(key);
		this.queue.failed(take(), FAILURE, KeyDelays.ofMillis(4000), true, this.now);
	}

	private void failForWantOfServer(ObjectKey key, int times) {
		change(key);
		for (int i = 0; i < times; i++) {
			TakenKey run = this.queue.take(this.now);
			if (run == null) {
				this.now = this.queue.nextDeadline();
				run = take();
			}
			this.queue.failed(run, FAILURE, 0, true, this.now);
		}
	}

	private long millis() {
		return this.now / 1_000_000;
	}

}
