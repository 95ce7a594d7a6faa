package dev.kubeinformer;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ShardMode;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Moving slots with other kinds of informers, and what their status shows.
 */
class MovingSlotsInformerTests {

	private static final int SLOTS = 8;

	private static final int OBJECTS = 60;

	private final ManualShards shards = ManualShards.of(SLOTS);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.protobuf(true)
		.bookmarkInterval(Duration.ofMillis(50))
		.start();

	private final ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);

	private final Informers informers = EngineTestSupport.informers(this.api.url(),
			(builder) -> builder.listMode(ListMode.PAGED).protobuf(false));

	@AfterEach
	void close() {
		this.informers.close();
		this.api.close();
	}

	@Test
	void metadataAndDynamicInformersShouldFollowTheSlots() {
		create();
		Informer<Metadata<V1Pod>> metadata = this.informers
			.informer(InformerSpec.metadata(V1Pod.class).withShards(this.shards));
		Informer<DynamicKubernetesObject> dynamic = this.informers
			.informer(InformerSpec.dynamic("", "v1", "pods").withShards(this.shards));
		this.shards.gain(0, 1, 2);
		this.informers.start();
		for (Set<Integer> held : List.of(Set.of(0, 1, 2), Set.of(0, 1, 2, 5, 7), Set.of(5, 7), Set.<Integer>of(),
				Set.of(3))) {
			become(held);
			await().untilAsserted(() -> {
				assertThat(metadata.lister().list()).extracting((each) -> each.getMetadata().getUid())
					.containsExactlyInAnyOrderElementsOf(uids(held));
				assertThat(dynamic.lister().list()).extracting((each) -> each.getMetadata().getUid())
					.containsExactlyInAnyOrderElementsOf(uids(held));
			});
			create();
		}
	}

	@Test
	void transformShouldSeeGainedObjectsOnceAndHandlersItsResult() {
		create();
		Informer<V1Pod> informer = this.informers.informer(InformerSpec.of(V1Pod.class).withShards(this.shards));
		informer.setTransform((object) -> {
			V1Pod pod = (V1Pod) object;
			pod.getMetadata()
				.putLabelsItem("seen", pod.getMetadata().getLabels().containsKey("seen") ? "twice" : "once");
			return pod;
		});
		Recorder<V1Pod> recorder = new Recorder<>();
		informer.addHandler(recorder, HandlerOptions.defaults());
		this.shards.gain(0);
		this.informers.start();
		become(Set.of(0, 4));
		await().untilAsserted(
				() -> assertThat(recorder.events()).extracting((each) -> each.object().getMetadata().getUid())
					.containsExactlyInAnyOrderElementsOf(uids(Set.of(0, 4))));
		assertThat(recorder.events()).allMatch((event) -> event.initial())
			.allMatch((event) -> event.object().getMetadata().getLabels().get("seen").equals("once"));
	}

	@Test
	void quarantinedObjectsShouldLeaveWithTheirSlot() {
		create();
		V1Pod broken = this.pods.list().get(0);
		int slot = this.shards.slotOf(broken);
		this.api.faults()
			.corrupt(V1Pod.class, broken.getMetadata().getNamespace(), broken.getMetadata().getName(),
					(json) -> json.replace("\"containers\":[", "\"containers\":7,\"x\":["));
		Informer<V1Pod> informer = this.informers.informer(InformerSpec.of(V1Pod.class).withShards(this.shards));
		this.shards.gainAll();
		this.informers.start();
		await().until(() -> informer.status().cache().quarantined() == 1);
		assertThat(this.shards.move(slot)).isTrue();
		assertThat(informer.status().cache().quarantined()).isZero();
		assertThat(informer.quarantined().problems()).isEmpty();
		this.shards.gain(slot);
		await().until(() -> informer.status().cache().quarantined() == 1);
	}

	@Test
	void addedNamespaceShouldBeListedForTheHeldSlots() throws InterruptedException {
		create();
		Informer<V1Pod> informer = this.informers
			.informer(InformerSpec.of(V1Pod.class).withNamespaces("n0").withShards(this.shards));
		this.shards.gain(0, 1, 2, 3);
		this.informers.start();
		assertThat(informer.awaitSync(Duration.ofSeconds(30))).isTrue();
		assertThat(informer.addNamespace("n1")).isTrue();
		assertThat(informer.status().sharding().listed()).containsExactlyInAnyOrder(0, 1, 2, 3);
		assertThat(informer.awaitSync("n1", Duration.ofSeconds(30))).isTrue();
		become(Set.of(2, 3, 6));
		await()
			.untilAsserted(() -> assertThat(informer.lister().list()).extracting((each) -> each.getMetadata().getUid())
				.containsExactlyInAnyOrderElementsOf(uids(Set.of(2, 3, 6), "n0", "n1")));
		await().until(() -> informer.status().sharding().listed().equals(Set.of(2, 3, 6)));
	}

	/**
	 * A membership calls work in a thread of its own, so the registration ends before the
	 * slots are there.
	 */
	@Test
	void informerThatStartsLateShouldNotBeSyncedBeforeItKnowsItsSlots() throws InterruptedException {
		create();
		this.shards.gainAll();
		CountDownLatch go = new CountDownLatch(1);
		Shards late = (Shards) Proxy.newProxyInstance(Shards.class.getClassLoader(), new Class<?>[] { Shards.class },
				(proxy, method, args) -> {
					if (!method.getName().equals("register")) {
						return method.invoke(this.shards, args);
					}
					Thread thread = new Thread(() -> {
						try {
							go.await();
							this.shards.register((ShardWork) args[0]);
						}
						catch (InterruptedException ex) {
							Thread.currentThread().interrupt();
						}
					});
					thread.setDaemon(true);
					thread.start();
					return (Leadership.Registration) () -> {
					};
				});
		Informer<V1Pod> informer = this.informers.informer(InformerSpec.of(V1Pod.class).withShards(late));
		this.informers.start();
		assertThat(informer.awaitSync(Duration.ofMillis(300))).isFalse();
		go.countDown();
		assertThat(informer.awaitSync(Duration.ofSeconds(30))).isTrue();
		assertThat(informer.lister().list()).hasSize(OBJECTS);
	}

	@Test
	void informerThatStartsBeforeItsMembershipShouldNotBeSyncedWithAnEarlierShare() throws InterruptedException {
		create();
		try (ShardMembership member = ShardMembership.of(() -> EngineTestSupport.client(this.api.url()),
				ShardsSpec.of("default", "pods", this.shards.division()).withSettleTime(Duration.ZERO))) {
			Informer<V1Pod> informer = this.informers.informer(InformerSpec.of(V1Pod.class).withShards(member));
			this.informers.start();
			member.start();
			assertThat(informer.awaitSync(Duration.ofSeconds(30))).isTrue();
			member.stop();
			this.informers.stop();
			this.informers.start();
			assertThat(informer.awaitSync(Duration.ofMillis(300))).isFalse();
			member.start();
			assertThat(informer.awaitSync(Duration.ofSeconds(30))).isTrue();
			assertThat(informer.lister().list()).hasSize(OBJECTS);
		}
	}

	@ParameterizedTest
	@EnumSource(ShardMode.class)
	void statusShouldShowSlotsAndWhereOthersAreFiltered(ShardMode mode) {
		this.api.shardedListAndWatch(mode == ShardMode.SERVER);
		create();
		create();
		Informer<V1Pod> informer = this.informers.informer(InformerSpec.of(V1Pod.class).withShards(this.shards));
		assertThat(this.informers.informer(InformerSpec.of(V1Pod.class).withShards(this.shards)).id())
			.isEqualTo(informer.id());
		this.shards.gain(0, 1, 2);
		this.informers.start();
		become(Set.of(1, 2, 5));
		await().untilAsserted(() -> {
			assertThat(informer.status().sharding().listed()).containsExactlyInAnyOrder(1, 2, 5);
			assertThat(informer.status().state()).isEqualTo(InformerState.LIVE);
			assertThat(informer.status().sharding().mode()).isEqualTo(mode);
		});
		assertThat(informer.status().sharding().shard()).isNull();
		assertThat(informer.status().sharding().slots()).isEqualTo(this.shards.division());
		assertThat(informer.status().sharding().foreign() > 0).isEqualTo(mode == ShardMode.CLIENT);
	}

	private void become(Set<Integer> held) {
		Set<Integer> lost = new TreeSet<>(this.shards.slots());
		lost.removeAll(held);
		if (!lost.isEmpty()) {
			assertThat(this.shards.move(lost)).isTrue();
		}
		Set<Integer> gained = new TreeSet<>(held);
		gained.removeAll(this.shards.slots());
		if (!gained.isEmpty()) {
			this.shards.gain(gained);
		}
	}

	private void create() {
		int present = this.pods.list().size();
		for (int i = present; i < present + OBJECTS; i++) {
			this.pods.create(EngineTestSupport.pod("n" + i % 3, "p" + i));
		}
	}

	private List<String> uids(Set<Integer> slots, String... namespaces) {
		return this.pods.list()
			.stream()
			.filter((pod) -> slots.contains(this.shards.slotOf(pod)))
			.filter((pod) -> namespaces.length == 0 || List.of(namespaces).contains(pod.getMetadata().getNamespace()))
			.map((pod) -> pod.getMetadata().getUid())
			.toList();
	}

}
