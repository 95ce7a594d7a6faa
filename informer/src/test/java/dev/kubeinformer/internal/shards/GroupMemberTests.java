package dev.kubeinformer.internal.shards;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.election.ClockReading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Decisions of a membership, by answers and events in a given order.
 */
@Tag("once")
class GroupMemberTests {

	private static final ShardTimes TIMES = new ShardTimes(Duration.ofSeconds(15), Duration.ofSeconds(10),
			Duration.ofSeconds(2), Duration.ofSeconds(1));

	private static final int SLOTS = 8;

	private static final SlotSet ALL = SlotSet.range(0, SLOTS);

	private static final SlotSet THEIRS = SlotSet.of(1, 2, 4, 7);

	private final List<ShardNotice> notices = new ArrayList<>();

	private final List<MemberLease> others = new ArrayList<>();

	private long millis;

	private long wallOffset;

	private int version = 100;

	private MemberLease own = lease("me", SlotSet.none(), SlotSet.none());

	private MemberLease lastOther = this.own;

	private SlotSet drained = SlotSet.none();

	private boolean leave;

	private boolean giveUp;

	private final GroupMember membership = new GroupMember("me", "me", SLOTS, TIMES, new ShardRules(), new Random(1),
			now());

	@Test
	void firstMemberShouldListCreateSettleClaimListAndHold() {
		assertThat(send()).isInstanceOf(ShardRequest.List.class);
		answerList();
		ShardRequest.Create create = (ShardRequest.Create) send();
		assertThat(create.record().taken().isEmpty()).isTrue();
		store(create);
		assertThat(pause()).isEqualTo(Duration.ofSeconds(1));
		pass(1000);
		ShardRequest.Update claim = (ShardRequest.Update) send();
		assertThat(claim.record().claimed()).isEqualTo(ALL);
		assertThat(claim.record().held().isEmpty()).isTrue();
		store(claim);
		assertThat(send()).isInstanceOf(ShardRequest.List.class);
		assertThat(notices(ShardNotice.Gained.class)).isEmpty();
		answerList();
		pause();
		assertThat(notices(ShardNotice.Gained.class)).extracting(ShardNotice.Gained::slots).containsExactly(ALL);
		assertThat(pause()).isEqualTo(Duration.ofMillis(250));
		pass(250);
		ShardRequest.Update holding = (ShardRequest.Update) send();
		assertThat(holding.record().held()).isEqualTo(ALL);
		assertThat(holding.record().claimed().isEmpty()).isTrue();
		store(holding);
		assertThat(pause()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void memberAtRestShouldSendOneUpdateInEachRetryPeriod() {
		holdAll();
		for (int i = 0; i < 100; i++) {
			assertThat(pause()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2));
			pass(2000);
			store(send());
		}
		assertThat(notices(ShardNotice.Lost.class)).isEmpty();
	}

	@Test
	void surplusShouldBeDrainedAndThenReleased() {
		holdAll();
		observe(other(SlotSet.none(), SlotSet.none()));
		pause();
		assertThat(notices(ShardNotice.Draining.class)).isEmpty();
		pass(1001);
		ShardStep whileDraining = next();
		assertThat(whileDraining).isInstanceOf(ShardStep.Pause.class);
		SlotSet draining = notices(ShardNotice.Draining.class).get(0).slots();
		assertThat(draining.size()).isEqualTo(SLOTS / 2);
		SlotSet first = SlotSet.of(draining.toList().get(0));
		this.drained = first;
		ShardRequest.Update release = (ShardRequest.Update) send();
		assertThat(release.record().taken()).isEqualTo(ALL.minus(first));
		assertThat(notices(ShardNotice.Lost.class)).extracting(ShardNotice.Lost::slots).containsExactly(first);
	}

	@Test
	void slotThatAnotherMemberHoldsInTheListShouldNotBeTaken() {
		join();
		pass(1000);
		store(send());
		send();
		this.others.add(other(SlotSet.of(1), SlotSet.none()));
		answerList();
		ShardRequest.Update withdrawal = (ShardRequest.Update) send();
		assertThat(withdrawal.record().taken().contains(1)).isFalse();
		assertThat(notices(ShardNotice.Gained.class).get(0).slots().contains(1)).isFalse();
	}

	@Test
	void claimWithTheHigherScoreShouldWaitUntilTheOtherOneIsWithdrawnAndListAgain() {
		SlotSet contested = SlotSet.of(contested(true));
		join();
		pass(1000);
		store(send());
		send();
		this.others.add(other(SlotSet.none(), contested));
		answerList();
		drainAll();
		assertThat(gained().intersect(contested).isEmpty()).isTrue();
		assertThat(this.own.record().claimed().containsAll(contested)).isTrue();
		observe(other(SlotSet.none(), SlotSet.none()));
		assertThat(send()).isInstanceOf(ShardRequest.List.class);
		this.others.set(0, this.lastOther);
		answerList();
		next();
		assertThat(gained().containsAll(contested)).isTrue();
	}

	@Test
	void claimWithTheLowerScoreShouldBeWithdrawn() {
		SlotSet contested = SlotSet.of(contested(false));
		join();
		pass(1000);
		store(send());
		send();
		this.others.add(other(SlotSet.none(), contested));
		answerList();
		drainAll();
		assertThat(this.own.record().taken().intersect(contested).isEmpty()).isTrue();
		assertThat(gained().intersect(contested).isEmpty()).isTrue();
	}

	/**
	 * The list was read late, because the process was suspended. The other member may
	 * have renewed its Lease meanwhile.
	 */
	@Test
	void memberThatWasAliveWhenTheListWasSentShouldNotBeDeadWhenItIsRead() {
		SlotSet contested = SlotSet.of(contested(true));
		join();
		pass(1000);
		store(send());
		send();
		this.others.add(other(SlotSet.none(), contested));
		answerList();
		for (int i = 0; i < 4; i++) {
			drainAll();
			pass(2000);
			store(send());
		}
		this.membership.observed(new ViewEvent.Interrupted(), now());
		assertThat(send()).isInstanceOf(ShardRequest.List.class);
		pass(7500);
		answerList();
		next();
		assertThat(gained().intersect(contested).isEmpty()).isTrue();
	}

	@Test
	void deadMemberShouldNotBlockItsSlots() {
		this.others.add(other(ALL, SlotSet.none()));
		join();
		SlotSet before = this.own.record().taken();
		assertThat(before.isEmpty()).isTrue();
		for (int i = 0; i < 7; i++) {
			pass(2000);
			store(send());
			assertThat(pause()).isLessThanOrEqualTo(Duration.ofSeconds(2));
		}
		pass(1001);
		ShardRequest.Update claim = (ShardRequest.Update) send();
		assertThat(claim.record().claimed()).isEqualTo(ALL);
		store(claim);
		send();
		answerList();
		next();
		assertThat(gained()).isEqualTo(ALL);
	}

	@Test
	void wallClockThatIsSetForwardShouldKillNobody() {
		this.others.add(other(ALL, SlotSet.none()));
		join();
		pass(200);
		pause();
		this.wallOffset = 0;
		observe(other(ALL, SlotSet.none()));
		this.wallOffset = 3_600_000;
		next();
		assertThat(notices(ShardNotice.MembersChanged.class)).last()
			.satisfies((changed) -> assertThat(changed.view().holderOf(0)).isPresent());
	}

	/**
	 * A release without an answer may take effect at any time, as long as the Lease has
	 * the version that it expects. So the slots are not taken again before another write.
	 */
	@Test
	void lostReleaseShouldBeSupersededBeforeItsSlotsAreTakenAgain() {
		holdAll();
		MemberLease newcomer = other(SlotSet.none(), SlotSet.none());
		observe(newcomer);
		pass(1001);
		pause();
		pass(1001);
		next();
		SlotSet draining = notices(ShardNotice.Draining.class).get(0).slots();
		this.drained = draining;
		ShardRequest.Update release = (ShardRequest.Update) send();
		answer(release, new ShardAnswer.Unknown());
		this.drained = SlotSet.none();
		this.membership
			.observed(new ViewEvent.Deleted(new MemberLease("other", "" + ++this.version, newcomer.record())), now());
		pass(1300);
		ShardRequest get = send();
		assertThat(get).isInstanceOf(ShardRequest.Get.class);
		answer(get, new ShardAnswer.Stored(this.own));
		ShardRequest.Update superseding = (ShardRequest.Update) send();
		assertThat(superseding.resourceVersion()).isEqualTo(release.resourceVersion());
		assertThat(superseding.record().claimed()).isEqualTo(draining);
		store(superseding);
		assertThat(send()).isInstanceOf(ShardRequest.List.class);
	}

	@Test
	void unansweredRenewalShouldReadTheLeaseFirst() {
		holdAll();
		pass(2000);
		ShardRequest.Update renewal = (ShardRequest.Update) send();
		answer(renewal, new ShardAnswer.Unknown());
		assertThat(pause()).isBetween(Duration.ofMillis(1000), Duration.ofMillis(1200));
		pass(1200);
		assertThat(send()).isInstanceOf(ShardRequest.Get.class);
	}

	@Test
	void termThatIsOverShouldLoseAllSlotsAndBeginEmpty() {
		holdAll();
		pass(2000);
		ShardRequest.Update renewal = (ShardRequest.Update) send();
		ClockReading sent = now();
		pass(10_000);
		this.own = new MemberLease("me", "" + ++this.version, renewal.record());
		this.membership.answered(renewal, sent, new ShardAnswer.Stored(this.own), now());
		ShardRequest.Update empty = (ShardRequest.Update) send();
		assertThat(notices(ShardNotice.Lost.class)).extracting(ShardNotice.Lost::slots, ShardNotice.Lost::reason)
			.containsExactly(tuple(ALL, LossReason.EXPIRED));
		assertThat(notices(ShardNotice.Ended.class)).hasSize(1);
		assertThat(empty.record().taken().isEmpty()).isTrue();
		store(empty);
		assertThat(send()).isInstanceOf(ShardRequest.List.class);
		assertThat(notices(ShardNotice.Began.class)).extracting((began) -> began.term().number())
			.containsExactly(1L, 2L);
	}

	@Test
	void deletedOwnLeaseShouldEndTheTerm() {
		holdAll();
		pass(2000);
		answer(send(), new ShardAnswer.Absent());
		assertThat(send()).isInstanceOf(ShardRequest.List.class);
		assertThat(notices(ShardNotice.Lost.class)).extracting(ShardNotice.Lost::reason)
			.containsExactly(LossReason.TAKEN);
	}

	@Test
	void deletedLeaseShouldBlockItsSlotsUntilTheTermOfItsMemberIsOver() {
		MemberLease other = other(THEIRS, SlotSet.none());
		this.others.add(other);
		holdRest(THEIRS);
		this.others.clear();
		this.membership.observed(new ViewEvent.Deleted(new MemberLease("other", "" + ++this.version, other.record())),
				now());
		assertBlocked(THEIRS, 9);
	}

	@Test
	void leaseThatIsMissingInAListShouldBlockAllSlotsUntilTheWatchShowsItsLastState() {
		MemberLease other = other(THEIRS, SlotSet.none());
		this.others.add(other);
		holdRest(THEIRS);
		this.others.clear();
		this.membership.observed(new ViewEvent.Interrupted(), now());
		send();
		answerList();
		assertThat(next()).isInstanceOf(ShardStep.Pause.class);
		MemberRecord gone = new MemberRecord("other", 15, null, SLOTS, SlotSet.none(), SlotSet.none(), true);
		this.membership.observed(new ViewEvent.Deleted(new MemberLease("other", "" + this.version, gone)), now());
		assertThat(((ShardRequest.Update) send()).record().claimed()).isEqualTo(THEIRS);
	}

	@Test
	void leaseThatIsMissingInAListShouldNotBlockLongerThanATerm() {
		this.others.add(other(THEIRS, SlotSet.none()));
		holdRest(THEIRS);
		this.others.clear();
		this.membership.observed(new ViewEvent.Interrupted(), now());
		send();
		answerList();
		assertBlocked(THEIRS, 15);
	}

	/**
	 * Another Lease may have been created and deleted without having been seen.
	 */
	@Test
	void listThatShowsThatTheWatchWasLateShouldBlockAllSlots() {
		this.others.add(other(THEIRS, SlotSet.none()));
		holdRest(THEIRS);
		for (int i = 0; i < 8; i++) {
			pass(2000);
			store(send());
		}
		assertThat(this.own.record().claimed()).isEqualTo(THEIRS);
		assertThat(send()).isInstanceOf(ShardRequest.List.class);
		MemberLease alive = other(SlotSet.none(), SlotSet.none());
		this.others.set(0, alive);
		answerList();
		next();
		assertThat(gained().intersect(THEIRS).isEmpty()).isTrue();
	}

	/**
	 * A creation without a response took effect after the Lease was deleted.
	 */
	@Test
	void leaseThatWasCreatedAnewShouldBlockLikeOneThatIsMissing() {
		this.others.add(other(THEIRS, SlotSet.none()));
		holdRest(THEIRS);
		MemberLease created = new MemberLease("other", "" + ++this.version,
				new MemberRecord("other", 15, null, SLOTS, SlotSet.none(), SlotSet.none(), true));
		this.others.set(0, created);
		this.membership.observed(new ViewEvent.Interrupted(), now());
		send();
		answerList();
		for (int i = 0; i < 14; i++) {
			drainAll();
			assertThat(this.own.record().taken().intersect(THEIRS).isEmpty()).isTrue();
			pass(1000);
		}
		for (int i = 0; i < 4; i++) {
			drainAll();
			pass(1000);
		}
		assertThat(gained()).isEqualTo(THEIRS);
	}

	@Test
	void newcomerWithAnotherNumberOfSlotsShouldBeRefusedUntilTheHolderIsGone() {
		MemberLease foreign = new MemberLease("old", "" + ++this.version,
				new MemberRecord("old", 15, null, SLOTS * 2, ALL, SlotSet.none(), false));
		this.others.add(foreign);
		send();
		answerList();
		pause();
		assertThat(notices(ShardNotice.Refused.class)).containsExactly(new ShardNotice.Refused("old", SLOTS * 2));
		this.membership
			.observed(
					new ViewEvent.Deleted(new MemberLease("old", "" + ++this.version,
							new MemberRecord("old", 15, null, SLOTS * 2, SlotSet.none(), SlotSet.none(), true))),
					now());
		assertThat(send()).isInstanceOf(ShardRequest.Create.class);
	}

	@Test
	void leaseOfAnUnknownFormShouldBlockAllClaims() {
		this.others.add(new MemberLease("strange", "" + ++this.version,
				new MemberRecord("strange", 15, null, 0, SlotSet.none(), SlotSet.none(), false)));
		send();
		answerList();
		pause();
		assertThat(notices(ShardNotice.Refused.class)).containsExactly(new ShardNotice.Refused("strange", 0));
	}

	@Test
	void holderShouldNotMindNewcomersWithAnotherNumberOfSlots() {
		holdAll();
		observe(new MemberLease("new", "" + ++this.version,
				new MemberRecord("new", 15, null, SLOTS / 2, SlotSet.none(), SlotSet.none(), false)));
		pass(1500);
		next();
		assertThat(notices(ShardNotice.Refused.class)).isEmpty();
		assertThat(notices(ShardNotice.Draining.class)).isEmpty();
	}

	@Test
	void leavingMemberShouldDrainReleaseAndDeleteItsLease() {
		holdAll();
		this.leave = true;
		ShardRequest.Update flag = (ShardRequest.Update) send();
		assertThat(flag.record().leaving()).isTrue();
		assertThat(flag.record().taken()).isEqualTo(ALL);
		assertThat(notices(ShardNotice.Draining.class))
			.containsExactly(new ShardNotice.Draining(ALL, DrainReason.LEAVING));
		store(flag);
		pause();
		this.drained = ALL;
		ShardRequest.Update release = (ShardRequest.Update) send();
		assertThat(release.record().taken().isEmpty()).isTrue();
		store(release);
		ShardRequest.Delete delete = (ShardRequest.Delete) send();
		assertThat(delete).isEqualTo(new ShardRequest.Delete("me", this.own.resourceVersion()));
		answer(delete, new ShardAnswer.Deleted());
		assertThat(next()).isInstanceOf(ShardStep.Halt.class);
		assertThat(notices(ShardNotice.Lost.class)).containsExactly(new ShardNotice.Lost(ALL, LossReason.LEFT));
	}

	@Test
	void drainThatIsGivenUpShouldNotReleaseItsSlots() {
		holdAll();
		this.leave = true;
		store(send());
		this.giveUp = true;
		assertThat(next()).isInstanceOf(ShardStep.Halt.class);
		assertThat(notices(ShardNotice.Lost.class)).containsExactly(new ShardNotice.Lost(ALL, LossReason.GIVEN_UP));
		assertThat(next()).isInstanceOf(ShardStep.Halt.class);
	}

	@Test
	void memberThatNeverJoinedShouldLeaveAtOnce() {
		this.leave = true;
		assertThat(next()).isInstanceOf(ShardStep.Halt.class);
	}

	@Test
	void leaseOfALongDeadMemberShouldBeDeletedWithItsVersion() {
		MemberLease dead = other(SlotSet.none(), SlotSet.none());
		this.others.add(dead);
		join();
		List<ShardRequest> deletions = new ArrayList<>();
		for (int i = 0; i < 160; i++) {
			pass(1000);
			for (ShardStep step = next(); step instanceof ShardStep.Send sending; step = next()) {
				if (sending.request() instanceof ShardRequest.Delete) {
					assertThat(i).isGreaterThan(145);
					deletions.add(sending.request());
					answer(sending.request(), new ShardAnswer.Unknown());
				}
				else {
					serve(sending.request());
				}
			}
		}
		assertThat(deletions).containsExactly(new ShardRequest.Delete("other", dead.resourceVersion()));
	}

	@Test
	void rejectedRequestsShouldBeRepeatedSlowly() {
		int requests = 0;
		for (long until = 60_000; this.millis < until;) {
			ShardStep step = next();
			if (step instanceof ShardStep.Send sending) {
				requests++;
				answer(sending.request(), new ShardAnswer.Refused());
			}
			else if (step instanceof ShardStep.Pause pause) {
				pass(pause.time().toMillis() + 1);
			}
		}
		assertThat(requests).isBetween(45, 60);
	}

	private MemberLease other(SlotSet held, SlotSet claimed) {
		this.lastOther = lease("other", held, claimed);
		return this.lastOther;
	}

	private MemberLease lease(String name, SlotSet held, SlotSet claimed) {
		return new MemberLease(name, "" + ++this.version,
				new MemberRecord(name, 15, Instant.EPOCH, SLOTS, held, claimed, false));
	}

	/**
	 * Returns the slot with the highest score of this member among those for which it is
	 * before the other one, or after it.
	 */
	private static int contested(boolean before) {
		return ALL.stream()
			.boxed()
			.filter((slot) -> SlotPlan.isBefore("me", "other", slot) == before)
			.max(Comparator.comparingLong((slot) -> SlotPlan.score("me", slot)))
			.orElseThrow();
	}

	private ClockReading now() {
		return new ClockReading(this.millis * 1_000_000, 1_800_000_000_000L + this.millis + this.wallOffset);
	}

	private void pass(long passed) {
		this.millis += passed;
	}

	private ShardStep next() {
		ShardDecision decision = this.membership.next(new ShardSignals(this.leave, this.giveUp, this.drained, false),
				now());
		this.notices.addAll(decision.notices());
		return decision.step();
	}

	private ShardRequest send() {
		ShardStep step = next();
		assertThat(step).isInstanceOf(ShardStep.Send.class);
		return ((ShardStep.Send) step).request();
	}

	private Duration pause() {
		ShardStep step = next();
		assertThat(step).isInstanceOf(ShardStep.Pause.class);
		return ((ShardStep.Pause) step).time();
	}

	private void answer(ShardRequest request, ShardAnswer answer) {
		this.membership.answered(request, now(), answer, now());
	}

	private void answerList() {
		List<MemberLease> all = new ArrayList<>(this.others);
		if (!notices(ShardNotice.Began.class).isEmpty()) {
			all.add(this.own);
		}
		answer(new ShardRequest.List(), new ShardAnswer.Listed(all, "" + this.version));
	}

	private void store(ShardRequest request) {
		MemberRecord record = (request instanceof ShardRequest.Create create) ? create.record()
				: ((ShardRequest.Update) request).record();
		this.own = new MemberLease("me", "" + ++this.version, record);
		answer(request, new ShardAnswer.Stored(this.own));
		if (request instanceof ShardRequest.Create) {
			next();
		}
	}

	private void serve(ShardRequest request) {
		if (request instanceof ShardRequest.List) {
			answerList();
		}
		else {
			store(request);
		}
	}

	private void observe(MemberLease lease) {
		this.membership.observed(new ViewEvent.Changed(lease), now());
	}

	private void join() {
		send();
		answerList();
		store(send());
	}

	private void holdAll() {
		holdRest(SlotSet.none());
	}

	/**
	 * Holds all slots but those of the other member.
	 */
	private void holdRest(SlotSet rest) {
		join();
		pass(1000);
		drainAll();
		for (int i = 0; i < 3; i++) {
			pass(2000);
			drainAll();
		}
		assertThat(this.own.record().held()).isEqualTo(ALL.minus(rest));
		this.notices.removeIf((notice) -> !(notice instanceof ShardNotice.Began));
	}

	/**
	 * Serves requests until the membership waits.
	 */
	private void drainAll() {
		for (ShardStep step = next(); step instanceof ShardStep.Send sending; step = next()) {
			serve(sending.request());
		}
	}

	private void assertBlocked(SlotSet slots, int seconds) {
		for (int i = 0; i < seconds - 1; i++) {
			drainAll();
			assertThat(this.own.record().taken().intersect(slots).isEmpty()).isTrue();
			pass(1000);
		}
		for (int i = 0; i < 3; i++) {
			drainAll();
			pass(1000);
		}
		assertThat(gained()).isEqualTo(slots);
	}

	private SlotSet gained() {
		SlotSet gained = SlotSet.none();
		for (ShardNotice.Gained each : notices(ShardNotice.Gained.class)) {
			gained = gained.union(each.slots());
		}
		return gained;
	}

	private <T extends ShardNotice> List<T> notices(Class<T> type) {
		return this.notices.stream().filter(type::isInstance).map(type::cast).toList();
	}

}
