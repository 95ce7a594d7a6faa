package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.ShardMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Informers on shards, on a server that knows no shards and on one that does.
 */
class ShardInformerTests {

	private static final int TOTAL = 3;

	/** So many that each shard has enough to show that the server limits its lists. */
	private static final int MANY = 150;

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.protobuf(true)
		.bookmarkInterval(Duration.ofMillis(50))
		.start();

	private final ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);

	private final List<Informers> started = new ArrayList<>();

	@AfterEach
	void close() {
		this.started.forEach(Informers::close);
		this.api.close();
	}

	@ParameterizedTest
	@CsvSource({ "PAGED,JSON,UID", "PAGED,PROTOBUF,UID", "AUTO,JSON,UID", "AUTO,PROTOBUF,UID", "PAGED,JSON,NAMESPACE",
			"AUTO,PROTOBUF,NAMESPACE" })
	void shardsTogetherShouldHoldEachObjectOnce(ListMode mode, WireEncoding encoding, ShardKey key) {
		create(40);
		Informers informers = informers(encoding, (builder) -> builder.listMode(mode).pageSize(7));
		List<Informer<V1Pod>> shards = IntStream.range(0, TOTAL)
			.mapToObj((index) -> informers.informer(spec(key, index)))
			.toList();
		informers.start();
		await().untilAsserted(() -> assertThat(names(shards)).containsExactlyElementsOf(names(this.pods.list())));
		create(40, 80);
		for (int i = 0; i < 20; i++) {
			this.pods.delete(namespace(i), "p" + i);
			this.pods
				.update(EngineTestSupport.relabelled(EngineTestSupport.pod(namespace(i + 20), "p" + (i + 20)), "x"));
		}
		await().untilAsserted(() -> assertThat(versions(shards)).isEqualTo(ClusterSupport.versions(this.pods.list())));
		for (int index = 0; index < TOTAL; index++) {
			Shard shard = new Shard(key, index, TOTAL);
			assertThat(shards.get(index).lister().list()).isNotEmpty().allMatch((pod) -> contains(shard, pod));
			InformerStatus.Sharding sharding = shards.get(index).status().sharding();
			assertThat(sharding.shard()).isEqualTo(shard);
			assertThat(sharding.mode()).isEqualTo(ShardMode.CLIENT);
			assertThat(sharding.foreign()).isPositive();
		}
	}

	@ParameterizedTest
	@CsvSource({ "PAGED,JSON", "PAGED,PROTOBUF", "AUTO,JSON", "AUTO,PROTOBUF" })
	void serverWithTheGateShouldSendTheShardOnly(ListMode mode, WireEncoding encoding) {
		this.api.shardedListAndWatch(true);
		create(MANY);
		Informers informers = informers(encoding, (builder) -> builder.listMode(mode).pageSize(11));
		List<Informer<V1Pod>> shards = shards(informers);
		informers.start();
		await().untilAsserted(() -> assertThat(versions(shards)).isEqualTo(ClusterSupport.versions(this.pods.list())));
		assertThat(shards).allMatch((each) -> each.status().sharding().mode() == ShardMode.SERVER);
		await().until(() -> shards.stream().allMatch((each) -> each.status().watch().watchedAt() != null));
		create(MANY, MANY + 20);
		for (int i = 0; i < 20; i++) {
			this.pods.delete(namespace(i), "p" + i);
		}
		await().untilAsserted(() -> assertThat(versions(shards)).isEqualTo(ClusterSupport.versions(this.pods.list())));
		assertThat(shards).allMatch((each) -> each.status().sharding().mode() == ShardMode.SERVER)
			.allMatch((each) -> each.status().sharding().foreign() == 0);
	}

	@Test
	void gateThatComesAndGoesShouldLoseNothing() {
		create(MANY);
		Informers informers = informers(WireEncoding.PROTOBUF, (builder) -> builder.listMode(ListMode.PAGED));
		List<Informer<V1Pod>> shards = shards(informers);
		informers.start();
		int present = MANY;
		for (boolean gate : List.of(false, true, false, true)) {
			this.api.stopServing();
			this.api.shardedListAndWatch(gate);
			create(present, present + 10);
			present += 10;
			this.api.compact();
			this.api.resumeServing();
			await()
				.untilAsserted(() -> assertThat(versions(shards)).isEqualTo(ClusterSupport.versions(this.pods.list())));
			ShardMode expected = (gate) ? ShardMode.SERVER : ShardMode.CLIENT;
			await().untilAsserted(() -> assertThat(shards).extracting((each) -> each.status().sharding().mode())
				.containsOnly(expected));
		}
	}

	@Test
	void watchThatIsNotFilteredShouldBeFilteredHere() {
		try (EmbeddedKubernetes unfiltered = EmbeddedKubernetes.builder()
			.shardedListAndWatch(true)
			.unfilteredWatches(true)
			.start()) {
			ApiResources<V1Pod> all = unfiltered.resources(V1Pod.class);
			Informers informers = EngineTestSupport.informers(EngineTestSupport.client(unfiltered.url()),
					(builder) -> builder.listMode(ListMode.PAGED));
			this.started.add(informers);
			List<Informer<V1Pod>> shards = shards(informers);
			informers.start();
			await().until(() -> shards.stream().allMatch((each) -> each.status().watch().watchedAt() != null));
			assertThat(shards).allMatch((each) -> each.status().sharding().mode() == ShardMode.SERVER);
			for (int i = 0; i < 40; i++) {
				all.create(EngineTestSupport.pod(namespace(i), "p" + i));
			}
			await().untilAsserted(() -> assertThat(versions(shards)).isEqualTo(ClusterSupport.versions(all.list())));
			await()
				.untilAsserted(() -> assertThat(shards.stream().mapToLong((each) -> each.status().sharding().foreign()))
					.containsExactly(
							shards.stream().map((each) -> 40L - each.lister().list().size()).toArray(Long[]::new)));
			assertThat(shards).allMatch((each) -> each.status().sharding().mode() == ShardMode.CLIENT);
		}
	}

	@ParameterizedTest
	@EnumSource(ListMode.class)
	void everyRequestButAProbeShouldCarryTheSelector(ListMode mode) {
		create(10);
		Informers informers = informers(WireEncoding.JSON, (builder) -> builder.listMode(mode).pageSize(2));
		Informer<V1Pod> informer = informers.informer(spec(ShardKey.UID, 1));
		informers.start();
		await().until(() -> informer.status().state() == InformerState.LIVE);
		this.api.dropConnections();
		await().until(() -> requests().stream().filter(RecordedRequest::isWatch).count() > 1);
		String selector = new Shard(ShardKey.UID, 1, TOTAL).selector();
		assertThat(requests()).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.parameter("shardSelector"))
				.isEqualTo(EngineTestSupport.isProbe(request) ? null : selector));
	}

	@Test
	void recreationInAnotherShardShouldDeleteTheCachedObject() {
		Shard shard = new Shard(ShardKey.UID, 0, 2);
		create(1);
		Informers informers = informers(WireEncoding.JSON, (builder) -> builder);
		Informer<V1Pod> informer = informers.informer(InformerSpec.of(V1Pod.class).withShard(shard));
		Recorder<V1Pod> recorder = new Recorder<>();
		informer.addHandler(recorder, HandlerOptions.defaults());
		informers.start();
		for (int i = 0; i < 12; i++) {
			awaitUids(informer, presentIn(shard));
			if (i % 3 == 2) {
				informers.stop();
			}
			this.pods.delete(namespace(0), "p0");
			create(1);
			if (i % 3 == 2) {
				informers.start();
			}
		}
		awaitUids(informer, presentIn(shard));
		await().until(() -> informer.status().watch().watchedAt() != null);
		// The handler gets to know it after the cache.
		await().untilAsserted(() -> assertThat(present(recorder.events())).isEqualTo(presentIn(shard)));
		assertThat(recorder.events())
			.allMatch((event) -> contains(shard, event.object()) && event.type() != ResourceEvent.Type.UPDATE);
	}

	private static void awaitUids(Informer<V1Pod> informer, Set<String> expected) {
		await().untilAsserted(() -> assertThat(informer.lister().list()).extracting((pod) -> pod.getMetadata().getUid())
			.containsExactlyInAnyOrderElementsOf(expected));
	}

	private Set<String> presentIn(Shard shard) {
		return this.pods.list()
			.stream()
			.filter((pod) -> contains(shard, pod))
			.map((pod) -> pod.getMetadata().getUid())
			.collect(Collectors.toSet());
	}

	private static Set<String> present(List<ResourceEvent<V1Pod>> events) {
		Set<String> uids = new HashSet<>();
		for (ResourceEvent<V1Pod> event : events) {
			String uid = event.object().getMetadata().getUid();
			if (event.type() == ResourceEvent.Type.DELETE) {
				uids.remove(uid);
			}
			else {
				uids.add(uid);
			}
		}
		return uids;
	}

	@Test
	void foreignEventsShouldAdvanceTheVersionOfTheCache() {
		Shard shard = new Shard(ShardKey.NAMESPACE, 0, 2);
		String foreign = IntStream.range(0, 100)
			.mapToObj((i) -> i + "-other")
			.filter((namespace) -> !shard.contains(namespace, ""))
			.findFirst()
			.orElseThrow();
		Informers informers = informers(WireEncoding.JSON, (builder) -> builder);
		Informer<V1Pod> informer = informers.informer(InformerSpec.of(V1Pod.class).withShard(shard));
		Recorder<V1Pod> recorder = new Recorder<>();
		informer.addHandler(recorder, HandlerOptions.defaults());
		informers.start();
		await().until(() -> informer.status().watch().watchedAt() != null);
		String version = this.pods.create(EngineTestSupport.pod(foreign, "a")).getMetadata().getResourceVersion();
		await().until(() -> Long.parseLong(informer.status().cache().resourceVersion()) >= Long.parseLong(version));
		await().until(() -> informer.status().sharding().foreign() == 1);
		assertThat(informer.status().sharding().mode()).isEqualTo(ShardMode.CLIENT);
		assertThat(informer.lister().list()).isEmpty();
		assertThat(informer.status().cache().quarantined()).isZero();
	}

	@Test
	void clusterScopedObjectsShouldBeInTheShardOfTheEmptyNamespace() {
		this.api.resources(V1Node.class).create(new V1Node().metadata(new V1ObjectMeta().name("node-1")));
		Informers informers = informers(WireEncoding.PROTOBUF, (builder) -> builder);
		for (int index = 0; index < TOTAL; index++) {
			Shard shard = new Shard(ShardKey.NAMESPACE, index, TOTAL);
			Informer<V1Node> informer = informers.informer(InformerSpec.of(V1Node.class).withShard(shard));
			informers.start();
			await().until(() -> informer.status().sync().synced());
			assertThat(informer.lister().list()).hasSize(shard.contains("", "") ? 1 : 0);
		}
	}

	private List<RecordedRequest> requests() {
		return this.api.requests().stream().filter((request) -> request.path().endsWith("/pods")).toList();
	}

	private Informers informers(WireEncoding encoding, UnaryOperator<Informers.Builder> settings) {
		Informers informers = EngineTestSupport.informers(EngineTestSupport.client(this.api.url()),
				(builder) -> settings.apply(builder).protobuf(encoding == WireEncoding.PROTOBUF));
		this.started.add(informers);
		return informers;
	}

	private static List<Informer<V1Pod>> shards(Informers informers) {
		return IntStream.range(0, TOTAL).mapToObj((index) -> informers.informer(spec(ShardKey.UID, index))).toList();
	}

	private static InformerSpec<V1Pod> spec(ShardKey key, int index) {
		return InformerSpec.of(V1Pod.class).withShard(new Shard(key, index, TOTAL));
	}

	private void create(int to) {
		create(0, to);
	}

	private void create(int from, int to) {
		for (int i = from; i < to; i++) {
			this.pods.create(EngineTestSupport.pod(namespace(i), "p" + i));
		}
	}

	private static String namespace(int number) {
		// Names that differ in their last characters only have nearly the same hash.
		return (char) ('a' + number % 12) + "-team-of-pods";
	}

	private static boolean contains(Shard shard, V1Pod pod) {
		return shard.contains(pod.getMetadata().getNamespace(), pod.getMetadata().getUid());
	}

	private static List<String> names(List<?> podsOrInformers) {
		TreeSet<String> names = new TreeSet<>();
		List<String> duplicates = new ArrayList<>();
		for (Object each : podsOrInformers) {
			List<V1Pod> pods = (each instanceof V1Pod pod) ? List.of(pod) : listed(each);
			for (V1Pod pod : pods) {
				if (!names.add(pod.getMetadata().getName())) {
					duplicates.add(pod.getMetadata().getName());
				}
			}
		}
		assertThat(duplicates).isEmpty();
		return List.copyOf(names);
	}

	@SuppressWarnings("unchecked")
	private static List<V1Pod> listed(Object informer) {
		return ((Informer<V1Pod>) informer).lister().list();
	}

	private static Map<String, String> versions(List<Informer<V1Pod>> shards) {
		return ClusterSupport.versions(shards.stream().flatMap((each) -> each.lister().list().stream()).toList());
	}

}
