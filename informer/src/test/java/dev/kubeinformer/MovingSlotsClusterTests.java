package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.ShardMode;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Slots that move between two informers, on a real kube-apiserver without and with the
 * feature gate {@code ShardedListAndWatch}, while objects change. Both informers together
 * hold each object once, and their handlers see no addition or deletion twice.
 */
@Tag("slow")
class MovingSlotsClusterTests {

	private static final String SHARDED = "cluster.sharded";

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int SLOTS = 16;

	private static final int ROUNDS = Integer.getInteger("moving.rounds", 12);

	private final String namespace = "informer-slots-" + UUID.randomUUID().toString().substring(0, 8);

	private final long seed = Long.getLong("moving.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final List<Informers> started = new ArrayList<>();

	private final Map<String, V1ConfigMap> present = new TreeMap<>();

	private CoreV1Api core;

	@AfterEach
	void close() throws ApiException {
		this.started.forEach(Informers::close);
		if (this.core != null) {
			this.core.deleteNamespace(this.namespace).execute();
		}
	}

	@RequiresCluster
	@ParameterizedTest
	@EnumSource(names = { "PAGED", "AUTO" })
	void slotsShouldMoveWithoutTheGate(ListMode mode, Path kubeconfig) throws Exception {
		move(kubeconfig, mode, ShardMode.CLIENT);
	}

	@RequiresCluster(properties = SHARDED)
	@ParameterizedTest
	@EnumSource(names = { "PAGED", "AUTO" })
	void slotsShouldMoveWithTheGate(ListMode mode) throws Exception {
		move(Path.of(System.getProperty(SHARDED)), mode, ShardMode.SERVER);
	}

	private void move(Path kubeconfig, ListMode mode, ShardMode expected) throws Exception {
		ApiClient admin = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(admin);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		for (int i = 0; i < 120; i++) {
			change();
		}
		Replica one = new Replica(kubeconfig, mode);
		Replica two = new Replica(kubeconfig, mode);
		one.shards.gainAll();
		two.shards.settle();
		verify(one, two);
		for (int round = 0; round < ROUNDS; round++) {
			handOver(one, two);
			for (int i = 0; i < 10; i++) {
				change();
			}
			handOver(two, one);
			change();
			verify(one, two);
		}
		assertThat(one.informer.status().lists().byReason()).containsKey(ListReason.SLOTS)
			.doesNotContainKey(ListReason.EXPIRED);
		assertThat(List.of(one, two)).extracting((each) -> each.informer.status().sharding().mode())
			.containsAnyOf(expected, null);
		if (expected == ShardMode.SERVER) {
			assertThat(List.of(one, two)).allMatch((each) -> each.informer.status().sharding().foreign() == 0);
		}
	}

	private void handOver(Replica from, Replica to) {
		Set<Integer> slots = new TreeSet<>();
		from.shards.slots().stream().filter((slot) -> this.random.nextInt(3) == 0).forEach(slots::add);
		if (!slots.isEmpty()) {
			assertThat(from.shards.move(slots)).isTrue();
			from.evict(slots);
			change();
			to.shards.gain(slots);
		}
	}

	private void change() {
		String name = "m" + this.random.nextInt(150);
		try {
			V1ConfigMap known = this.present.get(name);
			if (known == null) {
				this.present.put(name,
						this.core
							.createNamespacedConfigMap(this.namespace,
									new V1ConfigMap().metadata(new V1ObjectMeta().name(name)).putDataItem("v", "0"))
							.execute());
			}
			else if (this.random.nextInt(4) == 0) {
				this.core.deleteNamespacedConfigMap(name, this.namespace).execute();
				this.present.remove(name);
			}
			else {
				this.present.put(name,
						this.core
							.replaceNamespacedConfigMap(name, this.namespace,
									new V1ConfigMap().metadata(new V1ObjectMeta().name(name))
										.putDataItem("v", Integer.toString(this.random.nextInt())))
							.execute());
			}
		}
		catch (ApiException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void verify(Replica one, Replica two) {
		await().atMost(LONG).untilAsserted(() -> {
			for (Replica replica : List.of(one, two)) {
				Map<String, String> truth = new TreeMap<>();
				this.present.values()
					.stream()
					.filter((map) -> replica.shards.slots().contains(replica.shards.slotOf(map)))
					.forEach((map) -> truth.put(map.getMetadata().getUid(), map.getMetadata().getResourceVersion()));
				Map<String, String> cached = new TreeMap<>();
				replica.informer.lister()
					.list()
					.stream()
					.filter((map) -> this.namespace.equals(map.getMetadata().getNamespace())
							&& map.getMetadata().getName().startsWith("m"))
					.forEach((map) -> cached.put(map.getMetadata().getUid(), map.getMetadata().getResourceVersion()));
				assertThat(cached).as("cache, seed %d", this.seed).isEqualTo(truth);
				assertThat(replica.problems).as("seed %d", this.seed).isEmpty();
				assertThat(replica.view()).as("handler, seed %d", this.seed).isEqualTo(truth);
			}
		});
	}

	/** One of two processes. */
	private final class Replica {

		private final ManualShards shards = new ManualShards(new Slots(ShardKey.UID, SLOTS));

		private final Map<String, V1ConfigMap> view = new HashMap<>();

		private final List<String> problems = new ArrayList<>();

		private final Informer<V1ConfigMap> informer;

		Replica(Path kubeconfig, ListMode mode) throws IOException {
			Informers informers = Informers.builder(ClusterSupport.client(kubeconfig)).listMode(mode).build();
			MovingSlotsClusterTests.this.started.add(informers);
			this.informer = informers.informer(InformerSpec.of(V1ConfigMap.class)
				.withNamespaces(MovingSlotsClusterTests.this.namespace)
				.withShards(this.shards));
			this.informer.addHandler(this::handle, HandlerOptions.defaults());
			informers.start();
		}

		private synchronized void handle(ResourceEvent<V1ConfigMap> event) {
			String uid = event.object().getMetadata().getUid();
			if (!event.object().getMetadata().getName().startsWith("m")) {
				return;
			}
			if (this.view.containsKey(uid) == (event.type() == ResourceEvent.Type.ADD)) {
				this.problems.add("%s of %s at %s".formatted(event.type(), uid,
						event.object().getMetadata().getResourceVersion()));
			}
			if (event.type() == ResourceEvent.Type.DELETE) {
				this.view.remove(uid);
			}
			else {
				this.view.put(uid, event.object());
			}
		}

		synchronized void evict(Set<Integer> slots) {
			this.view.values().removeIf((map) -> slots.contains(this.shards.slotOf(map)));
		}

		synchronized Map<String, String> view() {
			Map<String, String> versions = new TreeMap<>();
			this.view.forEach((uid, map) -> versions.put(uid, map.getMetadata().getResourceVersion()));
			return versions;
		}

	}

}
