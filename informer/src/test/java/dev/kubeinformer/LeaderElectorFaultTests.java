package dev.kubeinformer;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.elector.ElectorClocks;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Electors when the API server, the network, the clocks or other clients misbehave.
 */
@Tag("slow")
class LeaderElectorFaultTests {

	private ElectorRig rig = new ElectorRig();

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void termEndsByTheClocksAlthoughARequestHangs() {
		LeaderElector elector = this.rig.leader();
		RecordedWork work = new RecordedWork();
		elector.register(work);
		Leadership.Term term = elector.term();
		Fault hung = this.rig.api.faults().on(Requests.of("leases")).freeze();
		// No renewal is sent from now on that is answered.
		long end = System.nanoTime() + ElectorRig.RENEW_DEADLINE.toNanos();
		ElectorRig.await().until(() -> System.nanoTime() - end >= 0);
		assertThat(elector.isLeader()).isFalse();
		ElectorRig.await().until(() -> work.calls.contains("lost"));
		assertThat(elector.holds(term)).isFalse();
		hung.remove();
		ElectorRig.await().until(() -> {
			Leadership.Term later = elector.term();
			return later != null && later.number() > term.number();
		});
		assertThat(elector.isRunning()).isTrue();
	}

	@Test
	void errorsOfTheApiServerEndNoTermThatIsRenewedInTime() {
		this.rig.patient();
		LeaderElector elector = this.rig.leader();
		Fault errors = this.rig.api.faults().on(Requests.of("leases")).times(2).status(500);
		ElectorRig.await().until(() -> errors.hits() == 2);
		this.rig.renewsOn(elector);
		assertThat(elector.term().number()).isEqualTo(1);
		assertThat(elector.status().lastError()).isNull();
	}

	@Test
	void connectionsThatBreakEndNoTerm() {
		this.rig.patient();
		LeaderElector elector = this.rig.leader();
		this.rig.api.dropConnections();
		this.rig.renewsOn(elector);
		this.rig.api.dropConnections();
		this.rig.renewsOn(elector);
		assertThat(elector.term().number()).isEqualTo(1);
	}

	@Test
	void leaderThatIsCutOffIsFollowedAfterTheLeaseDurationAndNeverBefore() throws IOException {
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.rig.api.port())) {
			LeaderElector first = this.rig.elector("http://127.0.0.1:" + network.port(), (spec) -> spec);
			first.start();
			ElectorRig.await().until(first::isLeader);
			LeaderElector second = this.rig.standby();
			network.freeze();
			ElectorRig.awaitFollower(first, second);
			network.thaw();
			ElectorRig.await().until(() -> second.spec().identity().equals(first.holder()));
			assertThat(first.status().state()).isEqualTo(LeaderState.STANDBY);
		}
	}

	@Test
	void leaseThatIsDeletedIsMadeAgainByItsHolder() {
		this.rig.patient();
		LeaderElector first = this.rig.leader();
		LeaderElector second = this.rig.standby();
		List<RevocationReason> reasons = new CopyOnWriteArrayList<>();
		first.addListener(new LeadershipListener() {

			@Override
			public void revoked(Leadership.Term term, RevocationReason reason) {
				reasons.add(reason);
			}

		});
		this.rig.api.resources(V1Lease.class).delete("default", "app");
		ElectorRig.await().until(() -> ElectorRig.leads(first, 2));
		ElectorRig.await().until(() -> reasons.equals(List.of(RevocationReason.TAKEN)));
		assertThat(second.isLeader()).isFalse();
	}

	@Test
	void leaseThatNamesAnotherHolderIsGivenUpAtOnce() {
		LeaderElector elector = this.rig.leader();
		long start = System.nanoTime();
		this.rig.api.resources(V1Lease.class)
			.edit("default", "app", (lease) -> lease.getSpec().setHolderIdentity("elsewhere"));
		ElectorRig.await().until(() -> !elector.isLeader() && "elsewhere".equals(elector.holder()));
		ElectorRig.await().until(elector::isLeader);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(ElectorRig.LEASE_DURATION);
	}

	@Test
	void holderThatWasRemovedByHandIsWaitedForAsItMayNotKnow() throws IOException {
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.rig.api.port())) {
			LeaderElector first = this.rig.elector("http://127.0.0.1:" + network.port(), (spec) -> spec);
			first.start();
			ElectorRig.await().until(first::isLeader);
			LeaderElector second = this.rig.standby();
			network.freeze();
			long start = System.nanoTime();
			this.rig.api.resources(V1Lease.class)
				.edit("default", "app", (lease) -> lease.getSpec().setHolderIdentity(""));
			ElectorRig.await().until(() -> second.holder() == null);
			ElectorRig.awaitFollower(first, second);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(ElectorRig.LEASE_DURATION);
			network.thaw();
		}
	}

	@Test
	void standbyPollsWhereItMayNotWatch() {
		this.rig.patient();
		this.rig.api.faults().on(Requests.watch("leases")).forbid();
		LeaderElector first = this.rig.leader();
		LeaderElector second = this.rig.standby();
		ElectorRig.await().until(() -> second.status().missingVerbs().equals(List.of("watch")));
		assertThat(second.status().lastError()).isNull();
		first.stop();
		ElectorRig.await().until(second::isLeader);
	}

	@Test
	void candidateWithoutRightsFollowsAndSaysOnceWhichRuleIsMissing() {
		this.rig.close();
		this.rig = new ElectorRig(EmbeddedKubernetes.builder()
			.user("app", "secret-token", (user) -> user.allow("get", "leases.coordination.k8s.io"))
			.start()).patient();
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger(Leadership.class);
		log.start();
		logger.addAppender(log);
		try {
			LeaderElector elector = this.rig.add(LeaderElector.of(this::clientOfUser, this.rig.spec()));
			elector.start();
			ElectorRig.await().until(() -> elector.status().missingVerbs().contains("create"));
			ElectorRig.await()
				.until(() -> this.rig.api.requests().stream().filter(Requests.create("leases")).count() >= 3);
			assertThat(elector.status().state()).isEqualTo(LeaderState.STANDBY);
			assertThat(elector.status().lastError().httpStatus()).isEqualTo(403);
			assertThat(elector.status().lastError().verb()).isEqualTo("create");
			List<String> warnings = log.list.stream()
				.filter((event) -> event.getLevel() == Level.WARN)
				.map(ILoggingEvent::getFormattedMessage)
				.toList();
			assertThat(warnings).hasSize(1);
			assertThat(warnings.get(0)).contains("'create'", "'leases'", "'coordination.k8s.io'", "'default'")
				.doesNotContain("secret-token");
			this.rig.api.user("app").allow("create,update,watch", "leases.coordination.k8s.io");
			ElectorRig.await().until(elector::isLeader);
			assertThat(elector.status().lastError()).isNull();
		}
		finally {
			logger.detachAppender(log);
		}
	}

	@Test
	void watchOfAStandbyThatMeetsAnErrorIsTriedAgain() {
		this.rig.patient();
		LeaderElector first = this.rig.leader();
		AtomicLong watches = new AtomicLong();
		LeaderElector second = this.rig.add(LeaderElector.of(() -> {
			ApiClient client = ElectorRig.client(this.rig.api.url());
			client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor((chain) -> {
				if ("true".equals(chain.request().url().queryParameter("watch")) && watches.incrementAndGet() == 1) {
					throw new NoClassDefFoundError("injected by the test");
				}
				return chain.proceed(chain.request());
			}).build());
			return client;
		}, this.rig.spec()));
		second.start();
		ElectorRig.await().until(() -> watches.get() >= 2);
		first.stop();
		ElectorRig.await().until(second::isLeader);
	}

	@Test
	void timesThatAreMoreThanAClockCanCountMeanForEver() {
		Duration huge = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
		LeaderElector elector = this.rig
			.elector((spec) -> spec.withTimes(huge, Duration.ofDays(1), Duration.ofSeconds(1))
				.withSyncTimeout(huge)
				.withDrainTimeout(huge));
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		assertThat(this.rig.lease().getSpec().getLeaseDurationSeconds()).isGreaterThan(1_000_000_000);
		elector.stop();
		assertThat(elector.isLeader()).isFalse();
	}

	private ApiClient clientOfUser() {
		try {
			return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(this.rig.api.kubeconfig())))
				.build();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void candidateLeadsAsSoonAsItsNamespaceExists() {
		LeaderElector elector = this.rig
			.add(LeaderElector.of(() -> ElectorRig.client(this.rig.api.url()), LeaderSpec.of("later", "app")
				.withTimes(ElectorRig.LEASE_DURATION, ElectorRig.RENEW_DEADLINE, ElectorRig.RETRY_PERIOD)));
		elector.start();
		ElectorRig.await().until(() -> elector.status().lastError() != null);
		assertThat(elector.status().lastError().httpStatus()).isEqualTo(404);
		assertThat(elector.isLeader()).isFalse();
		this.rig.api.resources(V1Namespace.class).create(new V1Namespace().metadata(new V1ObjectMeta().name("later")));
		ElectorRig.await().until(elector::isLeader);
	}

	@Test
	void clientThatCannotBeHadYetIsAskedForAgain() {
		AtomicLong asked = new AtomicLong();
		LeaderElector elector = this.rig.add(LeaderElector.of(() -> {
			if (asked.incrementAndGet() < 3) {
				throw new IllegalStateException("no credentials yet");
			}
			return ElectorRig.client(this.rig.api.url());
		}, this.rig.spec()));
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		assertThat(asked).hasValue(3);
	}

	@Test
	void wallClockThatJumpsAheadEndsTheTermAndOneThatIsSetBackDoesNotBringItBack() {
		// Who held the Lease himself does not wait for its end.
		this.rig.patient();
		SetClock wall = new SetClock();
		LeaderElector elector = this.rig.elector(new ElectorClocks(System::nanoTime, wall));
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		Leadership.Term term = elector.term();
		wall.offset.set(Duration.ofHours(1).toMillis());
		assertThat(elector.isLeader()).isFalse();
		wall.offset.set(0);
		assertThat(elector.holds(term)).isFalse();
		ElectorRig.await().until(elector::isLeader);
		assertThat(elector.term().number()).isEqualTo(2);
	}

	@Test
	void standbyWhoseWallClockJumpsAheadWaitsAllTheSame() {
		this.rig.patient();
		SetClock wall = new SetClock();
		LeaderElector first = this.rig.leader();
		LeaderElector second = this.rig.elector(new ElectorClocks(System::nanoTime, wall));
		second.start();
		ElectorRig.await().until(() -> second.status().state() == LeaderState.STANDBY && second.holder() != null);
		wall.offset.set(Duration.ofHours(1).toMillis());
		this.rig.renewsOn(first);
		wall.offset.set(Duration.ofHours(-1).toMillis());
		this.rig.renewsOn(first);
		assertThat(first.term().number()).isEqualTo(1);
		assertThat(second.isLeader()).isFalse();
	}

	/**
	 * Wall clock that can be set.
	 */
	private static final class SetClock extends Clock {

		private final AtomicLong offset = new AtomicLong();

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return Instant.now().plusMillis(this.offset.get());
		}

	}

}
