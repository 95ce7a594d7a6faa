package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.Protocol;
import okhttp3.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Informers on the metadata of objects.
 */
class MetadataInformerTests {

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	/** Requests go on while a test looks at it. */
	private final List<String> accepted = new CopyOnWriteArrayList<>();

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.protobuf(true)
		.bookmarkInterval(Duration.ofMillis(50))
		.namespacesMustExist(false)
		.start();

	private final ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);

	private final List<Informers> started = new ArrayList<>();

	@AfterEach
	void close() {
		this.started.forEach(Informers::close);
		this.api.close();
	}

	@ParameterizedTest
	@CsvSource({ "PAGED,JSON", "PAGED,PROTOBUF", "AUTO,JSON", "AUTO,PROTOBUF" })
	void metadataShouldBeListedWatchedAndDelivered(ListMode mode, WireEncoding encoding) throws InterruptedException {
		V1Pod first = pod("a");
		first.getMetadata().addFinalizersItem("example.com/kept");
		this.pods.create(first);
		Recorder<Metadata<V1Pod>> recorder = new Recorder<>();
		Informers informers = informers((builder) -> builder.listMode(mode).protobuf(encoding == WireEncoding.PROTOBUF),
				UnaryOperator.identity());
		Informer<Metadata<V1Pod>> informer = informers.informer(InformerSpec.metadata(V1Pod.class));
		informer.addHandler(recorder, HandlerOptions.defaults());
		start(informers, informer);
		this.pods.create(pod("b"));
		this.pods.edit("web", "a", (pod) -> pod.setStatus(new V1PodStatus().phase("Running")));
		this.pods.delete("web", "b");
		await().untilAsserted(() -> assertThat(recorder.delivered()).containsExactly("+a", "+b", "~a", "-b"));
		Metadata<V1Pod> found = informer.lister().namespace("web").get("a");
		assertThat(found.getKind()).isEqualTo("Pod");
		assertThat(found.getApiVersion()).isEqualTo("v1");
		V1ObjectMeta expected = this.pods.get("web", "a").getMetadata();
		assertThat(expected.getAnnotations()).isNotEmpty();
		assertThat(expected.getFinalizers()).isNotEmpty();
		assertThat(expected.getOwnerReferences()).isNotEmpty();
		assertThat(found.getMetadata()).isEqualTo(expected.managedFields(List.of()));
		assertThat(informer.id()).isEqualTo("pods-metadata");
		assertThat(informer.status().metadata()).isEqualTo(MetadataMode.SERVER);
		assertThat(informer.status().encoding()).isEqualTo(encoding);
		assertThat(this.accepted).isNotEmpty().allSatisfy((accept) -> {
			assertThat(accept.startsWith(PROTOBUF)).isEqualTo(encoding == WireEncoding.PROTOBUF);
			assertThat(accept).contains(";g=meta.k8s.io;v=v1").endsWith(",application/json");
		});
		Metadata<V1Pod> copy = Informers.copyOf(found);
		copy.getMetadata().putLabelsItem("mine", "yes");
		assertThat(found.getMetadata().getLabels()).doesNotContainKey("mine");
	}

	@ParameterizedTest
	@EnumSource
	void serverWithoutTheFormShouldBeReadWithoutTheRest(WireEncoding encoding) throws InterruptedException {
		this.pods.create(pod("a"));
		Informers informers = informers((builder) -> builder.protobuf(encoding == WireEncoding.PROTOBUF),
				(accept) -> accept.replaceAll(";as=[^,]*", ""));
		Informer<Metadata<V1Pod>> informer = informers.informer(InformerSpec.metadata(V1Pod.class));
		start(informers, informer);
		this.pods.create(pod("b"));
		await().untilAsserted(() -> assertThat(informer.lister().list()).hasSize(2));
		assertThat(informer.status().metadata()).isEqualTo(MetadataMode.CLIENT);
		assertThat(informer.status().encoding()).isEqualTo(encoding);
		assertThat(informer.status().cache().quarantined()).isZero();
		assertThat(informer.lister().list()).allMatch((pod) -> pod.getKind().equals("Pod"));
	}

	@Test
	void serverThatRefusesTheFormShouldBeAskedForPlainJson() throws InterruptedException {
		this.pods.create(pod("a"));
		Informers informers = informers(UnaryOperator.identity(),
				(accept) -> accept.contains("as=") ? "application/nothing" : accept);
		Informer<Metadata<V1Pod>> informer = informers.informer(InformerSpec.metadata(V1Pod.class));
		start(informers, informer);
		assertThat(informer.status().metadata()).isEqualTo(MetadataMode.CLIENT);
		assertThat(informer.status().encoding()).isEqualTo(WireEncoding.JSON);
		assertThat(this.accepted).contains("application/json");
	}

	@Test
	void serverThatKnowsTheFormAgainShouldBeNoticed() throws InterruptedException {
		this.pods.create(pod("a"));
		boolean[] known = new boolean[1];
		Informers informers = informers(UnaryOperator.identity(),
				(accept) -> (known[0]) ? accept : accept.replaceAll(";as=[^,]*", ""));
		Informer<Metadata<V1Pod>> informer = informers.informer(InformerSpec.metadata(V1Pod.class));
		start(informers, informer);
		assertThat(informer.status().metadata()).isEqualTo(MetadataMode.CLIENT);
		await().until(() -> informer.status().watch().everWatched());
		known[0] = true;
		this.api.dropConnections();
		this.pods.create(pod("b"));
		await().untilAsserted(() -> assertThat(informer.lister().list()).hasSize(2));
		assertThat(informer.status().metadata()).isEqualTo(MetadataMode.SERVER);
		assertThat(informer.status().lists().total()).isEqualTo(1);
		assertThat(informer.lister().list()).hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void kindsWithoutAClassShouldBeServedInEachEncoding(WireEncoding encoding) throws InterruptedException {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		ApiResources<Widget> widgets = this.api.resources(Widget.class, "example.com", "v1", "widgets");
		widgets.create(widget("w"));
		Informers informers = informers((builder) -> builder.protobuf(encoding == WireEncoding.PROTOBUF),
				UnaryOperator.identity());
		Informer<Metadata<DynamicKubernetesObject>> dynamic = informers
			.informer(InformerSpec.metadata("example.com", "v1", "widgets", true));
		Informer<Metadata<Widget>> typed = informers.informer(InformerSpec.metadata(Widget.class));
		start(informers, dynamic);
		start(informers, typed);
		widgets.create(widget("x"));
		for (Informer<? extends KubernetesObject> informer : List.of(dynamic, typed)) {
			await().untilAsserted(() -> assertThat(informer.lister().list()).hasSize(2));
			assertThat(informer.lister().list()).allSatisfy((object) -> {
				assertThat(object.getKind()).isEqualTo("Widget");
				assertThat(object.getApiVersion()).isEqualTo("example.com/v1");
			});
			assertThat(informer.status().encoding()).isEqualTo(encoding);
			assertThat(informer.status().metadata()).isEqualTo(MetadataMode.SERVER);
		}
		assertThat(dynamic.id()).isEqualTo("widgets.v1.example.com-metadata");
		assertThat(typed.id()).isEqualTo("widgets.example.com-metadata");
	}

	@ParameterizedTest
	@CsvSource({ "PAGED,JSON", "PAGED,PROTOBUF", "AUTO,PROTOBUF" })
	void relistShouldDeliverOnlyDifferences(ListMode mode, WireEncoding encoding) throws InterruptedException {
		List.of("a", "b", "gone").forEach((name) -> this.pods.create(pod(name)));
		Informers informers = informers((builder) -> builder.listMode(mode).protobuf(encoding == WireEncoding.PROTOBUF),
				UnaryOperator.identity());
		Recorder<Metadata<V1Pod>> recorder = new Recorder<>();
		Informer<Metadata<V1Pod>> informer = informers.informer(InformerSpec.metadata(V1Pod.class));
		informer.addHandler(recorder, HandlerOptions.defaults());
		start(informers, informer);
		await().untilAsserted(() -> assertThat(recorder.delivered()).hasSize(3));
		Metadata<V1Pod> unchanged = informer.lister().get("web/a");
		recorder.clear();
		Fault unreachable = this.api.faults().on(Requests.watch("pods")).cut();
		this.api.dropConnections();
		await().until(() -> informer.state() == InformerState.STALE);
		this.pods.delete("web", "gone");
		this.pods.create(pod("new"));
		this.pods.update(pod("b").status(new V1PodStatus().phase("Running")));
		this.api.compact();
		unreachable.remove();
		await().untilAsserted(() -> assertThat(recorder.delivered()).hasSize(3));
		assertThat(recorder.delivered().get(0)).isEqualTo("-gone?");
		assertThat(recorder.delivered()).contains("~b", "+new");
		assertThat(informer.lister().get("web/a")).isSameAs(unchanged);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void shardOfMetadataShouldHoldItsShareOnly(boolean gate) throws InterruptedException {
		this.api.shardedListAndWatch(gate);
		for (int i = 0; i < 30; i++) {
			this.pods.create(pod("p" + i));
		}
		Shard shard = new Shard(ShardKey.UID, 1, 3);
		Informers informers = informers(UnaryOperator.identity(), UnaryOperator.identity());
		Informer<Metadata<V1Pod>> informer = informers.informer(InformerSpec.metadata(V1Pod.class).withShard(shard));
		start(informers, informer);
		assertThat(informer.id()).isEqualTo("pods-metadata-uid-1-of-3");
		assertThat(informer.lister().list()).hasSameSizeAs(
				this.pods.list().stream().filter((pod) -> shard.contains("web", pod.getMetadata().getUid())).toList())
			.isNotEmpty();
		assertThat(informer.status().sharding().foreign()).isEqualTo(gate ? 0 : 30 - informer.lister().list().size());
	}

	@Test
	void wholeAndMetadataInformersShouldBeTwo() {
		Informers informers = informers(UnaryOperator.identity(), UnaryOperator.identity());
		assertThat(informers.informer(V1Pod.class)).isNotSameAs(informers.informer(InformerSpec.metadata(V1Pod.class)));
		assertThat(informers.informer(InformerSpec.metadata(V1Pod.class)))
			.isSameAs(informers.informer(InformerSpec.metadata(V1Pod.class)));
		assertThat(informers.informer(InformerSpec.metadata(V1Pod.class)))
			.isNotSameAs(informers.informer(InformerSpec.metadata(V1Secret.class)));
		assertThatIllegalArgumentException().isThrownBy(() -> InformerSpec.metadata("", "v1", "nodes", true))
			.withMessage("'nodes' are cluster-scoped");
	}

	@ParameterizedTest
	@CsvSource({ "true,JSON", "true,PROTOBUF", "false,JSON", "false,PROTOBUF" })
	void restShouldNotReachTheHeap(boolean form, WireEncoding encoding) throws Exception {
		// Not written anywhere in one piece, or the class itself would hold it.
		String marker = new StringBuilder("tsil-reven-ot-").reverse().append(System.nanoTime()).toString();
		V1Pod written = pod("a");
		written.getSpec().getContainers().get(0).setImage(marker);
		written.status(new V1PodStatus().message(marker));
		this.pods.create(written);
		Informers informers = informers((builder) -> builder.protobuf(encoding == WireEncoding.PROTOBUF),
				form ? UnaryOperator.identity() : (accept) -> accept.replaceAll(";as=[^,]*", ""));
		Informer<Metadata<V1Pod>> informer = informers.informer(InformerSpec.metadata(V1Pod.class));
		start(informers, informer);
		assertThat(informer.lister().list()).hasSize(1);
		assertThat(RetainedTexts.of(informer, informers)).isNotEmpty()
			.anyMatch((text) -> text.contains("owner-of-a"))
			.noneMatch((text) -> text.contains(marker));
	}

	private static V1Pod pod(String name) {
		return new V1Pod().apiVersion("v1")
			.kind("Pod")
			.metadata(new V1ObjectMeta().namespace("web")
				.name(name)
				.labels(Map.of("app", "web"))
				.annotations(Map.of("note", "of " + name))
				.ownerReferences(List.of(new V1OwnerReference().apiVersion("apps/v1")
					.kind("ReplicaSet")
					.name("owner-of-" + name)
					.uid("u-" + name)
					.controller(true))))
			.spec(new V1PodSpec().containers(List.of(new V1Container().name("c").image("i"))));
	}

	private static Widget widget(String name) {
		return Widget.of("web", name, 1);
	}

	private Informers informers(UnaryOperator<Informers.Builder> settings, UnaryOperator<String> proxy) {
		ApiClient client = EngineTestSupport.client(this.api.url(), Protocol.HTTP_1_1);
		client.setHttpClient(client.getHttpClient()
			.newBuilder()
			.addInterceptor((chain) -> chain.proceed(seen(chain.request(), proxy)))
			.build());
		Informers informers = EngineTestSupport.informers(client, settings);
		this.started.add(informers);
		return informers;
	}

	private Request seen(Request request, UnaryOperator<String> proxy) {
		String accept = String.valueOf(request.header("Accept"));
		if (request.url().encodedPath().endsWith("/pods") && !"1".equals(request.url().queryParameter("limit"))) {
			this.accepted.add(accept);
		}
		return request.newBuilder().header("Accept", proxy.apply(accept)).build();
	}

	private static void start(Informers informers, Informer<?> informer) throws InterruptedException {
		informers.start();
		assertThat(informer.awaitSync(Duration.ofSeconds(30))).isTrue();
	}

}
