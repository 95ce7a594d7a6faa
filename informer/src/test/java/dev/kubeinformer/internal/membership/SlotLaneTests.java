package dev.kubeinformer.internal.membership;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.elector.ElectorThreads;
import dev.kubeinformer.internal.shards.SlotSet;
import dev.kubeinformer.shard.ShardWork;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of a cache whose callbacks hang while slots come and go.
 */
class SlotLaneTests {

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final CountDownLatch go = new CountDownLatch(1);

	private volatile Set<Integer> hung = Set.of();

	private volatile boolean drains = true;

	private volatile SlotSet active = SlotSet.range(0, 8);

	private final SlotLane lane = new SlotLane(new Caches(), new ElectorThreads("test", "The test"),
			Duration.ofMillis(20), (grant) -> grant.slots().intersect(this.active));

	@AfterEach
	void close() {
		this.go.countDown();
		this.lane.close();
	}

	@Test
	void slotsThatAreLostBeforeTheirDrainBeginsShouldBeEvictedLater() {
		this.hung = Set.of(1);
		gain(0).join();
		gain(1);
		await().until(() -> this.calls.contains("gained [1]"));
		AtomicBoolean wanted = new AtomicBoolean(true);
		CompletableFuture<Boolean> handedOver = this.lane.drain(SlotSet.of(0), wanted::get);
		wanted.set(false);
		this.lane.lose(SlotSet.of(0, 1));
		this.go.countDown();
		assertThat(handedOver.join()).isFalse();
		assertThat(this.calls).doesNotContain("drain [0]");
		assertThat(this.lane.drain(SlotSet.of(0), () -> true).join()).isTrue();
		assertThat(this.calls).contains("drain [0]");
	}

	@Test
	void lostSlotsWhoseDrainEndsWithoutSuccessShouldBeEvictedLater() {
		gain(0).join();
		this.lane.lose(SlotSet.of(0));
		this.drains = false;
		AtomicBoolean wanted = new AtomicBoolean(true);
		CompletableFuture<Boolean> evicted = this.lane.drain(SlotSet.of(0), wanted::get);
		await().until(() -> this.calls.contains("drain [0]"));
		wanted.set(false);
		assertThat(evicted.join()).isFalse();
		this.calls.clear();
		this.drains = true;
		assertThat(this.lane.drain(SlotSet.of(0), () -> true).join()).isTrue();
		assertThat(this.calls).containsExactly("drain [0]");
	}

	@Test
	void hungDrainShouldDelayOnlyItsOwnSlots() {
		hangDrainOfAnEarlierTerm();
		CompletableFuture<Boolean> gain = gain(0, 2);
		await().until(() -> this.calls.contains("gained [2]"));
		this.lane.settle();
		await().until(() -> this.calls.contains("settled"));
		assertThat(this.lane.drain(SlotSet.of(2), () -> true).join()).isTrue();
		this.lane.lose(SlotSet.of(1));
		await().until(() -> this.calls.contains("lost [1]"));
		assertThat(gain).isNotDone();
		assertThat(this.calls).doesNotContain("gained [0]");
		this.active = SlotSet.of(0);
		this.go.countDown();
		assertThat(gain.join()).isTrue();
		assertThat(this.calls).contains("gained [0]");
	}

	@Test
	void drainOfSlotsThatWaitForAnEarlierDrainShouldWaitToo() {
		hangDrainOfAnEarlierTerm();
		// Evicted by an earlier drain of a slot that another member has taken.
		CompletableFuture<Boolean> taken = this.lane.drain(SlotSet.of(0), () -> true);
		await().until(() -> this.calls.stream().filter("drain [0]"::equals).count() == 2);
		CompletableFuture<Boolean> gain = gain(0, 2);
		await().until(() -> this.calls.contains("gained [2]"));
		this.active = SlotSet.none();
		CompletableFuture<Boolean> handedOver = this.lane.drain(SlotSet.of(0, 2), () -> true);
		await().until(() -> this.calls.contains("drain [2]"));
		assertThat(handedOver).isNotDone();
		this.go.countDown();
		assertThat(taken.join()).isTrue();
		assertThat(gain.join()).isTrue();
		assertThat(handedOver.join()).isTrue();
		assertThat(this.calls).doesNotContain("gained [0]");
	}

	@Test
	void closedLaneShouldLetNobodyWait() {
		hangDrainOfAnEarlierTerm();
		CompletableFuture<Boolean> gain = gain(0, 2);
		await().until(() -> this.calls.contains("gained [2]"));
		this.lane.close();
		assertThat(gain.join()).isTrue();
	}

	private void hangDrainOfAnEarlierTerm() {
		gain(0, 1).join();
		this.hung = Set.of(0);
		this.lane.drain(SlotSet.of(0), () -> true);
		await().until(() -> this.calls.contains("drain [0]"));
		this.lane.lose(SlotSet.of(0));
		await().until(() -> this.calls.contains("lost [0]"));
	}

	private CompletableFuture<Boolean> gain(int... slots) {
		return this.lane.gain(new SlotGrant(SlotSet.of(slots), null));
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30));
	}

	/**
	 * Cache whose callbacks of some slots do not end, interrupted or not.
	 */
	private final class Caches implements ShardWork {

		@Override
		public Phase phase() {
			return Phase.CACHES;
		}

		@Override
		public void gained(Set<Integer> slots) {
			called("gained", slots);
		}

		@Override
		public void settled() {
			SlotLaneTests.this.calls.add("settled");
		}

		@Override
		public boolean drain(Set<Integer> slots) {
			called("drain", slots);
			return SlotLaneTests.this.drains;
		}

		@Override
		public void lost(Set<Integer> slots) {
			SlotLaneTests.this.calls.add("lost " + new TreeSet<>(slots));
		}

		private void called(String what, Set<Integer> slots) {
			SlotLaneTests.this.calls.add(what + " " + new TreeSet<>(slots));
			boolean waits = slots.stream().anyMatch(SlotLaneTests.this.hung::contains);
			while (waits) {
				try {
					SlotLaneTests.this.go.await();
					waits = false;
				}
				catch (InterruptedException ex) {
					// The callback that hangs ignores this.
				}
			}
		}

	}

}
