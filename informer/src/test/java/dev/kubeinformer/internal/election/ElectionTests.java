package dev.kubeinformer.internal.election;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.election.ElectionSignals.Drain;
import dev.kubeinformer.internal.election.LeaseRequest.Purpose;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The decisions of an election, one by one.
 */
class ElectionTests {

	private static final ElectionTimes TIMES = new ElectionTimes(Duration.ofSeconds(15), Duration.ofSeconds(10),
			Duration.ofSeconds(2), Duration.ofSeconds(60));

	private static final Instant EARLIER = Instant.parse("2026-01-01T00:00:00Z");

	private long nanos = 1_000_000_000L;

	private long wall = EARLIER.toEpochMilli();

	private boolean ready = true;

	private boolean stop;

	private boolean yield;

	private Drain drain = Drain.UNDER_WAY;

	private final List<ElectionNotice> notices = new ArrayList<>();

	private Election election = new Election("me", TIMES, true, new ElectionRules(), new Random(1), now());

	private ClockReading now() {
		return new ClockReading(this.nanos, this.wall);
	}

	private void pass(double seconds) {
		passMonotonic(seconds);
		passWall(seconds);
	}

	private void passMonotonic(double seconds) {
		this.nanos += (long) (seconds * 1e9);
	}

	private void passWall(double seconds) {
		this.wall += (long) (seconds * 1000);
	}

	private ElectionStep next() {
		ElectionDecision decision = this.election
			.next(new ElectionSignals(this.ready, this.stop, this.yield, this.drain, false), now());
		this.notices.addAll(decision.notices());
		return decision.step();
	}

	private LeaseRequest request() {
		ElectionStep step = next();
		assertThat(step).isInstanceOf(ElectionStep.Send.class);
		return ((ElectionStep.Send) step).request();
	}

	private LeaseRequest.Update update() {
		LeaseRequest request = request();
		assertThat(request).isInstanceOf(LeaseRequest.Update.class);
		return (LeaseRequest.Update) request;
	}

	private Duration pause() {
		ElectionStep step = next();
		assertThat(step).isInstanceOf(ElectionStep.Pause.class);
		return ((ElectionStep.Pause) step).time();
	}

	private void answer(LeaseRequest request, LeaseAnswer answer) {
		this.election.answered(request, now(), answer, now());
	}

	private static LeaseAnswer found(LeaseRecord record, String version) {
		return new LeaseAnswer.Found(record, version);
	}

	private static LeaseRecord held(String holder, long transitions) {
		return new LeaseRecord(holder, 15, EARLIER, EARLIER, transitions, "");
	}

	private void read(LeaseRecord record, String version) {
		LeaseRequest request = request();
		assertThat(request).isEqualTo(new LeaseRequest.Get());
		answer(request, found(record, version));
	}

	/**
	 * Waits as long as the election says, until it sends something.
	 */
	private LeaseRequest waited() {
		ElectionStep step = next();
		while (step instanceof ElectionStep.Pause pause) {
			pass(Math.max(0.001, pause.time().toNanos() / 1e9 + 0.001));
			step = next();
		}
		return ((ElectionStep.Send) step).request();
	}

	private HeldTerm lead() {
		LeaseRequest get = request();
		answer(get, new LeaseAnswer.Absent());
		LeaseRequest create = request();
		assertThat(create).isInstanceOf(LeaseRequest.Create.class);
		answer(create, found(((LeaseRequest.Create) create).record(), "1"));
		next();
		return granted();
	}

	private HeldTerm granted() {
		return this.notices.stream()
			.filter(ElectionNotice.Granted.class::isInstance)
			.map((notice) -> ((ElectionNotice.Granted) notice).term())
			.reduce((first, second) -> second)
			.orElseThrow();
	}

	private @Nullable EndReason revoked() {
		return this.notices.stream()
			.filter(ElectionNotice.Revoked.class::isInstance)
			.map((notice) -> ((ElectionNotice.Revoked) notice).reason())
			.reduce((first, second) -> second)
			.orElse(null);
	}

	private boolean drains() {
		return this.notices.stream().anyMatch(ElectionNotice.Draining.class::isInstance);
	}

	@Test
	void termAfterTheLastNumberOfALeaseShouldBeginAgain() {
		read(new LeaseRecord("", 1, EARLIER, EARLIER, Integer.MAX_VALUE, ""), "7");
		LeaseRequest.Update taken = update();
		assertThat(taken.record().transitions()).isOne();
		answer(taken, found(taken.record(), "8"));
		next();
		assertThat(granted().number()).isOne();
		pass(2);
		LeaseRequest.Update renewal = update();
		assertThat(renewal.record().transitions()).isOne();
		answer(renewal, found(renewal.record(), "9"));
		this.yield = true;
		next();
		this.drain = Drain.DONE;
		read(renewal.record(), "9");
		assertThat(update().record().transitions()).isOne();
	}

	@Test
	void numberThatIsNoneOfALeaseShouldBeTakenForTheNextOneThatIs() {
		assertThat(held("other", Long.MAX_VALUE).transitions()).isEqualTo(Integer.MAX_VALUE);
		assertThat(held("other", -1).transitions()).isZero();
		assertThat(LeaseRecord.termAfter(held("other", Long.MAX_VALUE).highest(5))).isOne();
		assertThat(LeaseRecord.termAfter(held("other", 3).highest(Integer.MAX_VALUE))).isEqualTo(4);
		assertThat(LeaseRecord.termAfter(held("other", 3).highest(5))).isEqualTo(6);
	}

	@Test
	void leaseThatIsNotThereIsCreated() {
		HeldTerm term = lead();
		assertThat(term.number()).isEqualTo(1);
		assertThat(term.validFrom()).isEqualTo(now());
	}

	@Test
	void deadlineCountsFromWhenTheRenewalWasSent() {
		lead();
		pass(2);
		LeaseRequest.Update renewal = update();
		ClockReading sent = now();
		pass(2.4);
		this.election.answered(renewal, sent, found(renewal.record(), "2"), now());
		pass(7.5);
		next();
		assertThat(revoked()).isNull();
		pass(0.2);
		next();
		assertThat(revoked()).isEqualTo(EndReason.EXPIRED);
	}

	@Test
	void termEndsWhenOnlyTheWallClockHasPassedTheDeadline() {
		lead();
		passWall(10);
		next();
		assertThat(revoked()).isEqualTo(EndReason.EXPIRED);
	}

	@Test
	void termEndsWhenOnlyTheMonotonicClockHasPassedTheDeadline() {
		lead();
		passMonotonic(10);
		passWall(-100);
		next();
		assertThat(revoked()).isEqualTo(EndReason.EXPIRED);
	}

	@Test
	void answerThatComesAfterTheDeadlineRenewsNothing() {
		lead();
		pass(2);
		LeaseRequest.Update renewal = update();
		ClockReading sent = now();
		pass(9);
		this.election.answered(renewal, sent, found(renewal.record(), "2"), now());
		assertThat(request()).isEqualTo(new LeaseRequest.Get());
		assertThat(revoked()).isEqualTo(EndReason.EXPIRED);
	}

	@Test
	void acquisitionWhoseAnswerComesAfterItsDeadlineBeginsNoTerm() {
		answer(request(), new LeaseAnswer.Absent());
		LeaseRequest create = request();
		ClockReading sent = now();
		pass(11);
		this.election.answered(create, sent, found(((LeaseRequest.Create) create).record(), "1"), now());
		next();
		assertThat(this.notices).noneMatch(ElectionNotice.Granted.class::isInstance);
	}

	@Test
	void slackIsWhatWasLeftWhenTheAnswerCame() {
		lead();
		pass(2);
		LeaseRequest.Update renewal = update();
		pass(0.5);
		answer(renewal, found(renewal.record(), "2"));
		next();
		assertThat(this.notices.get(this.notices.size() - 1)).isInstanceOfSatisfying(ElectionNotice.Renewed.class,
				(renewed) -> assertThat(renewed.slack()).isEqualTo(Duration.ofMillis(7500)));
	}

	@Test
	void followerTakesTheLeaseWhenItHasNotChangedForItsDuration() {
		read(held("other", 4), "7");
		long start = this.nanos;
		LeaseRequest request = waited();
		while (request instanceof LeaseRequest.Get) {
			answer(request, found(held("other", 4), "7"));
			request = waited();
		}
		assertThat(request).isInstanceOfSatisfying(LeaseRequest.Update.class, (update) -> {
			assertThat(update.purpose()).isEqualTo(Purpose.ACQUIRE);
			assertThat(update.resourceVersion()).isEqualTo("7");
			assertThat(update.record().transitions()).isEqualTo(5);
			assertThat(update.record().holder()).isEqualTo("me");
		});
		assertThat(Duration.ofNanos(this.nanos - start)).isBetween(Duration.ofSeconds(15), Duration.ofMillis(15_050));
	}

	@Test
	void followerWaitsAnewWhenTheVersionHasChanged() {
		read(held("other", 4), "7");
		pass(14);
		read(held("other", 4), "8");
		pass(2.5);
		read(held("other", 4), "8");
		pass(1);
		assertThat(pause()).isPositive();
	}

	@Test
	void followerDoesNotCountTimeThatOnlyOneClockHasSeen() {
		read(held("other", 4), "7");
		passWall(1000);
		assertThat(pause()).isPositive();
		passWall(-1000);
		passMonotonic(100);
		read(held("other", 4), "7");
		assertThat(pause()).isPositive();
	}

	@Test
	void clockThatIsSetBackUndoesNoWait() {
		read(held("other", 4), "7");
		pass(10);
		read(held("other", 4), "7");
		pause();
		passMonotonic(0.5);
		passWall(-3600);
		pause();
		pass(5.1);
		LeaseRequest request = request();
		if (request instanceof LeaseRequest.Get) {
			answer(request, found(held("other", 4), "7"));
			request = request();
		}
		assertThat(request).isInstanceOf(LeaseRequest.Update.class);
	}

	@Test
	void longerDurationOfTheHolderIsWaitedFor() {
		read(new LeaseRecord("other", 60, EARLIER, EARLIER, 4, ""), "7");
		pass(59);
		read(new LeaseRecord("other", 60, EARLIER, EARLIER, 4, ""), "7");
		assertThat(pause()).isPositive();
	}

	@Test
	void durationThatNobodyMeansIsWaitedForADay() {
		LeaseRecord decades = new LeaseRecord("other", Integer.MAX_VALUE, EARLIER, EARLIER, 4, "");
		read(decades, "7");
		pass(86_399);
		read(decades, "7");
		assertThat(pause()).isPositive();
		pass(2);
		assertThat(request()).isInstanceOf(LeaseRequest.Update.class);
	}

	@Test
	void conflictWhenTakingTheLeaseIsFollowedByALook() {
		read(new LeaseRecord("", 1, EARLIER, EARLIER, 4, ""), "7");
		answer(update(), new LeaseAnswer.Conflict());
		assertThat(request()).isEqualTo(new LeaseRequest.Get());
	}

	@Test
	void releasedLeaseIsTakenAtOnce() {
		read(new LeaseRecord("", 1, EARLIER, EARLIER, 4, ""), "7");
		assertThat(update().record().transitions()).isEqualTo(5);
	}

	@Test
	void leaseThatLostItsHolderInAnotherWayIsWaitedFor() {
		read(new LeaseRecord("", 15, EARLIER, EARLIER, 4, ""), "7");
		assertThat(pause()).isPositive();
	}

	@Test
	void recordThatNamesThisProcessWithoutItsDoingIsWaitedFor() {
		read(held("me", 4), "7");
		assertThat(pause()).isPositive();
	}

	@Test
	void leaseThatIsGoneIsWaitedForByWhoHasSeenIt() {
		read(held("other", 4), "7");
		pass(2.5);
		answer(request(), new LeaseAnswer.Absent());
		assertThat(pause()).isPositive();
	}

	@Test
	void ownTermThatExpiredIsFollowedByAnotherOneAtOnce() {
		HeldTerm term = lead();
		pass(11);
		LeaseRequest get = request();
		LeaseRecord own = new LeaseRecord("me", 15, term.since(), term.since(), 1, "");
		answer(get, found(own, "1"));
		LeaseRequest.Update update = update();
		assertThat(update.purpose()).isEqualTo(Purpose.ACQUIRE);
		assertThat(update.record().transitions()).isEqualTo(2);
	}

	@Test
	void unknownOutcomeOfARenewalIsFollowedByALook() {
		lead();
		pass(2);
		answer(update(), new LeaseAnswer.Unknown());
		assertThat(waited()).isEqualTo(new LeaseRequest.Get());
		assertThat(this.notices).anyMatch(ElectionNotice.RenewalFailed.class::isInstance);
		assertThat(revoked()).isNull();
	}

	@Test
	void refusedRenewalEndsTheTermAtItsDeadlineOnly() {
		lead();
		pass(2);
		LeaseRequest request = request();
		for (int i = 0; i < 3; i++) {
			answer(request, new LeaseAnswer.Refused());
			request = waited();
			assertThat(revoked()).isNull();
		}
		pass(5);
		next();
		assertThat(revoked()).isEqualTo(EndReason.EXPIRED);
	}

	@Test
	void leaseThatNamesAnotherHolderEndsTheTerm() {
		lead();
		pass(2);
		answer(update(), new LeaseAnswer.Conflict());
		read(held("other", 2), "5");
		next();
		assertThat(revoked()).isEqualTo(EndReason.TAKEN);
	}

	@Test
	void leaseThatOthersHaveEditedIsRenewedAsItIs() {
		HeldTerm term = lead();
		pass(2);
		answer(update(), new LeaseAnswer.Conflict());
		read(new LeaseRecord("me", 15, term.since(), term.since(), 1, ""), "5");
		LeaseRequest.Update renewal = update();
		assertThat(renewal.resourceVersion()).isEqualTo("5");
		assertThat(renewal.record().acquireTime()).isEqualTo(term.since());
		assertThat(revoked()).isNull();
	}

	@Test
	void stopDrainsAndRenewsMeanwhile() {
		lead();
		this.stop = true;
		pause();
		assertThat(drains()).isTrue();
		pass(2);
		assertThat(update().purpose()).isEqualTo(Purpose.RENEW);
		assertThat(revoked()).isNull();
	}

	@Test
	void drainedStopReleasesTheLeaseThatWasJustReadAndHalts() {
		lead();
		this.stop = true;
		pause();
		this.drain = Drain.DONE;
		read(held("me", 1), "9");
		assertThat(revoked()).isEqualTo(EndReason.STOPPED);
		LeaseRequest.Update release = update();
		assertThat(release.purpose()).isEqualTo(Purpose.RELEASE);
		assertThat(release.resourceVersion()).isEqualTo("9");
		assertThat(release.record().holder()).isEmpty();
		assertThat(release.record().durationSeconds()).isEqualTo(1);
		answer(release, found(release.record(), "10"));
		assertThat(next()).isEqualTo(new ElectionStep.Halt());
	}

	@Test
	void leaseThatHasAnotherHolderByThenIsNotReleased() {
		lead();
		this.stop = true;
		pause();
		this.drain = Drain.DONE;
		read(held("other", 2), "9");
		pause();
		assertThat(next()).isEqualTo(new ElectionStep.Halt());
	}

	@Test
	void leaseIsNotReleasedWhenWorkIsUnderWay() {
		lead();
		this.stop = true;
		pause();
		this.drain = Drain.FAILED;
		read(held("me", 1), "9");
		pause();
		assertThat(next()).isEqualTo(new ElectionStep.Halt());
		assertThat(revoked()).isEqualTo(EndReason.STOPPED);
	}

	@Test
	void yieldIsFollowedByNoCandidacyUntilAnotherHasLed() {
		lead();
		this.yield = true;
		pause();
		this.drain = Drain.DONE;
		read(held("me", 1), "9");
		LeaseRequest.Update release = update();
		answer(release, found(release.record(), "10"));
		this.yield = false;
		assertThat(revoked()).isEqualTo(EndReason.YIELDED);
		assertThat(pause()).isPositive();
		this.election.hint(now());
		read(held("other", 2), "11");
		this.election.hint(now());
		read(held("", 2).released(EARLIER), "12");
		assertThat(update().record().transitions()).isEqualTo(3);
	}

	@Test
	void preferredHolderOtherThanThisDrainsTheTerm() {
		lead();
		pass(2);
		answer(update(), new LeaseAnswer.Conflict());
		read(new LeaseRecord("me", 15, EARLIER, EARLIER, 1, "other"), "5");
		next();
		assertThat(this.notices).contains(new ElectionNotice.Draining(EndReason.PREFERRED));
	}

	@Test
	void releasedLeaseIsLeftToItsPreferredHolder() {
		read(new LeaseRecord("", 1, EARLIER, EARLIER, 4, "other"), "7");
		assertThat(pause()).isPositive();
	}

	@Test
	void preferredHolderTakesTheLeaseAndIsPreferredNoMore() {
		read(new LeaseRecord("", 1, EARLIER, EARLIER, 4, "me"), "7");
		assertThat(update().record().preferredHolder()).isEmpty();
	}

	@Test
	void candidateThatIsNotReadyWatchesOnly() {
		this.ready = false;
		read(new LeaseRecord("", 1, EARLIER, EARLIER, 4, ""), "7");
		assertThat(pause()).isPositive();
		assertThat(this.election.isStanding()).isFalse();
		this.ready = true;
		assertThat(update().purpose()).isEqualTo(Purpose.ACQUIRE);
		this.ready = false;
		assertThat(this.election.isStanding()).isTrue();
	}

	@Test
	void candidateThatIsNotReadyInTimeStandsAllTheSame() {
		this.ready = false;
		pass(60);
		read(new LeaseRecord("", 1, EARLIER, EARLIER, 4, ""), "7");
		assertThat(update().purpose()).isEqualTo(Purpose.ACQUIRE);
	}

	@Test
	void refusedAcquisitionIsTriedAgainLater() {
		answer(request(), new LeaseAnswer.Absent());
		answer(request(), new LeaseAnswer.Refused());
		assertThat(pause()).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2400));
		assertThat(waited()).isEqualTo(new LeaseRequest.Get());
	}

	@Test
	void lateCreationOfOnesOwnIsNotTakenForATerm() {
		answer(request(), new LeaseAnswer.Absent());
		LeaseRequest create = request();
		answer(create, new LeaseAnswer.Unknown());
		LeaseRequest get = waited();
		answer(get, found(((LeaseRequest.Create) create).record(), "3"));
		assertThat(pause()).isPositive();
	}

	@Test
	void stopOfAFollowerHaltsAtOnce() {
		read(held("other", 4), "7");
		this.stop = true;
		assertThat(next()).isEqualTo(new ElectionStep.Halt());
		assertThat(Objects.requireNonNull(this.notices.get(0))).isEqualTo(new ElectionNotice.HolderChanged("other"));
	}

}
