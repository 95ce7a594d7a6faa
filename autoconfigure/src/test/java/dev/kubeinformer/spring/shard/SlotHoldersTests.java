package dev.kubeinformer.spring.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.shard.ShardMember;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what a replica knows of slots without a holder.
 */
class SlotHoldersTests {

	private static final Instant START = Instant.parse("2030-01-01T10:00:00Z");

	private final ManualShards shards = ManualShards.of(4);

	private final Time time = new Time();

	private final SlotHolders holders = new SlotHolders(this.shards, this.time);

	private final List<Duration> gaps = new ArrayList<>();

	SlotHoldersTests() {
		this.shards.addListener(this.holders);
		this.holders.addGapListener(this.gaps::add);
	}

	@Test
	void nothingShouldBeMissedBeforeTheFirstDistribution() {
		assertThat(this.holders.unheld()).isEmpty();
		assertThat(this.holders.longestUnheld()).isZero();
	}

	@Test
	void slotShouldBeWithoutHolderUntilAMemberHasIt() {
		this.shards.others(new ShardMember("other", Set.of(2, 3), false, false));
		this.shards.gain(0, 1);
		assertThat(this.holders.unheld()).isEmpty();
		this.time.now = START.plusSeconds(10);
		this.shards.others();
		assertThat(this.holders.unheld()).containsOnlyKeys(2, 3).containsValue(START.plusSeconds(10));
		this.time.now = START.plusSeconds(14);
		this.shards.gain(2);
		assertThat(this.holders.unheld()).containsOnlyKeys(3);
		assertThat(this.holders.longestUnheld()).isEqualTo(Duration.ofSeconds(4));
		assertThat(this.holders.unheldLongerThan(Duration.ofSeconds(4))).isEmpty();
		assertThat(this.holders.unheldLongerThan(Duration.ofSeconds(3))).containsExactly(3);
		this.time.now = START.plusSeconds(15);
		this.shards.others(new ShardMember("next", Set.of(3), false, false));
		assertThat(this.holders.unheld()).isEmpty();
		assertThat(this.gaps).containsExactly(Duration.ofSeconds(4), Duration.ofSeconds(5));
	}

	@Test
	void replicaWithoutValidLeaseShouldReportNoSlot() {
		this.shards.gain(0, 1);
		assertThat(this.holders.unheld()).containsOnlyKeys(2, 3);
		this.shards.expire();
		this.time.now = START.plusSeconds(90);
		assertThat(this.holders.unheld()).isEmpty();
		assertThat(this.holders.longestUnheld()).isZero();
		this.shards.membership().begin();
		assertThat(this.holders.unheld()).containsOnlyKeys(2, 3).containsValue(START.plusSeconds(90));
		assertThat(this.gaps).isEmpty();
	}

	@Test
	void imbalanceShouldLeaveOutMembersThatLeave() {
		this.shards.gain(0, 1, 2);
		assertThat(this.holders.imbalance()).isZero();
		this.shards.others(new ShardMember("leaving", Set.of(), false, true),
				new ShardMember("other", Set.of(3), false, false));
		assertThat(this.holders.imbalance()).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "-;", "7;7", "3,1,2;1-3", "0,1,2,20,30,31;0-2,20,30-31" }, delimiter = ';')
	void slotsShouldBeWrittenAsRanges(String slots, String text) {
		List<Integer> all = new ArrayList<>();
		if (slots != null) {
			for (String slot : slots.split(",")) {
				all.add(Integer.valueOf(slot));
			}
		}
		assertThat(SlotRanges.of(all)).isEqualTo((text != null) ? text : "");
	}

	private static final class Time extends Clock {

		private Instant now = START;

		@Override
		public ZoneId getZone() {
			throw new UnsupportedOperationException();
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Instant instant() {
			return this.now;
		}

	}

}
