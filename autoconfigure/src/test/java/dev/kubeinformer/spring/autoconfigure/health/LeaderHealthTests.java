package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.spring.FakeElection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what health says of the election of a leader.
 */
class LeaderHealthTests {

	private static final Instant AT = Instant.parse("2030-01-01T10:00:05Z");

	private final FakeElection election = new FakeElection();

	private final LeaderHealthIndicator indicator = new LeaderHealthIndicator(this.election.elected().status(),
			() -> this.cluster);

	private String cluster;

	@Test
	void healthOfTheLeaderShouldBeUpWithItsTerm() {
		this.election.grant().slack(Duration.ofSeconds(8));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("state", "LEADING")
			.containsEntry("since", "2030-01-01T10:00:00Z")
			.containsEntry("lease", "shop/orders")
			.containsEntry("identity", "pod-1_uid")
			.containsEntry("holder", "pod-1_uid")
			.containsEntry("term", 41L)
			.containsEntry("slack", "8s")
			.doesNotContainKeys("error", "requiredRbac", "awaiting", "cluster");
	}

	@Test
	void healthWhenThereAreSeveralClustersShouldNameThatOfTheLease() {
		this.cluster = "edge";
		assertThat(this.indicator.health().getDetails()).containsEntry("cluster", "edge");
	}

	@Test
	void healthOfAStandbyShouldBeUpAndNameTheHolder() {
		this.election.holder("pod-2_uid");
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("state", "STANDBY")
			.containsEntry("holder", "pod-2_uid")
			.doesNotContainKeys("term", "slack");
	}

	@Test
	void healthWhenCachesAreAwaitedShouldNameThem() {
		this.election.state(LeaderState.SYNCING).awaiting("podHandler: pods");
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		assertThat(this.indicator.health().getDetails()).containsEntry("awaiting", List.of("podHandler: pods"));
	}

	@Test
	void healthWhenStoppedShouldBeUnknown() {
		this.election.state(LeaderState.STOPPED);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UNKNOWN);
	}

	@Test
	void healthWhenForbiddenShouldBeUnknownAndNameTheRulesThatAreMissing() {
		this.election.failure(new LeaderStatus.Failure(AT, "get", 403, "Forbidden"), "get", "create");
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health.getDetails().get("error"))
			.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsEntry("verb", "get")
			.containsEntry("httpStatus", 403)
			.containsEntry("reason", "Forbidden")
			.containsEntry("at", "2030-01-01T10:00:05Z");
		assertThat(health.getDetails()).containsEntry("requiredRbac", List.of(
				"Role in namespace 'shop' with apiGroups: [\"coordination.k8s.io\"], resources: [\"leases\"], resourceNames: [\"orders\"], verbs: [\"get\"]",
				"Role in namespace 'shop' with apiGroups: [\"coordination.k8s.io\"], resources: [\"leases\"], verbs: [\"create\"]"));
	}

	@Test
	void healthWhenARenewalFailedShouldStayUpAsLongAsTheTermIsValid() {
		this.election.grant().failure(new LeaderStatus.Failure(AT, "update", null, "SocketTimeoutException"));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("error"))
			.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsEntry("reason", "SocketTimeoutException")
			.doesNotContainKey("httpStatus");
	}

	@ParameterizedTest
	@EnumSource(LeaderState.class)
	void healthShouldNeverFail(LeaderState state) {
		this.election.state(state).failure(new LeaderStatus.Failure(AT, "get", 500, "InternalError"), "get", "update");
		assertThat(this.indicator.health().getStatus()).isNotIn(Status.DOWN, Status.OUT_OF_SERVICE);
	}

}
