package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardWork.Phase;
import dev.kubeinformer.shard.ShardsState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Work of slots: the order of its calls, and how a membership waits for it.
 */
class ShardWorkTests {

	private final ShardRig rig = new ShardRig();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final CountDownLatch go = new CountDownLatch(1);

	private final RecordedShardWork caches = new RecordedShardWork(Phase.CACHES, this.calls);

	@AfterEach
	void close() {
		this.go.countDown();
		this.rig.close();
	}

	private ShardMembership start(RecordedShardWork runs) {
		ShardMembership member = this.rig.member("pod-a");
		member.register(runs);
		member.register(this.caches);
		member.addListener(this.caches);
		member.start();
		ShardRig.await().until(() -> this.calls.contains("RUNS settled"));
		return member;
	}

	private ShardMembership other() {
		ShardMembership other = this.rig.member("pod-b");
		other.start();
		return other;
	}

	@Test
	void slotsBeginInCachesAndEndInRuns() {
		ShardMembership member = start(new RecordedShardWork(Phase.RUNS, this.calls));
		assertThat(this.calls).containsExactly("told gained 16", "CACHES gained 16", "CACHES settled", "RUNS gained 16",
				"RUNS settled");
		this.calls.clear();
		ShardMembership other = other();
		ShardRig.awaitBalance(member, other);
		assertThat(this.calls).containsExactly("RUNS drain 8", "CACHES drain 8", "told lost 8 MOVED");
		this.calls.clear();
		member.stop();
		assertThat(this.calls).containsExactly("RUNS drain 8", "CACHES drain 8", "told lost 8 STOPPED");
		ShardRig.awaitBalance(other);
	}

	@Test
	void slotThatDrainsIsHeldAndNotOwned() {
		ShardMembership member = start(new RecordedShardWork(Phase.RUNS, this.calls) {

			@Override
			public boolean drain(Set<Integer> slots) throws InterruptedException {
				super.drain(slots);
				ShardWorkTests.this.go.await();
				return true;
			}

		});
		ShardMembership other = other();
		ShardRig.await().until(() -> this.calls.contains("RUNS drain 8"));
		Set<Integer> draining = member.status().draining();
		assertThat(draining).hasSize(8).noneMatch(member::owns).noneMatch(other::owns);
		assertThat(member.slots()).hasSize(16);
		long renewals = member.status().renewals();
		ShardRig.await().until(() -> member.status().renewals() >= renewals + 2);
		assertThat(this.calls).doesNotContain("CACHES drain 8");
		assertThat(other.slots()).isEmpty();
		this.go.countDown();
		ShardRig.awaitBalance(member, other);
		assertThat(other.slots()).isEqualTo(draining);
	}

	@Test
	void drainWithoutSuccessIsRepeated() {
		AtomicInteger drains = new AtomicInteger();
		ShardMembership member = start(new RecordedShardWork(Phase.RUNS, this.calls) {

			@Override
			public boolean drain(Set<Integer> slots) {
				if (drains.incrementAndGet() == 2) {
					throw new IllegalStateException("broken by the test");
				}
				return drains.get() > 2;
			}

		});
		ShardMembership other = other();
		ShardRig.awaitBalance(member, other);
		assertThat(drains).hasValue(3);
	}

	@Test
	void slotsThatComeDuringADrainAreNotDelayed() {
		AtomicBoolean first = new AtomicBoolean(true);
		ShardMembership member = start(new RecordedShardWork(Phase.RUNS, this.calls) {

			@Override
			public boolean drain(Set<Integer> slots) throws InterruptedException {
				if (first.getAndSet(false)) {
					ShardWorkTests.this.go.await();
				}
				return true;
			}

		});
		ShardMembership other = other();
		ShardRig.await().until(() -> !first.get());
		// The slots that are free come at once to new work, and those that drain do not.
		RecordedShardWork later = new RecordedShardWork(Phase.RUNS);
		member.register(later);
		ShardRig.await().until(() -> later.calls.equals(List.of("RUNS gained 8", "RUNS settled")));
		this.go.countDown();
		ShardRig.awaitBalance(member, other);
		assertThat(later.calls).hasSize(2);
		other.stop();
		ShardRig.awaitBalance(member);
		ShardRig.await().until(() -> later.calls.size() == 3);
		assertThat(later.calls).last().isEqualTo("RUNS gained 8");
	}

	@Test
	void removedWorkIsNotWaitedFor() {
		ShardMembership member = this.rig.member("pod-a");
		Leadership.Registration registration = member.register(new RecordedShardWork(Phase.RUNS, this.calls) {

			@Override
			public boolean drain(Set<Integer> slots) {
				super.record("drain", slots);
				return false;
			}

		});
		member.start();
		ShardRig.await().until(() -> this.calls.contains("RUNS settled"));
		ShardMembership other = other();
		ShardRig.await().until(() -> this.calls.contains("RUNS drain 8"));
		registration.close();
		ShardRig.awaitBalance(member, other);
	}

	@Test
	void stopThatDoesNotDrainEndsAfterTheDrainTimeoutWithoutRelease() {
		ShardMembership member = this.rig.member("pod-a", (spec) -> spec.withDrainTimeout(Duration.ofMillis(300)));
		RecordedShardWork stuck = new RecordedShardWork(Phase.RUNS, this.calls) {

			@Override
			public boolean drain(Set<Integer> slots) throws InterruptedException {
				super.drain(slots);
				ShardWorkTests.this.go.await();
				return true;
			}

		};
		member.register(stuck);
		member.addListener(stuck);
		member.start();
		ShardRig.await().until(() -> this.calls.contains("RUNS settled"));
		member.stop();
		assertThat(member.status().state()).isEqualTo(ShardsState.STOPPED);
		assertThat(member.slots()).isEmpty();
		ShardRig.await().until(() -> this.calls.contains("told lost 16 STOPPED"));
		assertThat(this.calls).contains("RUNS drain 16", "RUNS lost 16");
		V1Lease lease = this.rig.api.resources(V1Lease.class).list("default").get(0);
		assertThat(lease.getMetadata().getAnnotations()).containsEntry("kubeinformer.dev/held", "0-15");
	}

	@Test
	void stopWithoutReleaseDrainsAndLeavesTheLease() {
		ShardMembership member = this.rig.member("pod-a", (spec) -> spec.withReleaseOnStop(false));
		RecordedShardWork runs = new RecordedShardWork(Phase.RUNS, this.calls);
		member.register(runs);
		member.addListener(runs);
		member.start();
		ShardRig.await().until(() -> this.calls.contains("RUNS settled"));
		member.stop();
		assertThat(this.calls).containsExactly("told gained 16", "RUNS gained 16", "RUNS settled", "RUNS drain 16",
				"told lost 16 STOPPED");
		assertThat(this.rig.api.resources(V1Lease.class).list("default")).hasSize(1);
	}

	@Test
	void stopFromAListenerDoesNotWaitForItself() {
		ShardMembership member = this.rig.member("pod-a");
		member.addListener(new ShardListener() {

			@Override
			public void onShardGained(Set<Integer> slots) {
				member.stop();
				ShardWorkTests.this.calls.add("returned " + member.isInCallback());
			}

		});
		member.start();
		ShardRig.await().until(() -> this.calls.contains("returned true"));
		ShardRig.await().until(() -> member.status().state() == ShardsState.STOPPED);
		assertThat(this.rig.api.resources(V1Lease.class).list("default")).isEmpty();
		assertThat(member.isInCallback()).isFalse();
	}

	@Test
	void workOfTheMembershipDrainsBeforeItsTermEnds() {
		ShardMembership member = this.rig.member("pod-a");
		List<String> seen = new CopyOnWriteArrayList<>();
		member.membership().register(new RecordedWork() {

			@Override
			public boolean drain() {
				long renewals = member.status().renewals();
				ShardRig.await().until(() -> member.status().renewals() >= renewals + 2);
				seen.add("drained " + (member.membership().term() != null));
				return true;
			}

			@Override
			public void lost() {
				seen.add("lost");
			}

		});
		member.start();
		ShardRig.awaitBalance(member);
		member.stop();
		assertThat(seen).startsWith("drained true");
		assertThat(this.rig.api.resources(V1Lease.class).list("default")).isEmpty();
	}

	@Test
	void memberJoinsWhenItsCachesAreReady() {
		ShardMembership member = this.rig.member("pod-a");
		RecordedWork work = new RecordedWork();
		work.awaiting = List.of("configmaps");
		member.membership().register(work);
		member.start();
		ShardRig.await().until(() -> member.status().state() == ShardsState.SYNCING);
		assertThat(this.rig.api.resources(V1Lease.class).list("default")).isEmpty();
		work.awaiting = List.of();
		ShardRig.awaitBalance(member);
		assertThat(work.calls).containsExactly("granted 1");
	}

}
