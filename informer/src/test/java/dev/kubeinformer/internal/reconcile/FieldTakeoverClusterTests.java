package dev.kubeinformer.internal.reconcile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import okhttp3.Call;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Effect of the first apply on fields that were created or updated before, against a real
 * kube-apiserver.
 */
@RequiresCluster
class FieldTakeoverClusterTests {

	private static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);

	private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);

	private final String namespace = "takeover-test-" + UUID.randomUUID().toString().substring(0, 8);

	private ApiClient client;

	private CoreV1Api core;

	private TestRuns runs;

	private V1ConfigMap primary;

	private RunReconciliation<V1ConfigMap> run;

	@BeforeEach
	void connect(Path kubeconfig) throws IOException, ApiException {
		this.client = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(this.client);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		this.primary = this.core
			.createNamespacedConfigMap(this.namespace, new V1ConfigMap().metadata(new V1ObjectMeta().name("primary")))
			.execute();
		this.primary.apiVersion("v1").kind("ConfigMap");
		this.runs = new TestRuns(this.client);
		this.run = this.runs.run(spec(), this.primary);
	}

	@AfterEach
	void disconnect() throws ApiException {
		this.core.deleteNamespace(this.namespace).execute();
	}

	private static ReconcilerSpec<V1ConfigMap> spec() {
		return ReconcilerSpec.of("tester", MAPS, (object, run) -> Result.done())
			.withOwned(V1Deployment.class)
			.withOwned(V1Service.class);
	}

	private static V1ConfigMap map(String... keys) {
		V1ConfigMap map = new V1ConfigMap().metadata(new V1ObjectMeta().name("child"));
		for (String key : keys) {
			map.putDataItem(key, "1");
		}
		return map;
	}

	private static V1Deployment deployment(V1Container... containers) {
		V1PodTemplateSpec template = new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(Map.of("app", "web")))
			.spec(new V1PodSpec().containers(List.of(containers)));
		return new V1Deployment().metadata(new V1ObjectMeta().name("child"))
			.spec(new V1DeploymentSpec().selector(new V1LabelSelector().matchLabels(Map.of("app", "web")))
				.template(template));
	}

	private static V1Container container(String name, String... variables) {
		V1Container container = new V1Container().name(name).image(name + ":1");
		for (String variable : variables) {
			container.addEnvItem(new V1EnvVar().name(variable).value("1"));
		}
		return container;
	}

	/** The official model leaves managed fields out. */
	private List<String> managers(Call call) throws Exception {
		try (Response response = call.execute()) {
			Map<?, ?> object = (Map<?, ?>) this.runs.json.readUntyped(response.body().bytes());
			List<?> entries = (List<?>) ((Map<?, ?>) object.get("metadata")).get("managedFields");
			return entries.stream()
				.map((entry) -> (Map<?, ?>) entry)
				.map((entry) -> entry.get("manager") + " " + entry.get("operation")
						+ (entry.containsKey("subresource") ? "/" + entry.get("subresource") : ""))
				.toList();
		}
	}

	@Test
	void fieldsOfACreateAreRemoved() throws Exception {
		V1ContainerPort port = new V1ContainerPort().containerPort(80);
		V1Deployment created = deployment(container("a", "X", "Y").addPortsItem(port), container("b"));
		created.getSpec().replicas(3).minReadySeconds(5);
		this.run.create(created);
		this.runs.writes.patchStatus(DEPLOYMENTS, new ObjectKey(this.namespace, "child"),
				"{\"status\":{\"replicas\":2}}".getBytes(StandardCharsets.UTF_8),
				new Caller("tester", this.runs.calls));
		V1Deployment applied = this.run.apply(deployment(container("a", "X")));
		List<V1Container> containers = applied.getSpec().getTemplate().getSpec().getContainers();
		assertThat(containers).extracting(V1Container::getName).containsExactly("a");
		assertThat(containers.get(0).getEnv()).extracting(V1EnvVar::getName).containsExactly("X");
		assertThat(containers.get(0).getPorts()).isNullOrEmpty();
		// The API server fills in its default.
		assertThat(applied.getSpec().getReplicas()).isEqualTo(1);
		assertThat(applied.getSpec().getMinReadySeconds()).isNull();
		assertThat(applied.getStatus().getReplicas()).isEqualTo(2);
		assertThat(
				managers(new AppsV1Api(this.client).readNamespacedDeployment("child", this.namespace).buildCall(null)))
			.containsExactlyInAnyOrder("tester Apply", "tester Update/status");
	}

	@Test
	void fieldsOfAnEarlierUpdateAreRemovedAndThoseOfOthersStay() throws Exception {
		V1ConfigMap created = this.core.createNamespacedConfigMap(this.namespace, map("a", "b", "c"))
			.fieldManager("someone")
			.execute();
		created.putDataItem("old", "1").putDataItem("b", "2");
		this.core.replaceNamespacedConfigMap("child", this.namespace, created).fieldManager("tester").execute();
		V1ConfigMap applied = this.run.apply(map("a"));
		assertThat(applied.getData()).containsOnlyKeys("a", "c");
		assertThat(managers(this.core.readNamespacedConfigMap("child", this.namespace).buildCall(null)))
			.containsExactlyInAnyOrder("tester Apply", "someone Update");
	}

	@Test
	void fieldsOfClientSideApplyAreRemovedIfItIsAFormerManager() throws Exception {
		V1ConfigMap before = map("a", "old");
		before.getMetadata()
			.putAnnotationsItem("kubectl.kubernetes.io/last-applied-configuration", "{}")
			.putLabelsItem("old", "1")
			.addFinalizersItem("example.com/other");
		this.core.createNamespacedConfigMap(this.namespace, before).fieldManager("kubectl-client-side-apply").execute();
		assertThat(this.run.apply(map("a")).getData()).containsOnlyKeys("a", "old");
		RunReconciliation<V1ConfigMap> successor = this.runs
			.run(spec().withFormerFieldManagers(Set.of("kubectl-client-side-apply")), this.primary);
		V1ConfigMap applied = successor.apply(map("a"));
		assertThat(applied.getData()).containsOnlyKeys("a");
		assertThat(applied.getMetadata().getAnnotations())
			.doesNotContainKey("kubectl.kubernetes.io/last-applied-configuration");
		assertThat(applied.getMetadata().getLabels()).isNullOrEmpty();
		assertThat(applied.getMetadata().getFinalizers()).containsExactly("example.com/other");
		assertThat(managers(this.core.readNamespacedConfigMap("child", this.namespace).buildCall(null)))
			.containsExactlyInAnyOrder("tester Apply", "kubectl-client-side-apply Update");
		this.run.patch(applied, PatchFormat.MERGE, "{\"metadata\":{\"finalizers\":null}}");
	}

	@Test
	void whatTheServerHasFilledInStays() throws Exception {
		this.run.create(new V1Service().metadata(new V1ObjectMeta().name("child").putLabelsItem("old", "1"))
			.spec(new V1ServiceSpec().putSelectorItem("app", "web")
				.addPortsItem(new V1ServicePort().name("a").port(80).targetPort(new IntOrString(80)))
				.addPortsItem(new V1ServicePort().name("b").port(81).targetPort(new IntOrString(81)))));
		V1Service applied = this.run.apply(new V1Service().metadata(new V1ObjectMeta().name("child"))
			.spec(new V1ServiceSpec().putSelectorItem("app", "web")
				.addPortsItem(new V1ServicePort().name("a").port(80).targetPort(new IntOrString(80)))));
		assertThat(applied.getSpec().getPorts()).extracting(V1ServicePort::getPort).containsExactly(80);
		assertThat(applied.getSpec().getClusterIP()).isNotEmpty();
		assertThat(applied.getMetadata().getLabels()).isNullOrEmpty();
	}

}
