package dev.kubeinformer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.SlotReplica.Recorded;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reconcilers of replicas that come and go, with the Leases of a real group.
 */
class SlotMembersTests {

	private static final Slots SLOTS = new Slots(ShardKey.NAMESPACE, 16);

	private static final int WIDGETS = 40;

	private final WidgetWorld world = new WidgetWorld();

	private final List<SlotReplica<ShardMembership>> replicas = new ArrayList<>();

	@AfterEach
	void close() {
		this.replicas.forEach((replica) -> replica.shards.stop());
		this.replicas.forEach(SlotReplica::close);
		this.world.close();
	}

	private SlotReplica<ShardMembership> start(String name, String url, boolean patient) {
		ShardsSpec spec = ShardsSpec.of("default", "widgets", SLOTS)
			.withIdentity(name)
			.withSettleTime(Duration.ofMillis(100))
			.withTimes(patient ? ElectorRig.PATIENT_DURATION : ElectorRig.LEASE_DURATION,
					patient ? ElectorRig.PATIENT_DEADLINE : ElectorRig.RENEW_DEADLINE, ShardRig.RETRY_PERIOD);
		ShardMembership member = ShardMembership.of(() -> ElectorRig.client(url), spec);
		SlotReplica<ShardMembership> replica = new SlotReplica<>(this.world, url, member, SlotMembersTests::reconcile,
				(settings) -> settings.withOwned(V1ConfigMap.class));
		this.replicas.add(replica);
		member.start();
		return replica;
	}

	private SlotReplica<ShardMembership> start(String name) {
		return start(name, this.world.api.url(), true);
	}

	private static Result reconcile(Widget widget, Reconciliation<Widget> run) throws Exception {
		run.apply(WidgetWorld.child(widget));
		run.status((status) -> status.ready(widget.size()));
		return Result.done();
	}

	private void create() {
		IntStream.range(0, WIDGETS).forEach((i) -> this.world.widgets.create(Widget.of(i + "-web", "w" + i, 1)));
	}

	private void editAll() {
		IntStream.range(0, WIDGETS)
			.forEach((i) -> this.world.widgets.edit(i + "-web", "w" + i, (widget) -> widget.size(widget.size() + 1)));
	}

	private void awaitAll() {
		ShardRig.await()
			.atMost(WidgetWorld.LONG)
			.untilAsserted(() -> this.world.widgets.list()
				.forEach((widget) -> assertThat(widget.ready()).isEqualTo(widget.size())));
		assertThat(this.world.configMaps.list()).hasSize(WIDGETS);
	}

	private Set<ObjectKey> held(SlotReplica<ShardMembership> replica) {
		return this.world.widgets.list()
			.stream()
			.filter(replica.shards::owns)
			.map(ObjectKey::of)
			.collect(Collectors.toSet());
	}

	private static Set<ObjectKey> keysSince(SlotReplica<ShardMembership> replica, long time) {
		return replica.runsSince(time).stream().map(Recorded::key).collect(Collectors.toCollection(HashSet::new));
	}

	@Test
	void replicasShouldShareTheKeysAsTheyComeAndGo() throws InterruptedException {
		create();
		SlotReplica<ShardMembership> first = start("web-0");
		awaitAll();
		first.awaitIdle();
		assertThat(first.keys()).hasSize(WIDGETS);
		SlotReplica<ShardMembership> second = start("web-1");
		SlotReplica<ShardMembership> third = start("web-2");
		editAll();
		ShardRig.awaitBalance(first.shards, second.shards, third.shards);
		awaitAll();
		for (SlotReplica<ShardMembership> replica : this.replicas) {
			replica.awaitIdle();
		}
		long balanced = System.nanoTime();
		editAll();
		awaitAll();
		for (SlotReplica<ShardMembership> replica : this.replicas) {
			replica.awaitIdle();
			assertThat(keysSince(replica, balanced)).isEqualTo(held(replica));
		}

		Set<ObjectKey> moved = held(first);
		long stopped = System.nanoTime();
		editAll();
		first.shards.stop();
		long left = System.nanoTime();
		ShardRig.awaitBalance(second.shards, third.shards);
		awaitAll();
		second.awaitIdle();
		third.awaitIdle();
		Set<ObjectKey> others = keysSince(second, stopped);
		others.addAll(keysSince(third, stopped));
		assertThat(others).containsAll(moved);
		assertThat(first.runsSince(left)).isEmpty();
		assertThat(first.writes).noneMatch((write) -> write.start() >= left);
		SlotReplica.requireNoOverlap(this.replicas.stream().flatMap((replica) -> replica.runs.stream()).toList());
	}

	@Test
	@Tag("slow")
	void keysOfAReplicaThatIsCutOffShouldRunElsewhereAndComeBack() throws IOException {
		create();
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.world.api.port())) {
			SlotReplica<ShardMembership> first = start("web-0", "http://127.0.0.1:" + network.port(), false);
			SlotReplica<ShardMembership> second = start("web-1", this.world.api.url(), false);
			ShardRig.await().atMost(WidgetWorld.LONG).until(() -> ShardRig.isBalanced(first.shards, second.shards));
			awaitAll();
			network.freeze();
			editAll();
			awaitAll();
			ShardRig.await().atMost(WidgetWorld.LONG).until(() -> second.shards.slots().size() == SLOTS.total());
			network.thaw();
			ShardRig.await().atMost(WidgetWorld.LONG).until(() -> ShardRig.isBalanced(first.shards, second.shards));
			long balanced = System.nanoTime();
			editAll();
			awaitAll();
			ShardRig.await()
				.atMost(WidgetWorld.LONG)
				.until(() -> keysSince(first, balanced).containsAll(held(first))
						&& keysSince(second, balanced).containsAll(held(second)));
		}
	}

}
