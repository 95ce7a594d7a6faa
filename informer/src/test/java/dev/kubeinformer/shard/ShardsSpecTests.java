package dev.kubeinformer.shard;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Settings of a membership.
 */
class ShardsSpecTests {

	private static final Slots SLOTS = new Slots(ShardKey.UID, 64);

	private final ShardsSpec spec = ShardsSpec.of("default", "app", SLOTS).withIdentity("app-0");

	@ParameterizedTest
	@ValueSource(strings = { "", "-app", "app.", "a b", "app/x", "ä" })
	void groupThatIsNoLabelValueIsRefused(String group) {
		assertThatIllegalArgumentException().isThrownBy(() -> ShardsSpec.of("default", group, SLOTS))
			.withMessageContaining("Invalid group '" + group + "': use at most 63 letters");
	}

	@Test
	void groupMayBeTheNameOfAnApplication() {
		assertThat(ShardsSpec.of("default", "My_App.v2", SLOTS).group()).isEqualTo("My_App.v2");
		assertThatIllegalArgumentException().isThrownBy(() -> ShardsSpec.of("default", "a".repeat(64), SLOTS));
		assertThatIllegalArgumentException().isThrownBy(() -> ShardsSpec.of("De", "app", SLOTS))
			.withMessageContaining("namespace 'De'");
	}

	@Test
	void copiesChangeOneSetting() {
		ShardsSpec changed = this.spec.withTimes(Duration.ofSeconds(20), Duration.ofSeconds(12), Duration.ofSeconds(3))
			.withSettleTime(Duration.ZERO)
			.withSyncTimeout(Duration.ZERO)
			.withDrainTimeout(Duration.ofSeconds(5))
			.withReleaseOnStop(false);
		assertThat(changed.leaseDuration()).hasSeconds(20);
		assertThat(changed.renewDeadline()).hasSeconds(12);
		assertThat(changed.retryPeriod()).hasSeconds(3);
		assertThat(changed.settleTime()).isZero();
		assertThat(changed.syncTimeout()).isZero();
		assertThat(changed.drainTimeout()).hasSeconds(5);
		assertThat(changed.releaseOnStop()).isFalse();
		assertThat(changed.slots()).isEqualTo(SLOTS);
		assertThat(changed).hasToString("default/app as app-0").isNotEqualTo(this.spec);
		assertThat(this.spec).isEqualTo(ShardsSpec.of("default", "app", SLOTS).withIdentity("app-0"))
			.hasSameHashCodeAs(ShardsSpec.of("default", "app", SLOTS).withIdentity("app-0"));
	}

	@Test
	void valuesThatCannotWorkAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.spec.withIdentity(" "));
		assertThatIllegalArgumentException().isThrownBy(() -> this.spec.withDrainTimeout(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> this.spec.withSettleTime(Duration.ofSeconds(-1)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.spec.withTimes(Duration.ofSeconds(10), Duration.ofSeconds(9), Duration.ofSeconds(2)))
			.withMessageContaining("set it to '11s' or more");
	}

}
