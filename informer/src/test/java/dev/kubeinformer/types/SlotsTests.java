package dev.kubeinformer.types;

import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Slots}.
 */
class SlotsTests {

	@Test
	void slotOfHashShouldBeTheShardThatContainsTheHash() {
		Random random = new Random(7);
		for (int total : new int[] { 1, 2, 3, 5, 7, 64, 100, 1023, 1024 }) {
			Slots slots = new Slots(ShardKey.UID, total);
			for (int slot = 0; slot < total; slot++) {
				Shard shard = slots.slot(slot);
				assertThat(slots.slotOfHash(shard.firstHash())).as("%s first", shard).isEqualTo(slot);
				assertThat(slots.slotOfHash(shard.lastHash())).as("%s last", shard).isEqualTo(slot);
			}
			for (int i = 0; i < 200; i++) {
				long hash = random.nextLong();
				assertThat(slots.slot(slots.slotOfHash(hash)).containsHash(hash)).isTrue();
			}
		}
	}

	@Test
	void slotOfShouldHashTheKey() {
		Slots byNamespace = new Slots(ShardKey.NAMESPACE, 64);
		assertThat(byNamespace.slotOf("shop", "u1")).isEqualTo(byNamespace.slotOf("shop", "u2"))
			.isEqualTo(byNamespace.slotOfHash(Shard.hash("shop")));
		assertThat(byNamespace.slotOf(null, "u1")).isEqualTo(byNamespace.slotOf("", "u1"));
		assertThat(new Slots(ShardKey.UID, 64).slotOf("shop", "u1"))
			.isEqualTo(byNamespace.slotOfHash(Shard.hash("u1")));
	}

	@Test
	void numberShouldBeBetweenOneAndTheMost() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Slots(ShardKey.UID, 0))
			.withMessage("Invalid number of slots '0': use 1 to 1024, for example 64");
		assertThatIllegalArgumentException().isThrownBy(() -> new Slots(ShardKey.UID, 1025));
	}

}
