package dev.kubeinformer;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Electors on the embedded API server, when all is well.
 */
class LeaderElectorTests {

	private static final Duration STEADY_DURATION = Duration.ofSeconds(6);

	/**
	 * Times for tests that wait for the end of a term: a machine that stalls for a second
	 * must not end it.
	 */
	private static final UnaryOperator<LeaderSpec> STEADY_TIMES = (spec) -> spec.withTimes(STEADY_DURATION,
			Duration.ofSeconds(4), ElectorRig.RETRY_PERIOD);

	private final ElectorRig rig = new ElectorRig();

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void firstCandidateLeadsAtOnceAndWritesARecordAsClientGoDoes() {
		this.rig.patient();
		LeaderElector elector = this.rig.leader();
		V1LeaseSpec record = this.rig.lease().getSpec();
		assertThat(record.getHolderIdentity()).isEqualTo(elector.spec().identity());
		assertThat(record.getLeaseDurationSeconds()).isEqualTo(30);
		assertThat(record.getLeaseTransitions()).isEqualTo(1);
		assertThat(record.getAcquireTime()).isNotNull();
		assertThat(record.getRenewTime()).isNotNull();
		assertThat(elector.term().number()).isEqualTo(1);
		assertThat(elector.holder()).isEqualTo(elector.spec().identity());
		LeaderStatus status = elector.status();
		assertThat(status.state()).isEqualTo(LeaderState.LEADING);
		assertThat(status.slack()).isPositive();
		assertThat(status.terms()).isEqualTo(1);
	}

	@Test
	void standbyLeadsSoonAfterTheLeaderHasStopped() {
		this.rig.patient();
		LeaderElector first = this.rig.leader();
		LeaderElector second = this.rig.standby();
		assertThat(second.holder()).isEqualTo(first.spec().identity());
		assertThat(second.term()).isNull();
		first.stop();
		assertThat(first.isLeader()).isFalse();
		assertThat(first.status().state()).isEqualTo(LeaderState.STOPPED);
		ElectorRig.await().until(second::isLeader);
		assertThat(second.term().number()).isEqualTo(2);
	}

	@Test
	void stopReleasesTheLeaseAsClientGoDoesAndSendsNothingAfterwards() {
		this.rig.patient();
		LeaderElector elector = this.rig.leader();
		elector.stop();
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEmpty();
		assertThat(this.rig.lease().getSpec().getLeaseDurationSeconds()).isEqualTo(1);
		this.rig.api.clearRequests();
		ElectorRig.await()
			.during(ElectorRig.RETRY_PERIOD.multipliedBy(3))
			.until(() -> this.rig.api.requests().isEmpty());
	}

	@Test
	void stopWithoutReleaseLeavesTheHolder() {
		LeaderElector elector = this.rig.elector((spec) -> spec.withReleaseOnStop(false));
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		elector.stop();
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEqualTo(elector.spec().identity());
		assertThat(elector.isLeader()).isFalse();
	}

	@Test
	void startAfterAStopLeadsInAnotherTermWithTheSameIdentity() {
		this.rig.patient();
		LeaderElector elector = this.rig.leader();
		String identity = elector.spec().identity();
		elector.stop();
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		assertThat(elector.term().number()).isEqualTo(2);
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEqualTo(identity);
	}

	@Test
	void renewalsKeepTheLeaderAndItsTerm() {
		LeaderElector first = this.rig.elector(STEADY_TIMES);
		first.start();
		ElectorRig.await().until(first::isLeader);
		this.rig.elector(STEADY_TIMES).start();
		this.rig.elector(STEADY_TIMES).start();
		ElectorRig.await()
			.atMost(Duration.ofSeconds(20))
			.during(STEADY_DURATION.plusSeconds(1))
			.until(() -> ElectorRig.leads(first, 1));
	}

	@Test
	void renewalKeepsWhatOthersHavePutIntoTheLease() {
		this.rig.patient();
		LeaderElector elector = this.rig.leader();
		this.rig.api.resources(V1Lease.class).edit("default", "app", (lease) -> {
			lease.getMetadata().putLabelsItem("team", "blue");
			lease.getSpec().setStrategy("OldestEmulationVersion");
		});
		this.rig.renewsOn(elector);
		assertThat(this.rig.lease().getMetadata().getLabels()).isEqualTo(Map.of("team", "blue"));
		assertThat(this.rig.lease().getSpec().getStrategy()).isEqualTo("OldestEmulationVersion");
		assertThat(elector.term().number()).isEqualTo(1);
	}

	@Test
	void leaseWithoutAHolderIsTakenAtOnce() {
		this.rig.patient();
		this.rig.api.resources(V1Lease.class)
			.create(new V1Lease().metadata(new V1ObjectMeta().namespace("default").name("app")));
		LeaderElector elector = this.rig.elector();
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		assertThat(this.rig.api.requests()).noneMatch((request) -> Requests.create("leases").test(request));
	}

	@Test
	void holderWhoseClockIsFarOffIsWaitedForByOwnTimeOnly() {
		OffsetDateTime longAgo = OffsetDateTime.parse("2001-01-01T00:00:00.000001Z");
		this.rig.api.resources(V1Lease.class)
			.create(new V1Lease().metadata(new V1ObjectMeta().namespace("default").name("app"))
				.spec(new V1LeaseSpec().holderIdentity("elsewhere")
					.leaseDurationSeconds((int) STEADY_DURATION.toSeconds())
					.leaseTransitions(7)
					.acquireTime(longAgo)
					.renewTime(longAgo)));
		LeaderElector elector = this.rig.elector(STEADY_TIMES);
		List<Long> terms = new CopyOnWriteArrayList<>();
		elector.addListener(new LeadershipListener() {

			@Override
			public void granted(Leadership.Term term) {
				terms.add(term.number());
			}

		});
		long start = System.nanoTime();
		elector.start();
		ElectorRig.await().until(() -> !terms.isEmpty());
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(STEADY_DURATION,
				STEADY_DURATION.plusSeconds(30));
		assertThat(terms).first().isEqualTo(8L);
	}

	@Test
	void yieldLetsTheOtherLeadAndStandsAgain() {
		this.rig.patient();
		LeaderElector first = this.rig.leader();
		LeaderElector second = this.rig.standby();
		first.yield();
		ElectorRig.await().until(second::isLeader);
		assertThat(first.isLeader()).isFalse();
		// Who has not seen another holder since it yielded does not stand.
		ElectorRig.await().until(() -> second.spec().identity().equals(first.holder()));
		second.yield();
		ElectorRig.await().until(first::isLeader);
		assertThat(first.term().number()).isEqualTo(3);
	}

	@Test
	void yieldWithoutAnotherCandidateLeadsAgainAfterTheLeaseDuration() {
		LeaderElector elector = this.rig.leader();
		long start = System.nanoTime();
		elector.yield();
		ElectorRig.await().until(() -> !elector.isLeader());
		ElectorRig.await().until(elector::isLeader);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(ElectorRig.LEASE_DURATION);
	}

	@Test
	void preferredHolderLeads() {
		this.rig.patient();
		LeaderElector first = this.rig.leader();
		this.rig.standby();
		LeaderElector preferred = this.rig.standby();
		List<RevocationReason> reasons = new CopyOnWriteArrayList<>();
		first.addListener(new LeadershipListener() {

			@Override
			public void revoked(Leadership.Term term, RevocationReason reason) {
				reasons.add(reason);
			}

		});
		this.rig.api.resources(V1Lease.class).edit("default", "app", (lease) -> {
			lease.getSpec().setStrategy("OldestEmulationVersion");
			lease.getSpec().setPreferredHolder(preferred.spec().identity());
		});
		ElectorRig.await().until(preferred::isLeader);
		ElectorRig.await().until(() -> reasons.equals(List.of(RevocationReason.PREFERRED)));
		assertThat(this.rig.lease().getSpec().getPreferredHolder()).isNull();
	}

	@Test
	void candidateStandsOnlyWhenItsWorkIsReady() {
		this.rig.patient();
		RecordedWork work = new RecordedWork();
		work.awaiting = List.of("pods");
		LeaderElector elector = this.rig.elector();
		elector.register(work);
		elector.start();
		ElectorRig.await().until(() -> elector.status().awaiting().equals(List.of("pods")));
		assertThat(elector.status().state()).isEqualTo(LeaderState.SYNCING);
		assertThat(elector.isLeader()).isFalse();
		work.awaiting = List.of();
		ElectorRig.await().until(elector::isLeader);
		ElectorRig.await().until(() -> work.calls.equals(List.of("granted 1")));
	}

	@Test
	void candidateWaitsForItsWorkNoLongerThanTheSyncTimeout() {
		RecordedWork work = new RecordedWork();
		work.awaiting = List.of("pods");
		LeaderElector elector = this.rig.elector((spec) -> spec.withSyncTimeout(Duration.ofMillis(500)));
		elector.register(work);
		long start = System.nanoTime();
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(500));
	}

	@Test
	void taskRunsInItsTermAndHasEndedWhenTheLeaseIsReleased() throws InterruptedException {
		this.rig.patient();
		LeaderElector elector = this.rig.elector();
		CountDownLatch began = new CountDownLatch(1);
		AtomicBoolean interrupted = new AtomicBoolean();
		elector.runWhileLeader("task", (term) -> {
			began.countDown();
			try {
				new CountDownLatch(1).await();
			}
			finally {
				interrupted.set(true);
			}
		});
		elector.start();
		assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
		elector.stop();
		assertThat(interrupted).isTrue();
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEmpty();
	}

	@Test
	void workThatIsAddedWhileLeadingIsGrantedTheTerm() {
		this.rig.patient();
		LeaderElector elector = this.rig.leader();
		RecordedWork work = new RecordedWork();
		Leadership.Registration registration = elector.register(work);
		ElectorRig.await().until(() -> work.calls.equals(List.of("granted 1")));
		registration.close();
		elector.stop();
		assertThat(work.calls).containsExactly("granted 1");
	}

	@Test
	void listenersAreNotifiedOfTermsAndRenewals() {
		this.rig.patient();
		List<String> notices = new CopyOnWriteArrayList<>();
		LeaderElector elector = this.rig.elector();
		elector.addListener(new LeadershipListener() {

			@Override
			public void granted(Leadership.Term term) {
				notices.add("granted " + term.number());
			}

			@Override
			public void revoked(Leadership.Term term, RevocationReason reason) {
				notices.add("revoked " + term.number() + " " + reason);
			}

			@Override
			public void renewed(Duration slack) {
				assertThat(slack).isBetween(Duration.ZERO,
						ElectorRig.PATIENT_DEADLINE.minus(ElectorRig.RETRY_PERIOD).plusMillis(5));
				notices.add("renewed");
			}

		});
		elector.start();
		ElectorRig.await().until(() -> notices.contains("renewed"));
		elector.stop();
		ElectorRig.await().until(() -> notices.contains("revoked 1 STOPPED"));
		assertThat(notices.get(0)).isEqualTo("granted 1");
	}

	@Test
	void requestsGoOverConnectionsOfTheElectorsOwn() {
		this.rig.patient();
		LeaderElector elector = this.rig.leader();
		this.rig.renewsOn(elector);
		assertThat(this.rig.api.requests()).allMatch((request) -> "leases".equals(request.resource()));
		assertThat(this.rig.api.requests().stream().filter(RecordedRequest::isWatch).count()).isEqualTo(1);
	}

	@Test
	void aloneItAlwaysLeads() {
		Leadership leadership = LeaderElector.always();
		RecordedWork work = new RecordedWork();
		leadership.register(work);
		assertThat(leadership.isLeader()).isTrue();
		assertThat(leadership.term().number()).isZero();
		assertThat(leadership.holds(leadership.term())).isTrue();
		assertThat(work.calls).containsExactly("granted 0");
	}

}
