package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.shard.ShardsState;
import dev.kubeinformer.spring.FakeGroup;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what health says of slots that move.
 */
class ShardsHealthTests {

	private static final Instant NOW = FakeGroup.SINCE.plusSeconds(60);

	private final FakeGroup group = new FakeGroup();

	private final ShardsHealthIndicator indicator = new ShardsHealthIndicator(this.group::status,
			Duration.ofSeconds(30), Clock.fixed(NOW, ZoneOffset.UTC), () -> null);

	@Test
	void healthShouldShowTheShareAndTheMembers() {
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("state", "ACTIVE")
			.containsEntry("group", "shop/orders")
			.containsEntry("identity", "pod-1")
			.containsEntry("division", "8 by uid")
			.containsEntry("slots", "0-2")
			.containsEntry("members", List.of("pod-0", "pod-2", "self"))
			.doesNotContainKeys("unheld", "unheldFor", "refusedBy", "action", "error", "requiredRbac", "cluster");
	}

	@Test
	void slotThatWaitsForItsNextHolderShouldNotBeReported() {
		this.group.vacant(Map.of(5, NOW.minusSeconds(30)));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void slotsWithoutHolderForTooLongShouldBeDown() {
		this.group.vacant(Map.of(5, NOW.minusSeconds(31), 6, NOW.minusSeconds(45), 7, NOW.minusSeconds(2)));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("unheld", "5-6").containsEntry("unheldFor", "45s");
	}

	@Test
	void otherNumberOfSlotsShouldBeDownWithTheMend() {
		this.group.state(ShardsState.REFUSED).refusedBy("orders-77");
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("refusedBy", "orders-77")
			.extractingByKey("action", InstanceOfAssertFactories.STRING)
			.startsWith("Set 'kubernetes.informers.shard.slots' and 'key'");
	}

	@ParameterizedTest
	@EnumSource(value = ShardsState.class, mode = EnumSource.Mode.EXCLUDE, names = { "ACTIVE", "REFUSED" })
	void replicaThatTakesNoPartShouldBeUnknown(ShardsState state) {
		this.group.state(state).vacant(Map.of(5, NOW.minusSeconds(300)));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UNKNOWN);
	}

	@Test
	void deniedRequestsShouldNameTheRule() {
		this.group.state(ShardsState.JOINING)
			.failure(new LeaderStatus.Failure(NOW, "list", 403, "Forbidden"), "list", "watch");
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health.getDetails()).containsKey("error")
			.extractingByKey("requiredRbac", InstanceOfAssertFactories.LIST)
			.singleElement(InstanceOfAssertFactories.STRING)
			.contains("coordination.k8s.io", "leases", "list", "watch", "shop");
	}

}
