package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardsState;
import dev.kubeinformer.shard.ShardsStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Members of a group on an API server that answers.
 */
class ShardMembershipTests {

	private final ShardRig rig = new ShardRig();

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void onlyMemberHasAllSlotsAndItsLeaseSaysSo() {
		ShardMembership member = this.rig.only("pod-a");
		assertThat(member.owns(0)).isTrue();
		assertThat(member.isSettled()).isTrue();
		ShardsStatus status = member.status();
		assertThat(status.state()).isEqualTo(ShardsState.ACTIVE);
		assertThat(status.gained()).isEqualTo(16);
		assertThat(status.lastError()).isNull();
		assertThat(status.slack()).isPositive();
		assertThat(status.lease()).startsWith("app-pod-a-");
		ShardRig.await().untilAsserted(() -> {
			V1Lease lease = this.rig.api.resources(V1Lease.class).get("default", status.lease());
			assertThat(lease.getSpec().getHolderIdentity()).isEqualTo("pod-a");
			assertThat(lease.getSpec().getLeaseDurationSeconds()).isEqualTo(30);
			assertThat(lease.getSpec().getRenewTime()).isNotNull();
			assertThat(lease.getMetadata().getLabels()).containsEntry("kubeinformer.dev/shards", "app");
			assertThat(lease.getMetadata().getAnnotations()).containsExactlyInAnyOrderEntriesOf(
					Map.of("kubeinformer.dev/slots", "16 by uid", "kubeinformer.dev/held", "0-15"));
		});
	}

	@Test
	void membersShareAllSlotsAndHandThemOverWhenTheyStop() {
		ShardMembership first = this.rig.only("pod-a");
		ShardMembership second = this.rig.member("pod-b");
		ShardMembership third = this.rig.member("pod-c");
		second.start();
		third.start();
		ShardRig.awaitBalance(first, second, third);
		ShardRig.await()
			.untilAsserted(() -> assertThat(first.members()).extracting(ShardMember::name)
				.containsExactly("pod-a", "pod-b", "pod-c"));
		ShardRig.await().untilAsserted(() -> assertThat(first.members().get(2).slots()).isEqualTo(third.slots()));
		assertThat(third.ownerOf(first.slots().iterator().next())).extracting(ShardMember::name).isEqualTo("pod-a");
		Set<Integer> before = first.slots();
		third.stop();
		assertThat(third.slots()).isEmpty();
		assertThat(third.status().state()).isEqualTo(ShardsState.STOPPED);
		ShardRig.awaitBalance(first, second);
		assertThat(first.slots()).containsAll(before);
		assertThat(this.rig.api.resources(V1Lease.class).list("default")).hasSize(2);
	}

	@Test
	void stoppedMemberSendsNothingMore() {
		ShardMembership member = this.rig.only("pod-a");
		Leadership.Term term = member.membership().term();
		String lease = member.status().lease();
		member.stop();
		this.rig.api.clearRequests();
		assertThat(member.membership().holds(term)).isFalse();
		assertThat(this.rig.api.resources(V1Lease.class).list("default")).isEmpty();
		member.start();
		ShardRig.await().until(() -> member.slots().size() == 16);
		assertThat(member.membership().holds(term)).isFalse();
		assertThat(this.rig.api.requests()).noneMatch((request) -> request.toString().contains(lease));
	}

	@Test
	void listenersHearOfMoves() {
		ShardMembership first = this.rig.member("pod-a");
		List<String> heard = new CopyOnWriteArrayList<>();
		first.addListener(new ShardListener() {

			@Override
			public void onShardGained(Set<Integer> slots) {
				heard.add("gained " + slots.size());
			}

			@Override
			public void onShardLost(Set<Integer> slots, ShardLossReason reason) {
				heard.add("lost " + slots.size() + " " + reason);
			}

		});
		first.start();
		ShardRig.await().until(() -> first.slots().size() == 16);
		ShardMembership second = this.rig.member("pod-b", (spec) -> spec.withSettleTime(Duration.ofMillis(50)));
		second.start();
		ShardRig.awaitBalance(first, second);
		first.stop();
		ShardRig.await().until(() -> heard.size() == 3);
		assertThat(heard).containsExactly("gained 16", "lost 8 MOVED", "lost 8 STOPPED");
	}

}
