package dev.kubeinformer.shard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.leader.Leadership;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the shards that other tests use: order of calls, and what each question is
 * answered.
 */
class ManualShardsTests {

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final CountDownLatch runs = new CountDownLatch(1);

	private final ManualShards shards = ManualShards.of(8);

	@Test
	void gainsBeginWithListenersAndEndWithRuns() {
		register();
		this.shards.gain(2);
		assertThat(this.calls).containsExactly("listener gained [2]", "CACHES gained [2]", "RUNS gained [2]",
				"CACHES settled", "RUNS settled");
		assertThat(this.shards.owns(2)).isTrue();
		assertThat(this.shards.slots()).containsExactly(2);
		assertThat(this.shards.membership().isLeader()).isTrue();
	}

	@Test
	void slotsAreReleasedWhenRunsAndThenCachesHaveDrained() {
		register();
		this.shards.gain(2, 3);
		this.calls.clear();
		CompletableFuture<Boolean> move = this.shards.beginMove(Set.of(3));
		assertThat(this.shards.owns(3)).isFalse();
		assertThat(this.shards.owns(2)).isTrue();
		assertThat(this.shards.slots()).containsExactlyInAnyOrder(2, 3);
		assertThat(move).isNotDone();
		this.runs.countDown();
		assertThat(move.join()).isTrue();
		assertThat(this.calls).containsExactly("RUNS drained [3]", "CACHES drained [3]", "listener lost [3] MOVED");
		assertThat(this.shards.slots()).containsExactly(2);
	}

	@Test
	void endedTermLosesAllSlotsAtOnceAndInterruptsDrains() {
		register();
		this.shards.gain(4);
		Leadership.Term term = this.shards.membership().term();
		CompletableFuture<Boolean> move = this.shards.beginMove(Set.of(4));
		this.shards.expire();
		assertThat(this.shards.membership().holds(term)).isFalse();
		assertThat(this.shards.slots()).isEmpty();
		this.calls.clear();
		this.shards.lose();
		assertThat(this.calls).startsWith("RUNS lost [4]", "CACHES lost [4]", "listener lost [4] EXPIRED");
		assertThat(move.join()).isFalse();
		this.shards.gain(4);
		assertThat(this.shards.owns(4)).isTrue();
		assertThat(this.shards.membership().holds(term)).isFalse();
	}

	@Test
	void laterWorkGainsWhatIsHeld() {
		this.shards.gain(1);
		register();
		assertThat(this.calls).containsExactly("RUNS gained [1]", "RUNS settled", "CACHES gained [1]",
				"CACHES settled");
		this.runs.countDown();
		assertThat(this.shards.leave()).isTrue();
		assertThat(this.calls).endsWith("CACHES drained [1]", "listener lost [1] STOPPED");
		assertThat(this.shards.membership().isLeader()).isFalse();
	}

	private void register() {
		this.shards.register(new Recorded(ShardWork.Phase.RUNS));
		this.shards.register(new Recorded(ShardWork.Phase.CACHES));
		this.shards.addListener(new ShardListener() {

			@Override
			public void onShardGained(Set<Integer> slots) {
				ManualShardsTests.this.calls.add("listener gained " + slots);
			}

			@Override
			public void onShardLost(Set<Integer> slots, ShardLossReason reason) {
				ManualShardsTests.this.calls.add("listener lost " + slots + " " + reason);
			}

		});
	}

	private final class Recorded implements ShardWork {

		private final Phase phase;

		Recorded(Phase phase) {
			this.phase = phase;
		}

		@Override
		public Phase phase() {
			return this.phase;
		}

		@Override
		public void gained(Set<Integer> slots) {
			ManualShardsTests.this.calls.add(this.phase + " gained " + slots);
		}

		@Override
		public void settled() {
			ManualShardsTests.this.calls.add(this.phase + " settled");
		}

		@Override
		public boolean drain(Set<Integer> slots) throws InterruptedException {
			if (this.phase == Phase.RUNS) {
				ManualShardsTests.this.runs.await();
			}
			ManualShardsTests.this.calls.add(this.phase + " drained " + slots);
			return true;
		}

		@Override
		public void lost(Set<Integer> slots) {
			ManualShardsTests.this.calls.add(this.phase + " lost " + slots);
		}

	}

}
