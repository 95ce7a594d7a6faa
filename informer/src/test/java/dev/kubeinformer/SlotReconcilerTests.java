package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.controller.SourceSet;
import dev.kubeinformer.leader.LeadershipLostException;
import dev.kubeinformer.leader.NotLeaderException;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of reconcilers whose primaries are divided into slots that move.
 */
class SlotReconcilerTests {

	private static final int SLOTS = 4;

	/** So many that no slot stays empty: their UIDs are random. */
	private static final int WIDGETS = 40;

	private final WidgetWorld world = new WidgetWorld();

	private final List<SlotReplica<ManualShards>> replicas = new ArrayList<>();

	@AfterEach
	void close() {
		this.replicas.forEach(SlotReplica::close);
		this.world.close();
	}

	private SlotReplica<ManualShards> start(ShardKey key, ReconcileFunction<Widget> function) {
		return start(key, function, (spec) -> spec);
	}

	private SlotReplica<ManualShards> start(ShardKey key, ReconcileFunction<Widget> function,
			UnaryOperator<ReconcilerSpec<Widget>> settings) {
		SlotReplica<ManualShards> replica = new SlotReplica<>(this.world, this.world.api.url(),
				new ManualShards(new Slots(key, SLOTS)), function, settings);
		this.replicas.add(replica);
		return replica;
	}

	private void create() {
		IntStream.range(0, WIDGETS).forEach((i) -> this.world.widgets.create(Widget.of(i + "-web", "w" + i, 1)));
	}

	private Set<ObjectKey> keys(SlotReplica<ManualShards> replica, Integer... slots) {
		return this.world.widgets.list()
			.stream()
			.filter((widget) -> Set.of(slots).contains(replica.slotOf(widget)))
			.map(ObjectKey::of)
			.collect(Collectors.toSet());
	}

	private void editAll(int size) {
		this.world.widgets.list()
			.forEach((widget) -> this.world.widgets.edit(widget.getMetadata().getNamespace(),
					widget.getMetadata().getName(), (edited) -> edited.size(size)));
	}

	private static Result nothing(Widget widget, Reconciliation<Widget> run) {
		return Result.done();
	}

	@ParameterizedTest
	@EnumSource(ShardKey.class)
	void keysShouldRunOnlyWhileTheirSlotIsHeld(ShardKey key) throws InterruptedException {
		create();
		SlotReplica<ManualShards> replica = start(key, SlotReconcilerTests::nothing);
		assertThat(replica.container.status().state()).isEqualTo(ReconcilerState.STANDBY);
		replica.shards.gain(0, 1);
		replica.awaitIdle();
		assertThat(replica.keys()).isEqualTo(keys(replica, 0, 1));
		assertThat(replica.slots().open()).containsExactlyInAnyOrder(0, 1);
		assertThat(replica.slots().waiting()).isEmpty();
		assertThat(replica.container.status().state()).isEqualTo(ReconcilerState.ACTIVE);

		assertThat(replica.shards.move(1)).isTrue();
		replica.runs.clear();
		editAll(2);
		replica.awaitIdle();
		assertThat(replica.keys()).isEqualTo(keys(replica, 0));
		assertThat(replica.slots().open()).containsExactly(0);

		replica.runs.clear();
		replica.container.triggerAll();
		replica.awaitIdle();
		assertThat(replica.keys()).isEqualTo(keys(replica, 0));

		replica.runs.clear();
		replica.shards.gain(1, 3);
		replica.awaitIdle();
		assertThat(replica.keys()).isEqualTo(keys(replica, 1, 3));
		assertThat(replica.slots().open()).containsExactlyInAnyOrder(0, 1, 3);
	}

	@Test
	void memberWithoutAShareShouldBeIdle() throws InterruptedException {
		create();
		SlotReplica<ManualShards> replica = start(ShardKey.UID, SlotReconcilerTests::nothing);
		replica.shards.membership().begin();
		replica.shards.settle();
		assertThat(replica.container.awaitSync(WidgetWorld.LONG)).isTrue();
		replica.awaitIdle();
		assertThat(replica.runs).isEmpty();
	}

	@Test
	void stoppedReconcilerShouldLeaveTheGroupAndRunAllAgainAfterAStart() throws InterruptedException {
		create();
		SlotReplica<ManualShards> replica = start(ShardKey.UID, SlotReconcilerTests::nothing);
		int works = replica.shards.works();
		replica.shards.gain(0, 1);
		replica.awaitIdle();
		replica.container.stop();
		assertThat(replica.shards.works()).isLessThan(works);
		assertThat(replica.container.status().slots()).isNull();
		assertThat(replica.shards.move(0)).isTrue();
		replica.runs.clear();
		replica.container.start();
		await().until(() -> replica.keys().equals(keys(replica, 1)));
		replica.awaitIdle();
		assertThat(replica.keys()).isEqualTo(keys(replica, 1));
		assertThat(replica.shards.works()).isEqualTo(works);
	}

	@Test
	void timersAndRetriesShouldGoOverWithTheSlot() throws InterruptedException {
		create();
		ReconcileFunction<Widget> function = (widget, run) -> {
			if (Integer.parseInt(widget.getMetadata().getName().substring(1)) % 2 == 0) {
				throw new IllegalStateException("as the test wants it");
			}
			return Result.requeueAfter(Duration.ofHours(1));
		};
		UnaryOperator<ReconcilerSpec<Widget>> slow = (spec) -> spec
			.withRetry(new ReconcilerSpec.Retry(Duration.ofHours(1), 1, Duration.ofHours(1), 0));
		SlotReplica<ManualShards> first = start(ShardKey.UID, function, slow);
		SlotReplica<ManualShards> second = start(ShardKey.UID, function, slow);
		first.shards.gain(0, 1, 2, 3);
		second.shards.membership().begin();
		second.shards.settle();
		await().until(() -> first.container.status().queue().delayed() == WIDGETS);
		int failing = first.container.status().queue().failingKeys();
		assertThat(first.shards.move(1, 2)).isTrue();
		second.shards.gain(1, 2);
		int moved = keys(first, 1, 2).size();
		await().until(() -> second.container.status().queue().delayed() == moved);
		assertThat(first.container.status().queue().delayed()).isEqualTo(WIDGETS - moved);
		assertThat(first.container.status().queue().failingKeys() + second.container.status().queue().failingKeys())
			.isEqualTo(failing);
	}

	@Test
	void cleanupThatIsNotDoneShouldGoOverWithTheSlot() throws InterruptedException {
		List<ObjectKey> cleaned = new CopyOnWriteArrayList<>();
		SlotReplica<ManualShards> first = start(ShardKey.UID, SlotReconcilerTests::nothing, (spec) -> spec
			.withCleanup("example.com/widgets", (widget, run) -> Result.requeueAfter(Duration.ofHours(1))));
		SlotReplica<ManualShards> second = start(ShardKey.UID, SlotReconcilerTests::nothing,
				(spec) -> spec.withCleanup("example.com/widgets", (widget, run) -> {
					cleaned.add(run.key());
					return Result.done();
				}));
		this.world.create("a");
		this.world.create("b");
		first.shards.gain(0, 1, 2, 3);
		await().until(() -> Stream.of("a", "b")
			.allMatch((name) -> List.of("example.com/widgets")
				.equals(this.world.get(name).getMetadata().getFinalizers())));
		this.world.delete("a");
		await().until(() -> first.container.status().queue().delayed() == 1);
		assertThat(first.shards.move(0, 1, 2, 3)).isTrue();
		second.shards.gain(0, 1, 2, 3);
		await().until(() -> this.world.widgets.list().size() == 1);
		assertThat(cleaned).containsExactly(WidgetWorld.key("a"));
		this.world.delete("b");
		await().until(() -> this.world.widgets.list().isEmpty());
		assertThat(cleaned).containsExactly(WidgetWorld.key("a"), WidgetWorld.key("b"));
	}

	@Test
	void primariesThatCannotBeReadShouldFailWhereTheirSlotIsHeld() {
		create();
		SlotReplica<ManualShards> replica = start(ShardKey.UID, SlotReconcilerTests::nothing);
		for (int slot = 0; slot < 2; slot++) {
			ObjectKey key = keys(replica, slot).iterator().next();
			this.world.api.faults()
				.corrupt(Widget.class, key.namespace(), key.name(),
						(json) -> json.replace("\"size\":1", "\"size\":\"seven\""));
		}
		replica.shards.gain(0);
		await().until(() -> replica.container.status().queue().failingKeys() == 1);
		replica.shards.gain(1);
		await().until(() -> replica.container.status().queue().failingKeys() == 2);
		assertThat(replica.shards.move(0)).isTrue();
		await().until(() -> replica.container.status().queue().failingKeys() == 1);
	}

	@Test
	void runThatIgnoresItsInterruptShouldDelayItsSlotAlone() throws InterruptedException {
		create();
		CountDownLatch hanging = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicReference<ObjectKey> stuck = new AtomicReference<>();
		AtomicReference<Throwable> refusal = new AtomicReference<>();
		SlotReplica<ManualShards> replica = start(ShardKey.UID, (widget, run) -> {
			if (run.key().equals(stuck.get())) {
				hanging.countDown();
				awaitWhateverComes(go);
				try {
					run.status((status) -> status.ready(99));
				}
				catch (RuntimeException ex) {
					refusal.set(ex);
					throw ex;
				}
			}
			return Result.done();
		}, (spec) -> spec.withDrainTimeout(Duration.ofMillis(50)));
		replica.shards.leaseDuration(Duration.ofMillis(1000));
		stuck.set(keys(replica, 1).iterator().next());
		replica.shards.gain(0, 1, 2, 3);
		assertThat(hanging.await(60, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Boolean> delayed = replica.shards.beginMove(Set.of(1));
		assertThat(replica.shards.move(0, 2)).isTrue();
		assertThat(delayed).isNotDone();
		assertThat(delayed.join()).isTrue();
		go.countDown();
		await().until(() -> refusal.get() != null);
		assertThat(refusal.get()).isInstanceOf(LeadershipLostException.class)
			.hasMessageContaining("slot 1 is lost or handed over");
		ObjectKey key = stuck.get();
		assertThat(this.world.widgets.get(key.namespace(), key.name()).ready()).isZero();
		replica.awaitIdle();
		assertThat(replica.container.status().runs().failed()).isZero();
	}

	private static void awaitWhateverComes(CountDownLatch latch) {
		boolean passed = false;
		while (!passed) {
			try {
				latch.await();
				passed = true;
			}
			catch (InterruptedException ex) {
				// This run ignores it.
			}
		}
	}

	@Test
	void runOfASlotThatHasExpiredShouldSendNothing() throws InterruptedException {
		this.world.create("a");
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicReference<Throwable> refusal = new AtomicReference<>();
		SlotReplica<ManualShards> replica = start(ShardKey.UID, (widget, run) -> {
			if (refusal.get() == null) {
				running.countDown();
				awaitWhateverComes(go);
				try {
					run.status((status) -> status.ready(99));
				}
				catch (RuntimeException ex) {
					refusal.set(ex);
					throw ex;
				}
			}
			run.status((status) -> status.ready(widget.size()));
			return Result.done();
		});
		replica.shards.gain(0, 1, 2, 3);
		assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
		replica.shards.expire();
		go.countDown();
		await().until(() -> refusal.get() != null);
		assertThat(refusal.get()).isInstanceOf(LeadershipLostException.class);
		this.world.widgets.edit("web", "a", (widget) -> widget.size(7));
		replica.shards.lose();
		assertThat(replica.writes).isEmpty();
		assertThat(this.world.get("a").ready()).isZero();
		replica.shards.gain(0, 1, 2, 3);
		await().until(() -> this.world.get("a").ready() == 7);
	}

	/**
	 * The watches lag behind, so that a cache that was kept shows what the member that
	 * held the slot meanwhile has changed only later.
	 */
	@Test
	void slotThatWasKeptShouldBeCurrentBeforeItsFirstRun() throws InterruptedException {
		this.world.create("a");
		List<Integer> seen = new CopyOnWriteArrayList<>();
		SlotReplica<ManualShards> replica = start(ShardKey.UID, (widget, run) -> {
			seen.add(widget.size());
			return Result.done();
		});
		replica.shards.gain(0, 1, 2, 3);
		replica.awaitIdle();
		replica.shards.lose();
		this.world.api.faults().watchLag(Duration.ofMillis(1200));
		this.world.widgets.edit("web", "a", (widget) -> widget.size(7));
		seen.clear();
		replica.shards.gain(0, 1, 2, 3);
		await().until(() -> !seen.isEmpty());
		assertThat(seen).startsWith(7);
	}

	private static Result createOneChild(Widget widget, Reconciliation<Widget> run) throws Exception {
		if (run.owned(V1ConfigMap.class).list().isEmpty()) {
			run.create(new V1ConfigMap().metadata(new V1ObjectMeta().generateName("child-")));
		}
		return Result.done();
	}

	/**
	 * The name of a child is made by the server, so that a run which does not see the
	 * child makes another one.
	 */
	@Test
	void completeCacheOfChildrenShouldBeCurrentBeforeTheFirstRun() throws InterruptedException {
		this.world.create("a");
		SlotReplica<ManualShards> first = start(ShardKey.UID, SlotReconcilerTests::createOneChild,
				(spec) -> spec.withOwned(V1ConfigMap.class));
		SlotReplica<ManualShards> second = start(ShardKey.UID, SlotReconcilerTests::createOneChild,
				(spec) -> spec.withOwned(V1ConfigMap.class));
		second.shards.membership().begin();
		second.shards.settle();
		second.awaitIdle();
		this.world.api.faults().watchLag(Requests.watch("configmaps"), Duration.ofMillis(1200));
		first.shards.gain(0, 1, 2, 3);
		await().until(() -> !first.runs.isEmpty());
		assertThat(first.shards.move(0, 1, 2, 3)).isTrue();
		second.shards.gain(0, 1, 2, 3);
		await().until(() -> !second.runs.isEmpty());
		second.awaitIdle();
		assertThat(this.world.configMaps.list()).hasSize(1);
	}

	@Test
	void dividedChildrenShouldBeListedBeforeTheFirstRun() throws InterruptedException {
		create();
		SlotReplica<ManualShards> first = start(ShardKey.NAMESPACE, SlotReconcilerTests::createOneChild,
				(spec) -> spec.withOwned(V1ConfigMap.class));
		SlotReplica<ManualShards> second = start(ShardKey.NAMESPACE, SlotReconcilerTests::createOneChild,
				(spec) -> spec.withOwned(V1ConfigMap.class));
		first.shards.gain(0, 1, 2, 3);
		first.awaitIdle();
		assertThat(this.world.configMaps.list()).hasSize(WIDGETS);
		second.shards.membership().begin();
		second.shards.settle();
		second.awaitIdle();
		this.world.api.faults().on(Requests.list("configmaps")).delay(Duration.ofMillis(600));
		assertThat(first.shards.move(0, 1, 2, 3)).isTrue();
		second.shards.gain(0, 1);
		second.shards.gain(2, 3);
		assertThat(second.slots().waiting()).isNotEmpty();
		second.awaitIdle();
		assertThat(second.keys()).hasSize(WIDGETS);
		assertThat(this.world.configMaps.list()).hasSize(WIDGETS);
		assertThat(second.slots().waiting()).isEmpty();
	}

	@Test
	void changesOfWhatOthersOwnShouldQueueNoKey() throws InterruptedException {
		create();
		SlotReplica<ManualShards> replica = start(ShardKey.UID, SlotReconcilerTests::createOneChild,
				(spec) -> spec.withOwned(V1ConfigMap.class));
		replica.shards.gain(0, 1, 2, 3);
		replica.awaitIdle();
		Set<ObjectKey> own = keys(replica, 0);
		assertThat(replica.shards.move(1, 2, 3)).isTrue();
		replica.awaitIdle();
		replica.container.pause();
		this.world.configMaps.list()
			.forEach((child) -> this.world.configMaps.edit(child.getMetadata().getNamespace(),
					child.getMetadata().getName(), (edited) -> edited.setData(Map.of("edited", "true"))));
		await().until(() -> queued(replica) >= own.size());
		this.world.api.sendBookmarks();
		assertThat(queued(replica)).isEqualTo(own.size());
	}

	private static int queued(SlotReplica<ManualShards> replica) {
		return replica.container.status().queue().ready().values().stream().mapToInt(Integer::intValue).sum();
	}

	@Test
	void triggerOfAKeyOfAnotherMemberShouldNameTheMember() throws InterruptedException {
		create();
		SlotReplica<ManualShards> replica = start(ShardKey.NAMESPACE, SlotReconcilerTests::nothing);
		assertThatExceptionOfType(NotLeaderException.class).isThrownBy(replica.container::triggerAll)
			.withMessage("Reconciler 'widgets' runs nothing here, because this process holds no valid Lease of its "
					+ "group; trigger it on another member");
		replica.shards.others(new ShardMember("web-1", Set.of(1, 2, 3), false, false));
		replica.shards.gain(0);
		replica.awaitIdle();
		replica.runs.clear();
		ObjectKey other = keys(replica, 1, 2, 3).iterator().next();
		int slot = replica.shards.division().slotOf(other.namespace(), null);
		assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> replica.container.trigger(other))
			.withMessage("Reconciler 'widgets' does not run '%s' here, because 'web-1' holds its slot %d; trigger it "
					+ "there", other, slot);
		ObjectKey own = keys(replica, 0).iterator().next();
		replica.container.trigger(own);
		replica.awaitIdle();
		assertThat(replica.keys()).containsExactly(own);
	}

	@Test
	void sourcesShouldFollowSlotsByNamespaceUnlessTheyAreToBeWhole() {
		ManualShards shards = new ManualShards(new Slots(ShardKey.NAMESPACE, SLOTS));
		ReconcilerSpec<Widget> spec = this.world.spec(SlotReconcilerTests::nothing)
			.withShards(shards)
			.withOwned(V1ConfigMap.class)
			.withWatched(WatchedResource.of(V1Node.class, (node) -> Stream.empty()))
			.withWatched(WatchedResource.of(V1Secret.class, (secret) -> Stream.empty()));
		assertThat(SourceSet.specs(spec)).extracting(InformerSpec::shards)
			.containsExactly(shards, shards, null, shards);
		assertThat(SourceSet.specs(spec.withWhole(Set.of(ResourceType.of(V1Secret.class)))))
			.extracting(InformerSpec::shards)
			.containsExactly(shards, shards, null, null);
		ManualShards byUid = ManualShards.of(SLOTS);
		assertThat(SourceSet.specs(spec.withShards(byUid))).extracting(InformerSpec::shards)
			.containsExactly(byUid, null, null, null);
		assertThat(spec.withShards(null).shards()).isNull();
	}

	@Test
	void leadershipAndShardsShouldExcludeEachOther() {
		ScriptedLeadership leadership = new ScriptedLeadership();
		ManualShards shards = ManualShards.of(SLOTS);
		String message = "Reconciler 'widgets' cannot have a leadership and shards, because each of them decides where "
				+ "it runs; choose one";
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> this.world.spec(SlotReconcilerTests::nothing).withLeadership(leadership).withShards(shards))
			.withMessage(message);
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> this.world.spec(SlotReconcilerTests::nothing).withShards(shards).withLeadership(leadership))
			.withMessage(message);
	}

}
