package dev.kubeinformer.leader;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Settings of an elector.
 */
class LeaderSpecTests {

	private final LeaderSpec spec = LeaderSpec.of("default", "app");

	@ParameterizedTest
	@ValueSource(strings = { "", "App", "my_app", "-app", "app-", "a..b", "app/x" })
	void nameThatIsNoneIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> LeaderSpec.of("default", name))
			.withMessageContaining("'" + name + "'")
			.withMessageContaining("use at most 253");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Default", "a.b", "-a" })
	void namespaceThatIsNoneIsRefused(String namespace) {
		assertThatIllegalArgumentException().isThrownBy(() -> LeaderSpec.of(namespace, "app"))
			.withMessageContaining("'" + namespace + "'");
	}

	@Test
	void nameMayHaveDots() {
		assertThat(LeaderSpec.of("default", "app.example.com-0").name()).isEqualTo("app.example.com-0");
	}

	@Test
	void eachShardHasALeaseOfItsOwn() {
		LeaderSpec sharded = this.spec.withShard(new Shard(ShardKey.UID, 1, 3)).withReleaseOnStop(false);
		assertThat(sharded.name()).isEqualTo("app-1");
		assertThat(sharded.names()).containsExactly("app-0", "app-1", "app-2");
		assertThat(sharded.withShard(null).names()).containsExactly("app");
		LeaderSpec longest = LeaderSpec.of("default", "a".repeat(251));
		assertThat(longest.withShard(new Shard(ShardKey.UID, 0, 10)).name()).hasSize(253);
		assertThatIllegalArgumentException().isThrownBy(() -> longest.withShard(new Shard(ShardKey.UID, 0, 11)))
			.withMessageContaining("aa-10': use at most");
	}

	@Test
	void copiesHaveTheLeaseOfTheSameShard() {
		LeaderSpec sharded = this.spec.withShard(new Shard(ShardKey.UID, 1, 3));
		assertThat(List.of(sharded.withIdentity("me"), sharded.withSyncTimeout(Duration.ZERO),
				sharded.withDrainTimeout(Duration.ofSeconds(1)), sharded.withReleaseOnStop(false),
				sharded.withTimes(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(2))))
			.allMatch((copy) -> copy.name().equals("app-1") && copy.names().size() == 3 && !copy.equals(sharded));
	}

	@Test
	void specsOfDifferentLeasesAreNotEqual() {
		LeaderSpec sharded = this.spec.withShard(new Shard(ShardKey.UID, 1, 3));
		assertThat(sharded).isEqualTo(this.spec.withShard(new Shard(ShardKey.UID, 1, 3)))
			.isNotEqualTo(this.spec.withShard(new Shard(ShardKey.UID, 2, 3)))
			.isNotEqualTo(this.spec);
		assertThat(sharded.withShard(null)).isEqualTo(this.spec);
	}

	@Test
	void eachSpecHasAnIdentityOfItsOwn() {
		assertThat(this.spec.identity()).contains("_").isNotEqualTo(LeaderSpec.of("default", "app").identity());
		assertThat(this.spec.withReleaseOnStop(false).identity()).isEqualTo(this.spec.identity());
	}

	@Test
	void leaseDurationMustExceedTheRenewDeadline() {
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> this.spec.withTimes(Duration.ofSeconds(11), Duration.ofSeconds(10), Duration.ofSeconds(2)))
			.withMessage(
					"The lease duration '11s' must be longer than the renew deadline '10s' by at least 2 s: set it to '12s' or more");
	}

	@Test
	void renewDeadlineMustHaveRoomForAttempts() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.spec.withTimes(Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofSeconds(2)))
			.withMessage(
					"The renew deadline '5s' must be at least 3 times the retry period '2s': set it to '6s' or more");
	}

	@Test
	void retryPeriodMustBePositive() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.spec.withTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ZERO))
			.withMessage("The retry period '0s' must be positive");
	}

	@Test
	void blankIdentityIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.spec.withIdentity(" ")).withMessageContaining("' '");
	}

}
