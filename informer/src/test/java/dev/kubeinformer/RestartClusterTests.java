package dev.kubeinformer;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Yaml;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes of a restarted reconciler to a real kube-apiserver: a pod template owns objects
 * of the most common types.
 */
@RequiresCluster
class RestartClusterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final String namespace = "restart-test-" + UUID.randomUUID().toString().substring(0, 8);

	private final List<String> writes = new CopyOnWriteArrayList<>();

	/** Whether all objects were written. */
	private boolean rested;

	private Path kubeconfig;

	private ApiClient admin;

	private List<KubernetesObject> desired;

	@BeforeEach
	void connect(Path kubeconfig) throws IOException, ApiException {
		this.kubeconfig = kubeconfig;
		this.admin = ClusterSupport.client(kubeconfig);
		CoreV1Api core = new CoreV1Api(this.admin);
		core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		core.createNamespacedPodTemplate(this.namespace,
				new V1PodTemplate().metadata(new V1ObjectMeta().name("primary"))
					.template(new V1PodTemplateSpec()
						.spec(new V1PodSpec().addContainersItem(new V1Container().name("a").image("a")))))
			.execute();
		try (InputStream file = RestartClusterTests.class.getResourceAsStream("applied-objects.yaml")) {
			this.desired = Yaml.loadAll(new InputStreamReader(file, StandardCharsets.UTF_8))
				.stream()
				.map(KubernetesObject.class::cast)
				.toList();
		}
	}

	@AfterEach
	void disconnect() throws ApiException {
		if (this.rested) {
			finalizers("[]");
		}
		new CoreV1Api(this.admin).deleteNamespace(this.namespace).execute();
	}

	private void finalizers(String value) throws ApiException {
		patchWeb("{\"metadata\":{\"finalizers\":%s}}".formatted(value));
	}

	private void patchWeb(String patch) throws ApiException {
		PatchUtils.patch(V1Deployment.class,
				() -> new AppsV1Api(this.admin).patchNamespacedDeployment("web", this.namespace, new V1Patch(patch))
					.buildCall(null),
				V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, this.admin);
	}

	/**
	 * Runs a reconciler until it is at rest, in a process of its own.
	 */
	private void reconcile(boolean protobuf) throws Exception {
		ApiClient client = ClusterSupport.client(this.kubeconfig);
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this::record).build());
		this.writes.clear();
		try (Informers informers = Informers.builder(client).protobuf(protobuf).build()) {
			ReconcileFunction<V1PodTemplate> function = (map, run) -> {
				for (KubernetesObject each : this.desired) {
					run.apply(Informers.copyOf(each));
				}
				return Result.done();
			};
			ReconcilerSpec<V1PodTemplate> spec = ReconcilerSpec.of("restarts", V1PodTemplate.class, function)
				.withNamespaces(this.namespace)
				.withUpdateCondition((before, after) -> false);
			for (Class<? extends KubernetesObject> each : this.desired.stream()
				.<Class<? extends KubernetesObject>>map(KubernetesObject::getClass)
				.distinct()
				.toList()) {
				spec = spec.withOwned(each);
			}
			ReconcilerContainer container = informers.controller(spec);
			container.start();
			assertThat(container.awaitIdle(LONG)).isTrue();
			assertThat(container.status().queue().failingKeys()).isZero();
			container.stop();
			this.rested = true;
		}
	}

	private Response record(Interceptor.Chain chain) throws IOException {
		Request request = chain.request();
		if (!request.method().equals("GET")) {
			this.writes.add(request.url().encodedPath());
		}
		return chain.proceed(request);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void objectsInPlaceShouldNotBeWrittenAfterARestart(boolean protobuf) throws Exception {
		reconcile(protobuf);
		assertThat(this.writes).hasSize(this.desired.size());
		reconcile(protobuf);
		assertThat(this.writes).isEmpty();
	}

	@Test
	void objectThatAnotherChangedShouldBeWrittenAfterARestart() throws Exception {
		reconcile(true);
		patchWeb("{\"spec\":{\"template\":{\"spec\":{\"automountServiceAccountToken\":null}}}}");
		reconcile(true);
		assertThat(this.writes).hasSize(1);
		finalizers("[\"example.com/two\"]");
		reconcile(true);
		assertThat(this.writes).hasSize(1);
		patchWeb("{\"spec\":{\"progressDeadlineSeconds\":7,\"template\":{\"spec\":{\"dnsPolicy\":\"Default\"}}}}");
		reconcile(true);
		assertThat(this.writes).isEmpty();
	}

}
