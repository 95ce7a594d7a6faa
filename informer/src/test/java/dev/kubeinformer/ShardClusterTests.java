package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.ShardMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Informers on shards and a real kube-apiserver, without and with the feature gate
 * {@code ShardedListAndWatch}. They work in a namespace of their own.
 */
@Tag("slow")
class ShardClusterTests {

	/** The system property that names a kubeconfig of a server with the gate. */
	private static final String SHARDED = "cluster.sharded";

	/** The system property that names what restarts that server. */
	private static final String RESTART = "cluster.restart-with-gates";

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int TOTAL = 3;

	private final String namespace = "informer-shard-" + UUID.randomUUID().toString().substring(0, 8);

	private final List<Informers> started = new ArrayList<>();

	private CoreV1Api core;

	private int created;

	@AfterEach
	void close() throws ApiException {
		this.started.forEach(Informers::close);
		if (this.core != null) {
			this.core.deleteNamespace(this.namespace).execute();
		}
	}

	@RequiresCluster
	@ParameterizedTest
	@CsvSource({ "PAGED,true", "PAGED,false", "AUTO,true", "AUTO,false" })
	void serverWithoutTheGateShouldBeFilteredHere(ListMode mode, boolean protobuf, Path kubeconfig) throws Exception {
		connect(kubeconfig);
		verify(kubeconfig, mode, protobuf, ShardMode.CLIENT);
	}

	@RequiresCluster(properties = SHARDED)
	@ParameterizedTest
	@CsvSource({ "PAGED,true", "PAGED,false", "AUTO,true", "AUTO,false" })
	void serverWithTheGateShouldFilter(ListMode mode, boolean protobuf) throws Exception {
		Path kubeconfig = Path.of(System.getProperty(SHARDED));
		connect(kubeconfig);
		List<Informer<V1ConfigMap>> shards = verify(kubeconfig, mode, protobuf, ShardMode.SERVER);
		assertThat(shards).allMatch((each) -> each.status().sharding().foreign() == 0);
	}

	@Test
	@RequiresCluster(properties = SHARDED)
	void customResourcesAndMetadataShouldBeFilteredByTheServer() throws Exception {
		Path kubeconfig = Path.of(System.getProperty(SHARDED));
		ApiClient admin = connect(kubeconfig);
		create(30);
		String group = this.namespace + ".example.com";
		Gears gears = new Gears(admin, group, this.namespace);
		try {
			for (int i = 0; i < 30; i++) {
				gears.create("g" + i);
			}
			Informers informers = informers(kubeconfig, UnaryOperator.identity());
			InformerSpec<DynamicKubernetesObject> whole = InformerSpec.dynamic(group, "v1", Gears.PLURAL);
			List<Informer<DynamicKubernetesObject>> dynamic = shards(informers, whole);
			List<Informer<Metadata<DynamicKubernetesObject>>> metadata = shards(informers,
					InformerSpec.metadata(group, "v1", Gears.PLURAL, true));
			List<Informer<Metadata<V1ConfigMap>>> maps = shards(informers, InformerSpec.metadata(V1ConfigMap.class));
			informers.start();
			List<Informer<?>> all = new ArrayList<>(dynamic);
			all.addAll(metadata);
			all.addAll(maps);
			awaitWatches(all);
			gears.create("last");
			create(10);
			awaitSize(dynamic, 32);
			awaitSize(metadata, 32);
			awaitSize(maps, this.created);
			assertThat(all).allSatisfy((each) -> {
				assertThat(each.status().sharding().foreign()).isZero();
				assertThat(each.status().sharding().mode()).isNotEqualTo(ShardMode.CLIENT);
			});
		}
		finally {
			gears.remove();
		}
	}

	@RequiresCluster(properties = SHARDED)
	@ParameterizedTest
	@EnumSource(names = { "AUTO", "PAGED" })
	void eventsShouldBeFilteredHereWhereTheServerDoesNot(ListMode mode) throws Exception {
		Path kubeconfig = Path.of(System.getProperty(SHARDED));
		int minor = ClusterSupport.minor(connect(kubeconfig));
		createEvents(0, 20);
		Informers informers = informers(kubeconfig, (builder) -> builder.listMode(mode));
		List<Informer<CoreV1Event>> shards = shards(informers, InformerSpec.of(CoreV1Event.class));
		Recorder<CoreV1Event> recorder = new Recorder<>();
		shards.get(0).addHandler(recorder, HandlerOptions.defaults());
		informers.start();
		awaitWatches(shards);
		createEvents(20, 60);
		awaitSize(shards, 60);
		await().atMost(LONG)
			.untilAsserted(() -> assertThat(recorder.delivered()).hasSameSizeAs(shards.get(0).lister().list()));
		Shard first = shards.get(0).spec().shard();
		assertThat(recorder.events())
			.allMatch((event) -> first.contains(this.namespace, event.object().getMetadata().getUid()));
		// kube-apiserver 1.36 does not limit watches of what it keeps no watch cache of.
		if (minor < 37) {
			awaitFilteredHere(shards);
			assertThat(shards).allMatch((each) -> each.status().sharding().foreign() > 0);
		}
		else {
			assertThat(shards).allMatch((each) -> each.status().sharding().foreign() == 0)
				.noneMatch((each) -> each.status().sharding().mode() == ShardMode.CLIENT);
		}
	}

	private void createEvents(int from, int to) throws ApiException {
		for (int i = from; i < to; i++) {
			this.core
				.createNamespacedEvent(this.namespace,
						new CoreV1Event().metadata(new V1ObjectMeta().name("e" + i).namespace(this.namespace))
							.involvedObject(new V1ObjectReference().kind("Pod").name("p").namespace(this.namespace)))
				.execute();
		}
	}

	private static void awaitWatches(List<? extends Informer<?>> informers) {
		await().atMost(LONG).until(() -> informers.stream().allMatch((each) -> each.status().watch().everWatched()));
	}

	/**
	 * A shard that none of the new objects are in has its state at once, and those of
	 * others come later.
	 */
	private static void awaitFilteredHere(List<? extends Informer<?>> shards) {
		await().atMost(LONG)
			.untilAsserted(
					() -> assertThat(shards).allMatch((each) -> each.status().sharding().mode() == ShardMode.CLIENT));
	}

	private <T extends KubernetesObject> void awaitSize(List<Informer<T>> shards, int size) {
		await().atMost(LONG)
			.untilAsserted(() -> assertThat(shards.stream()
				.flatMap((each) -> each.lister().list().stream())
				.map((object) -> object.getMetadata().getName())).hasSize(size).doesNotHaveDuplicates());
		assertThat(shards).allSatisfy((each) -> assertThat(each.lister().list())
			.allMatch((object) -> each.spec().shard().contains(this.namespace, object.getMetadata().getUid())));
	}

	private <T extends KubernetesObject> List<Informer<T>> shards(Informers informers, InformerSpec<T> spec) {
		return IntStream.range(0, TOTAL)
			.mapToObj((index) -> informers
				.informer(spec.withNamespaces(this.namespace).withShard(new Shard(ShardKey.UID, index, TOTAL))))
			.toList();
	}

	private Informers informers(Path kubeconfig, UnaryOperator<Informers.Builder> settings) throws IOException {
		Informers informers = settings.apply(Informers.builder(ClusterSupport.client(kubeconfig))).build();
		this.started.add(informers);
		return informers;
	}

	@Test
	@RequiresCluster(properties = { SHARDED, RESTART })
	void gateThatComesAndGoesShouldLoseNothing() throws Exception {
		Path kubeconfig = Path.of(System.getProperty(SHARDED));
		connect(kubeconfig);
		List<Informer<V1ConfigMap>> shards = verify(kubeconfig, ListMode.AUTO, true, ShardMode.SERVER);
		restart("off");
		create(20);
		awaitState(shards);
		awaitFilteredHere(shards);
		restart("on");
		create(20);
		awaitState(shards);
		verify(kubeconfig, ListMode.PAGED, false, ShardMode.SERVER);
	}

	private List<Informer<V1ConfigMap>> verify(Path kubeconfig, ListMode mode, boolean protobuf, ShardMode expected)
			throws Exception {
		create(100);
		Informers informers = informers(kubeconfig,
				(builder) -> builder.listMode(mode).pageSize(30).protobuf(protobuf));
		List<Informer<V1ConfigMap>> shards = shards(informers, InformerSpec.of(V1ConfigMap.class));
		informers.start();
		awaitState(shards);
		assertThat(shards).allMatch((each) -> each.status().sharding().mode() == expected);
		create(10);
		for (int i = 0; i < 20; i++) {
			this.core.deleteNamespacedConfigMap("c" + (this.created - 110 + i), this.namespace).execute();
		}
		awaitState(shards);
		assertThat(shards).allMatch((each) -> each.status().sharding().mode() == expected)
			.allMatch((each) -> each.status().cache().quarantined() == 0);
		return shards;
	}

	private void awaitState(List<Informer<V1ConfigMap>> shards) throws ApiException {
		List<V1ConfigMap> present = this.core.listNamespacedConfigMap(this.namespace).execute().getItems();
		Map<String, String> expected = ClusterSupport.versions(present);
		await().atMost(LONG).untilAsserted(() -> {
			Map<String, String> cached = new TreeMap<>();
			for (Informer<V1ConfigMap> each : shards) {
				Shard shard = each.spec().shard();
				assertThat(each.lister().list()).isNotEmpty()
					.allMatch((object) -> shard.contains(this.namespace, object.getMetadata().getUid()));
				cached.putAll(ClusterSupport.versions(each.lister().list()));
			}
			assertThat(cached).isEqualTo(expected);
		});
		assertThat(shards.stream().mapToInt((each) -> each.lister().list().size()).sum()).isEqualTo(present.size());
	}

	private ApiClient connect(Path kubeconfig) throws IOException, ApiException {
		ApiClient admin = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(admin);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		return admin;
	}

	private void create(int count) throws ApiException {
		for (int i = 0; i < count; i++) {
			this.core
				.createNamespacedConfigMap(this.namespace,
						new V1ConfigMap().metadata(new V1ObjectMeta().name("c" + this.created++)).putDataItem("k", "v"))
				.execute();
		}
	}

	private static void restart(String gate) throws IOException, InterruptedException {
		Process restart = new ProcessBuilder(System.getProperty(RESTART), gate).inheritIO().start();
		assertThat(restart.waitFor(120, TimeUnit.SECONDS)).isTrue();
		assertThat(restart.exitValue()).isZero();
	}

}
