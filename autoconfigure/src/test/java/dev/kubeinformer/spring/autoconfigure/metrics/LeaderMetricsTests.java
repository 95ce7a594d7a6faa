package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;

import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.spring.FakeElection;
import dev.kubeinformer.spring.InformerContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the meters of an elector.
 */
class LeaderMetricsTests {

	private final FakeElection election = new FakeElection();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LeaderMetrics metrics = new LeaderMetrics(this.election::elected);

	@Test
	void gaugeShouldShowWhetherThisReplicaLeads() {
		this.metrics.bindTo(this.registry);
		assertThat(value("kubernetes.leader")).isZero();
		this.election.grant();
		assertThat(value("kubernetes.leader")).isEqualTo(1);
		this.election.revoke(RevocationReason.EXPIRED);
		assertThat(value("kubernetes.leader")).isZero();
	}

	@Test
	void transitionsShouldCountTermsAlsoThoseBeforeTheRegistry() {
		this.election.grant().revoke(RevocationReason.YIELDED);
		this.metrics.bindTo(this.registry);
		this.election.grant();
		assertThat(this.registry.get("kubernetes.leader.transitions").functionCounter().count()).isEqualTo(2);
	}

	@Test
	void renewalsShouldBeCountedByOutcome() {
		this.metrics.bindTo(this.registry);
		assertThat(renewals("success")).isZero();
		assertThat(renewals("failure")).isZero();
		this.election.grant();
		this.election.notify((listener) -> listener.renewed(Duration.ofSeconds(8)));
		this.election.notify((listener) -> listener.renewed(Duration.ofSeconds(8)));
		this.election.notify(LeadershipListener::renewalFailed);
		assertThat(renewals("success")).isEqualTo(2);
		assertThat(renewals("failure")).isEqualTo(1);
	}

	@Test
	void slackShouldBeTheLeastOfLateRenewals() {
		this.metrics.bindTo(this.registry);
		assertThat(value("kubernetes.leader.slack")).isNaN();
		this.election.grant();
		this.election.notify((listener) -> listener.renewed(Duration.ofMillis(2500)));
		this.election.notify((listener) -> listener.renewed(Duration.ofSeconds(8)));
		assertThat(value("kubernetes.leader.slack")).isEqualTo(2.5);
	}

	@Test
	void slackWhenRenewalsStayAwayShouldFall() {
		this.metrics.bindTo(this.registry);
		this.election.grant();
		this.election.notify((listener) -> listener.renewed(Duration.ofSeconds(8)));
		this.election.slack(Duration.ofSeconds(1));
		assertThat(value("kubernetes.leader.slack")).isEqualTo(1);
	}

	@Test
	void slackOfATermShouldNotShowInTheNext() {
		this.metrics.bindTo(this.registry);
		this.election.grant();
		this.election.notify((listener) -> listener.renewed(Duration.ofSeconds(1)));
		this.election.revoke(RevocationReason.TAKEN);
		assertThat(value("kubernetes.leader.slack")).isNaN();
		this.election.grant();
		assertThat(value("kubernetes.leader.slack")).isEqualTo(10);
	}

	@Test
	void renewalsShouldBeForgottenAfterAMinute() {
		AtomicLong clock = new AtomicLong();
		RenewalSlack slack = new RenewalSlack(Duration.ofMinutes(1), clock::get);
		slack.renewed(Duration.ofSeconds(1));
		clock.set(Duration.ofSeconds(59).toNanos());
		slack.renewed(Duration.ofSeconds(7));
		assertThat(slack.least()).hasValue(1);
		clock.set(Duration.ofSeconds(61).toNanos());
		assertThat(slack.least()).hasValue(7);
		clock.set(Duration.ofSeconds(120).toNanos());
		assertThat(slack.least()).isEmpty();
	}

	@Test
	void skippedCallsShouldBeCounted() throws Exception {
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.get("kubernetes.leader.skipped").counter().count()).isZero();
		this.metrics.skipped(Object.class.getMethod("toString"));
		assertThat(this.registry.get("kubernetes.leader.skipped").counter().count()).isEqualTo(1);
	}

	@Test
	void warningsOfTheApiServerShouldBeCounted() {
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.get("kubernetes.leader.warnings").counter().count()).isZero();
		this.election.notify((listener) -> listener.warningReceived("deprecated"));
		assertThat(this.registry.get("kubernetes.leader.warnings").counter().count()).isEqualTo(1);
	}

	@Test
	void metersShouldHaveTheNameOfTheLease() {
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.getMeters()).isNotEmpty()
			.extracting(Meter::getId)
			.allSatisfy((id) -> assertThat(id.getTags()).contains(Tag.of("lease", "shop/orders"))
				.extracting(Tag::getKey)
				.isSubsetOf("lease", "outcome"));
	}

	@Test
	void everyRegistryShouldHaveTheMeters() {
		SimpleMeterRegistry other = new SimpleMeterRegistry();
		this.metrics.bindTo(this.registry);
		this.metrics.bindTo(other);
		assertThat(this.election.listeners()).isEqualTo(1);
		this.election.notify((listener) -> listener.renewed(Duration.ofSeconds(8)));
		assertThat(renewals("success")).isEqualTo(1);
		assertThat(other.get("kubernetes.leader.renewals").tag("outcome", "success").counter().count()).isEqualTo(1);
	}

	@Test
	void metersShouldGoWithTheBinder() {
		this.metrics.bindTo(this.registry);
		this.metrics.destroy();
		assertThat(this.registry.getMeters()).isEmpty();
		assertThat(this.election.listeners()).isZero();
	}

	@Test
	void metersWithoutAnElectionShouldBeAbsent() {
		InformerContextRunner.withoutCluster()
			.withConfiguration(
					AutoConfigurations.of(MetricsAutoConfiguration.class, InformerMetricsAutoConfiguration.class))
			.withBean(SimpleMeterRegistry.class)
			.run((context) -> assertThat(context.getBean(SimpleMeterRegistry.class).getMeters())
				.extracting((meter) -> meter.getId().getName())
				.noneMatch((name) -> name.startsWith("kubernetes.leader")));
	}

	private double value(String name) {
		return this.registry.get(name).gauge().value();
	}

	private double renewals(String outcome) {
		return this.registry.get("kubernetes.leader.renewals").tag("outcome", outcome).counter().count();
	}

}
