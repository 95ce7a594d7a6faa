package dev.kubeinformer;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.openapi.models.V1Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.elector.ElectorClocks;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardWork.Phase;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.shard.ShardsState;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Members of a group when the API server, the network, the clocks or other clients
 * misbehave.
 */
@Tag("slow")
class ShardMembershipFaultTests {

	private final ShardRig rig = new ShardRig();

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void memberThatIsCutOffIsFollowedAndKeepsItsObjectsUntilThen() throws IOException {
		this.rig.hasty();
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.rig.api.port())) {
			ShardMembership first = this.rig.member("pod-a", "http://127.0.0.1:" + network.port(), (spec) -> spec);
			RecordedShardWork caches = new RecordedShardWork(Phase.CACHES);
			RecordedShardWork runs = new RecordedShardWork(Phase.RUNS);
			first.register(caches);
			first.register(runs);
			first.addListener(caches);
			first.start();
			ShardRig.await().until(() -> runs.calls.contains("RUNS settled"));
			ShardMembership second = this.rig.member("pod-b");
			second.start();
			ShardRig.awaitBalance(first, second);
			Leadership.Term term = first.membership().term();
			caches.calls.clear();
			network.freeze();
			ShardRig.await().until(() -> !first.membership().holds(term));
			assertThat(first.slots()).isEmpty();
			ShardRig.await().until(() -> caches.calls.contains("told lost 8 EXPIRED"));
			ShardRig.await().until(() -> runs.calls.contains("RUNS lost 8"));
			ShardRig.await().until(() -> caches.calls.contains("CACHES lost 8"));
			assertThat(caches.calls).hasSize(2);
			ShardRig.await().until(() -> {
				ShardRig.requireDisjoint(first, second);
				return second.slots().size() == 16;
			});
			network.thaw();
			ShardRig.await()
				.untilAsserted(
						() -> assertThat(caches.calls).anyMatch((call) -> call.matches("told lost [1-8] MOVED")));
			assertThat(caches.calls).anyMatch((call) -> call.matches("CACHES drain [1-8]"));
			ShardRig.awaitBalance(first, second);
			assertThat(first.membership().holds(term)).isFalse();
			first.stop();
		}
	}

	@Test
	void slotsOfAMemberThatDiedAreTakenAfterItsLease() throws IOException {
		this.rig.hasty();
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.rig.api.port())) {
			ShardMembership dead = this.rig.member("pod-a", "http://127.0.0.1:" + network.port(), (spec) -> spec);
			ShardMembership other = this.rig.member("pod-b");
			dead.start();
			other.start();
			ShardRig.awaitBalance(dead, other);
			network.freeze();
			long start = System.nanoTime();
			ShardRig.await().until(() -> other.slots().size() == 16);
			assertThat(Duration.ofNanos(System.nanoTime() - start))
				.isGreaterThanOrEqualTo(ElectorRig.LEASE_DURATION.minus(ShardRig.RETRY_PERIOD.multipliedBy(2)));
			assertThat(other.status().vacant()).isEmpty();
			ShardRig.await().until(() -> other.members().size() == 1);
			network.thaw();
			dead.stop();
		}
	}

	@Test
	void stopThatReachesNobodyEndsSoon() throws IOException {
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.rig.api.port())) {
			ShardMembership member = this.rig.member("pod-a", "http://127.0.0.1:" + network.port(),
					(spec) -> spec.withTimes(Duration.ofSeconds(10), Duration.ofSeconds(2), ShardRig.RETRY_PERIOD));
			member.start();
			ShardRig.awaitBalance(member);
			network.refuse();
			long start = System.nanoTime();
			member.stop();
			assertThat(Duration.ofNanos(System.nanoTime() - start))
				.isLessThan(member.spec().drainTimeout().dividedBy(2));
			assertThat(member.slots()).isEmpty();
		}
	}

	@Test
	void lostAnswersOfWritesEndNoTerm() {
		ShardMembership member = this.rig.only("pod-a");
		Leadership.Term term = member.membership().term();
		Fault lost = this.rig.api.faults().on(Requests.update("leases")).times(3).cutAfter(0);
		ShardRig.await().until(() -> lost.hits() == 3);
		long renewals = member.status().renewals();
		ShardRig.await().until(() -> member.status().renewals() >= renewals + 2);
		assertThat(member.membership().holds(term)).isTrue();
		assertThat(member.slots()).hasSize(16);
		Fault errors = this.rig.api.faults().on(Requests.of("leases")).times(4).status(500);
		ShardRig.await().until(() -> errors.hits() == 4);
		long later = member.status().renewals();
		ShardRig.await().until(() -> member.status().renewals() >= later + 2);
		assertThat(member.membership().holds(term)).isTrue();
		ShardRig.await().until(() -> member.status().lastError() == null);
	}

	@Test
	void lostAnswersDuringAMoveDelayItOnly() {
		ShardMembership first = this.rig.only("pod-a");
		this.rig.api.faults().on(Requests.create("leases")).times(1).cutAfter(0);
		this.rig.api.faults().on(Requests.update("leases")).times(4).cutAfter(0);
		this.rig.api.faults().on(Requests.list("leases")).times(2).cutAfter(0);
		ShardMembership second = this.rig.member("pod-b");
		second.start();
		ShardRig.awaitBalance(first, second);
	}

	@Test
	void watchThatIsSilentlyDeadIsReplaced() throws IOException {
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.rig.api.port())) {
			ShardMembership first = this.rig.member("pod-a", "http://127.0.0.1:" + network.port(), (spec) -> spec);
			ShardMembership second = this.rig.member("pod-b");
			first.start();
			second.start();
			ShardRig.awaitBalance(first, second);
			network.abandon();
			second.stop();
			ShardRig.awaitBalance(first);
			first.stop();
		}
	}

	@Test
	void compactedHistoryAndRestartedServerCostOnlyAList() {
		ShardMembership first = this.rig.only("pod-a");
		ShardMembership second = this.rig.member("pod-b");
		second.start();
		ShardRig.awaitBalance(first, second);
		this.rig.api.compact();
		this.rig.api.dropConnections();
		second.stop();
		ShardRig.awaitBalance(first);
		this.rig.api.restart();
		ShardMembership third = this.rig.member("pod-c");
		third.start();
		ShardRig.awaitBalance(first, third);
	}

	@Test
	void memberPollsWhereItMayNotWatch() {
		this.rig.api.faults().on(Requests.watch("leases")).forbid();
		ShardMembership first = this.rig.only("pod-a");
		ShardMembership second = this.rig.member("pod-b");
		second.start();
		ShardRig.awaitBalance(first, second);
		assertThat(first.status().missingVerbs()).containsExactly("watch");
		assertThat(first.status().lastError()).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 503, 429 })
	void memberPollsWhereEveryWatchFails(int status) {
		this.rig.api.faults().on(Requests.watch("leases")).status(status);
		ShardMembership first = this.rig.only("pod-a");
		ShardMembership second = this.rig.member("pod-b");
		second.start();
		ShardRig.awaitBalance(first, second);
	}

	@Test
	void missingPermissionIsNamedOnceAndMended() {
		Fault denied = this.rig.api.faults().on(Requests.create("leases")).forbid();
		try (RecordedLog log = new RecordedLog(Leadership.class.getName(), Shards.class.getName())) {
			ShardMembership member = this.rig.member("pod-a");
			member.start();
			ShardRig.await().until(() -> denied.hits() >= 3);
			assertThat(member.status().missingVerbs()).containsExactly("create");
			assertThat(member.status().lastError().httpStatus()).isEqualTo(403);
			assertThat(member.status().state()).isEqualTo(ShardsState.JOINING);
			assertThat(member.isSettled()).isFalse();
			assertThat(log.warnings()).hasSize(1);
			assertThat(log.warnings().get(0)).contains("Cannot create Leases of group 'default/app'", "verb 'create'",
					"so this replica gets no slots");
			denied.remove();
			ShardRig.awaitBalance(member);
		}
	}

	@Test
	void memberWithAnotherDivisionTakesNoPart() {
		ShardMembership first = this.rig.only("pod-a");
		Slots other = new Slots(ShardKey.NAMESPACE, 16);
		try (RecordedLog log = new RecordedLog(Shards.class.getName())) {
			ShardMembership second = this.rig.member("pod-b",
					(spec) -> ShardsSpec.of(spec.namespace(), spec.group(), other)
						.withTimes(spec.leaseDuration(), spec.renewDeadline(), spec.retryPeriod())
						.withSettleTime(spec.settleTime())
						.withIdentity("pod-b"));
			second.start();
			ShardRig.await().until(() -> second.status().state() == ShardsState.REFUSED);
			assertThat(second.status().refusedBy()).isEqualTo(first.status().lease());
			assertThat(log.lines()).anySatisfy((line) -> assertThat(line).contains("'pod-b' takes no slots",
					"16 by namespace", "another key", "use the same number and key"));
			assertThat(first.slots()).hasSize(16);
			first.stop();
			ShardRig.awaitBalance(second);
			assertThat(second.status().state()).isEqualTo(ShardsState.ACTIVE);
			assertThat(second.status().refusedBy()).isNull();
		}
	}

	@Test
	void deletedLeaseEndsTheTermAtOnceAndTheMemberJoinsAgain() {
		ShardMembership member = this.rig.only("pod-a");
		RecordedShardWork caches = new RecordedShardWork(Phase.CACHES);
		member.register(caches);
		ShardRig.await().until(() -> caches.calls.contains("CACHES settled"));
		Leadership.Term term = member.membership().term();
		this.rig.api.resources(V1Lease.class).delete("default", member.status().lease());
		ShardRig.await().until(() -> !member.membership().holds(term));
		ShardRig.await().until(() -> member.slots().size() == 16);
		ShardRig.await()
			.until(() -> caches.calls
				.equals(List.of("CACHES gained 16", "CACHES settled", "CACHES lost 16", "CACHES gained 16")));
		assertThat(member.membership().term().number()).isGreaterThan(term.number());
	}

	@Test
	void wallClockThatJumpsAheadEndsTheTermAndOneThatIsSetBackDoesNotBringItBack() {
		SetClock wall = new SetClock();
		ShardMembership member = this.rig.member("pod-a", new ElectorClocks(System::nanoTime, wall));
		member.start();
		ShardRig.awaitBalance(member);
		Leadership.Term term = member.membership().term();
		wall.jump(Duration.ofHours(1));
		assertThat(member.owns(0)).isFalse();
		assertThat(member.slots()).isEmpty();
		wall.jump(Duration.ZERO);
		assertThat(member.membership().holds(term)).isFalse();
		ShardRig.await().until(() -> member.slots().size() == 16);
		assertThat(member.membership().holds(term)).isFalse();
	}

	@Test
	void drainIsInterruptedWhenTheTermEnds() {
		this.rig.hasty();
		CountDownLatch interrupted = new CountDownLatch(1);
		ShardMembership first = this.rig.member("pod-a");
		RecordedShardWork runs = new RecordedShardWork(Phase.RUNS) {

			@Override
			public boolean drain(Set<Integer> slots) throws InterruptedException {
				super.drain(slots);
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					interrupted.countDown();
					throw ex;
				}
				return true;
			}

		};
		first.register(runs);
		first.start();
		ShardRig.await().until(() -> runs.calls.contains("RUNS settled"));
		ShardMembership second = this.rig.member("pod-b");
		second.start();
		ShardRig.await().until(() -> runs.calls.contains("RUNS drain 8"));
		Fault hung = this.rig.api.faults().on(Requests.update("leases")).freeze();
		ShardRig.await().until(() -> interrupted.getCount() == 0);
		ShardRig.await().until(() -> runs.calls.contains("RUNS lost 16"));
		hung.remove();
	}

	@Test
	void atRestEachMemberSendsOneRenewalInEachRetryPeriod() {
		ShardMembership first = this.rig.only("pod-a");
		ShardMembership second = this.rig.member("pod-b");
		ShardMembership third = this.rig.member("pod-c");
		second.start();
		third.start();
		ShardRig.awaitBalance(first, second, third);
		// The last moves are in the Leases after one more renewal.
		long renewals = third.status().renewals();
		ShardRig.await().until(() -> third.status().renewals() >= renewals + 3);
		this.rig.api.clearRequests();
		long start = System.nanoTime();
		long before = renewals(first, second, third);
		ShardRig.await().until(() -> renewals(first, second, third) >= before + 30);
		long periods = (System.nanoTime() - start) / ShardRig.RETRY_PERIOD.toNanos();
		assertThat(this.rig.api.requests()).allMatch((request) -> request.method().equals("PUT"));
		assertThat(this.rig.api.requests()).hasSizeLessThanOrEqualTo((int) (3 * (periods + 2)));
	}

	private static long renewals(ShardMembership... members) {
		long renewals = 0;
		for (ShardMembership member : members) {
			renewals += member.status().renewals();
		}
		return renewals;
	}

}
