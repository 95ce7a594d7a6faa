package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.CoreV1EventSeries;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Toleration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.protobuf.ModelDifferences;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A real kube-apiserver in both encodings: caches hold equal objects, whichever it
 * speaks. They work in a namespace of their own.
 */
@RequiresCluster
class EncodingClusterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final String namespace = "informer-test-" + UUID.randomUUID().toString().substring(0, 8);

	private ApiClient admin;

	private CoreV1Api core;

	@BeforeEach
	void fill(Path kubeconfig) throws IOException, ApiException {
		this.admin = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(this.admin);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		this.core
			.createNamespacedConfigMap(this.namespace,
					new V1ConfigMap().metadata(metadata("config").finalizers(List.of()))
						.putDataItem("k", "v")
						.putDataItem("empty", "")
						.putBinaryDataItem("bytes", new byte[] { 0, -1, 7 })
						.immutable(false))
			.execute();
		this.core
			.createNamespacedSecret(this.namespace,
					new V1Secret().metadata(metadata("secret"))
						.putDataItem("empty", new byte[0])
						.putStringDataItem("k", "\u00e4\ud83d\ude80"))
			.execute();
		this.core
			.createNamespacedEvent(this.namespace,
					new CoreV1Event().metadata(metadata("event"))
						.involvedObject(new V1ObjectReference().namespace(this.namespace).name("x"))
						.reason("Why")
						.action("act")
						.type("Normal")
						.reportingComponent("test")
						.reportingInstance("test-1")
						.eventTime(OffsetDateTime.parse("2026-01-02T03:04:05.123456Z"))
						.series(new CoreV1EventSeries().count(2)
							.lastObservedTime(OffsetDateTime.parse("2026-01-02T03:04:05Z"))))
			.execute();
		new AppsV1Api(this.admin).createNamespacedDeployment(this.namespace, deployment()).execute();
		for (String name : List.of("a", "b")) {
			this.core
				.createNamespacedPod(this.namespace,
						new V1Pod().metadata(metadata(name).putAnnotationsItem("a.b/c", "")).spec(podSpec()))
				.execute();
		}
	}

	@AfterEach
	void remove() throws ApiException {
		for (V1Pod pod : this.core.listNamespacedPod(this.namespace).execute().getItems()) {
			this.core.deleteNamespacedPod(pod.getMetadata().getName(), this.namespace).gracePeriodSeconds(0).execute();
		}
		new AppsV1Api(this.admin).deleteNamespacedDeployment("deployment", this.namespace).execute();
		this.core.deleteCollectionNamespacedConfigMap(this.namespace).execute();
		this.core.deleteCollectionNamespacedSecret(this.namespace).execute();
		this.core.deleteCollectionNamespacedEvent(this.namespace).execute();
		this.core.deleteNamespace(this.namespace).execute();
	}

	static Stream<Class<? extends KubernetesObject>> types() {
		return Stream.of(V1Pod.class, V1Node.class, V1ConfigMap.class, V1Secret.class, V1Deployment.class,
				CoreV1Event.class, V1CustomResourceDefinition.class, V1Namespace.class);
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends KubernetesObject> void objectsAreEqualInBothEncodings(Class<T> type, Path kubeconfig) throws Exception {
		for (boolean managedFields : List.of(false, true)) {
			// others may change things at the same time
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(
						ModelDifferences.between(content(type, true, ListMode.AUTO, managedFields, kubeconfig),
								content(type, false, ListMode.PAGED, managedFields, kubeconfig)))
					.isEmpty());
		}
		await().atMost(LONG)
			.untilAsserted(
					() -> assertThat(ModelDifferences.between(content(type, true, ListMode.PAGED, false, kubeconfig),
							content(type, false, ListMode.AUTO, false, kubeconfig)))
						.isEmpty());
	}

	private <T extends KubernetesObject> Map<String, T> content(Class<T> type, boolean protobuf, ListMode mode,
			boolean managedFields, Path kubeconfig) throws Exception {
		try (Informers informers = Informers.builder(ClusterSupport.client(kubeconfig))
			.protobuf(protobuf)
			.listMode(mode)
			.keepManagedFields((each) -> managedFields)
			.build()) {
			Informer<T> informer = informers.informer(type);
			informers.start();
			assertThat(informer.awaitSync(LONG)).isTrue();
			assertThat(informer.status().encoding()).isEqualTo(protobuf ? WireEncoding.PROTOBUF : WireEncoding.JSON);
			assertThat(informer.status().cache().quarantined()).isZero();
			Map<String, T> content = new TreeMap<>();
			informer.lister()
				.list()
				.forEach((object) -> content
					.put(object.getMetadata().getNamespace() + "/" + object.getMetadata().getName(), object));
			return content;
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, AUTO", "true, PAGED", "false, AUTO", "false, PAGED" })
	void changesAreDeliveredAlikeAcrossACutOfTheNetwork(boolean protobuf, ListMode mode, Path kubeconfig)
			throws Exception {
		try (FaultProxy network = ClusterSupport.network(kubeconfig);
				Informers informers = Informers.builder(ClusterSupport.proxied(kubeconfig, network))
					.protobuf(protobuf)
					.listMode(mode)
					.build()) {
			Informer<V1ConfigMap> configMaps = informers
				.informer(InformerSpec.of(V1ConfigMap.class).withNamespaces(this.namespace));
			Recorder<V1ConfigMap> recorder = new Recorder<>();
			HandlerRegistration registration = configMaps.addHandler(recorder, HandlerOptions.defaults());
			informers.start();
			assertThat(registration.awaitSync(LONG)).isTrue();
			await().until(() -> configMaps.state() == InformerState.LIVE);
			V1ConfigMap before = configMaps.lister().namespace(this.namespace).get("config");
			V1ConfigMap changed = Informers.copyOf(before).putDataItem("k", "v2");
			this.core.replaceNamespacedConfigMap("config", this.namespace, changed).execute();
			await().atMost(LONG).untilAsserted(() -> assertThat(recorder.delivered()).endsWith("~config"));
			network.cut();
			await().until(() -> configMaps.state() == InformerState.STALE);
			this.core.deleteNamespacedConfigMap("config", this.namespace).execute();
			network.restore();
			await().atMost(LONG).untilAsserted(() -> assertThat(recorder.delivered()).endsWith("~config", "-config"));
			assertThat(recorder.events().get(recorder.events().size() - 1).object().getData()).containsEntry("k", "v2");
			assertThat(configMaps.status().encoding()).isEqualTo(protobuf ? WireEncoding.PROTOBUF : WireEncoding.JSON);
			assertThat(configMaps.status().lists().total()).isEqualTo(1);
		}
	}

	@Test
	void versionThatIsTooLargeIsUnderstood(Path kubeconfig) throws Exception {
		// the server of this client is another one after the first list
		ApiClient client = ClusterSupport.client(kubeconfig);
		List<String> seen = new CopyOnWriteArrayList<>();
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor((chain) -> {
			String version = chain.request().url().queryParameter("resourceVersion");
			boolean first = seen.isEmpty() && "0".equals(version);
			seen.add(String.valueOf(version));
			return chain.proceed(first ? chain.request()
				.newBuilder()
				.url(chain.request()
					.url()
					.newBuilder()
					.setQueryParameter("resourceVersion", "999999999999")
					// as for any version but "0"
					.setQueryParameter("resourceVersionMatch", "NotOlderThan")
					.build())
				.build() : chain.request());
		}).build());
		try (Informers informers = Informers.builder(client).listMode(ListMode.PAGED).build()) {
			Informer<V1Node> nodes = informers.informer(V1Node.class);
			informers.start();
			assertThat(nodes.awaitSync(LONG)).isTrue();
			// Again and at once: the reason was read from a status in protobuf.
			assertThat(List.copyOf(seen)).startsWith("0", "null");
			assertThat(nodes.status().encoding()).isEqualTo(WireEncoding.PROTOBUF);
		}
	}

	@Test
	void partsOfEqualPodsAreOneInstance(Path kubeconfig) throws Exception {
		// Several, because parts of a pod that are its own may drive out what it shares.
		for (int i = 0; i < 6; i++) {
			this.core.createNamespacedPod(this.namespace, new V1Pod().metadata(metadata("equal-" + i)).spec(podSpec()))
				.execute();
		}
		try (Informers informers = Informers.builder(ClusterSupport.client(kubeconfig)).build()) {
			Informer<V1Pod> pods = informers.informer(InformerSpec.of(V1Pod.class).withNamespaces(this.namespace));
			informers.start();
			assertThat(pods.awaitSync(LONG)).isTrue();
			Set<V1Container> instances = Collections.newSetFromMap(new IdentityHashMap<>());
			pods.lister()
				.namespace(this.namespace)
				.list()
				.forEach((pod) -> instances.add(pod.getSpec().getContainers().get(0)));
			assertThat(instances).hasSizeLessThan(pods.snapshot().size());
			V1Pod one = pods.lister().namespace(this.namespace).get("a");
			assertThat(Informers.copyOf(one).getSpec().getContainers().get(0))
				.isEqualTo(one.getSpec().getContainers().get(0))
				.isNotSameAs(one.getSpec().getContainers().get(0));
		}
	}

	private static V1ObjectMeta metadata(String name) {
		return new V1ObjectMeta().name(name).putLabelsItem("app", "test").putLabelsItem("empty", "");
	}

	private static V1Deployment deployment() {
		return new V1Deployment().metadata(metadata("deployment"))
			.spec(new V1DeploymentSpec().replicas(0)
				.selector(new V1LabelSelector().putMatchLabelsItem("app", "test"))
				.template(new V1PodTemplateSpec().metadata(metadata("x")).spec(podSpec())));
	}

	private static V1PodSpec podSpec() {
		// the model begins with an empty overhead, which is refused
		return new V1PodSpec().overhead(null)
			.automountServiceAccountToken(false)
			.addTolerationsItem(new V1Toleration().operator("Exists").tolerationSeconds(0L).effect("NoExecute"))
			.addContainersItem(new V1Container().name("app")
				.image("app:1")
				.addPortsItem(new V1ContainerPort().containerPort(80))
				.addEnvItem(new V1EnvVar().name("EMPTY").value(""))
				.livenessProbe(new V1Probe().httpGet(new V1HTTPGetAction().path("/").port(new IntOrString("http"))))
				.readinessProbe(new V1Probe().httpGet(new V1HTTPGetAction().path("/").port(new IntOrString(80))))
				.resources(new V1ResourceRequirements().putLimitsItem("cpu", Quantity.fromString("1500m"))
					.putRequestsItem("memory", Quantity.fromString("0.5Gi"))));
	}

}
