package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.Objects;

import io.kubernetes.client.openapi.ApiClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.LeaderControls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that a test has the leader in hand, and that the next one begins anew.
 */
@Tag("slow")
class LeaderTests {

	private static final Duration DURATION = Duration.ofSeconds(8);

	private final TestContextManager manager = new TestContextManager(LeaderCase.class);

	private EmbeddedKubernetes kubernetes;

	private LeaderElector elector;

	private ApplicationContext context;

	@BeforeEach
	void load() {
		this.context = this.manager.getTestContext().getApplicationContext();
		this.kubernetes = this.context.getBean(EmbeddedKubernetes.class);
		this.elector = this.context.getBean(LeaderElector.class);
		await().until(this.elector::isLeader);
	}

	@AfterEach
	void close() {
		this.manager.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
	}

	private void reset() {
		this.context.getBean(EmbeddedKubernetesReset.class).run();
	}

	private Leadership.Term term() {
		return Objects.requireNonNull(this.elector.term());
	}

	@Test
	void applicationShouldLeadByItself() {
		assertThat(this.kubernetes.leader().holder()).isEqualTo(this.elector.status().identity());
	}

	@Test
	void revokedLeaderShouldStandByUntilGranted() {
		long first = term().number();
		this.kubernetes.leader().revoke();
		await().until(() -> this.elector.status().state() == LeaderState.STANDBY);
		await().until(() -> LeaderControls.RIVAL.equals(this.elector.holder()));
		// Longer than the duration of the Lease, after which another holder's would be
		// free.
		await().during(DURATION.plusSeconds(1)).until(() -> !this.elector.isLeader());
		this.kubernetes.leader().grant();
		await().until(this.elector::isLeader);
		assertThat(term().number()).isGreaterThan(first + 1);
	}

	@Test
	void leaderWhoseRenewalsAreFrozenShouldLoseItsTermByItself() {
		Fault freeze = this.kubernetes.leader().freezeRenewals();
		await().until(() -> !this.elector.isLeader());
		assertThat(freeze.hits()).isPositive();
		assertThat(this.kubernetes.leader().holder()).isEqualTo(this.elector.status().identity());
		this.kubernetes.leader().thawRenewals();
		await().until(this.elector::isLeader);
	}

	@Test
	void leaderShouldGoOnLeadingAcrossTheReset() {
		Leadership.Term before = term();
		reset();
		await().until(() -> {
			Leadership.Term now = this.elector.term();
			return now != null && !now.validUntil().equals(before.validUntil());
		});
		assertThat(term().number()).isEqualTo(before.number());
	}

	@Test
	void standbyShouldBeLeaderInTheNextTest() {
		this.kubernetes.leader().revoke();
		await().until(() -> !this.elector.isLeader());
		reset();
		// At once, and not after the duration of the Lease.
		await().atMost(DURATION.minusSeconds(1)).until(this.elector::isLeader);
		assertThat(this.kubernetes.leader().holder()).isEqualTo(this.elector.status().identity());
	}

	@Test
	void leaderThatLostItsTermShouldBeLeaderInTheNextTest() {
		this.kubernetes.leader().freezeRenewals();
		await().until(() -> !this.elector.isLeader());
		reset();
		await().atMost(DURATION.minusSeconds(1)).until(this.elector::isLeader);
	}

	@SpringJUnitConfig(LeaderConfiguration.class)
	@EmbeddedKubernetesTest
	static class LeaderCase {

	}

	@Configuration(proxyBeanMethods = false)
	static class LeaderConfiguration {

		@Bean(initMethod = "start")
		LeaderElector leaderElector(ApiClient client) {
			return LeaderElector.of(() -> client,
					LeaderSpec.of("default", "app").withTimes(DURATION, Duration.ofSeconds(5), Duration.ofMillis(300)));
		}

	}

}
