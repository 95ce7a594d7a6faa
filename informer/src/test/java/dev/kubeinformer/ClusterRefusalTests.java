package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.apis.EventsV1Api;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.PatchUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.test.RequiresCluster;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of refusals of a real kube-apiserver: a policy that keeps a finalizer on config
 * maps.
 */
@RequiresCluster
class ClusterRefusalTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String FINALIZER = "example.com/configs";

	private static final String GROUP = "admissionregistration.k8s.io";

	private static final String POLICIES = "validatingadmissionpolicies";

	private static final String BINDINGS = "validatingadmissionpolicybindings";

	private final String namespace = "refusal-test-" + UUID.randomUUID().toString().substring(0, 8);

	private ApiClient admin;

	private CoreV1Api core;

	private CustomObjectsApi custom;

	private Informers informers;

	@BeforeEach
	void connect(Path kubeconfig) throws IOException, ApiException {
		this.admin = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(this.admin);
		this.custom = new CustomObjectsApi(this.admin);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		this.informers = Informers.builder(ClusterSupport.client(kubeconfig)).build();
	}

	@AfterEach
	void disconnect() throws ApiException {
		this.informers.reconcilers().all().forEach(ReconcilerContainer::stop);
		this.informers.close();
		this.core.deleteNamespace(this.namespace).execute();
	}

	@Test
	void policyThatKeepsAFinalizerShouldBeNamedAndNotRepeatTheCleanup() throws Exception {
		AtomicInteger cleanups = new AtomicInteger();
		create("a", null);
		create("probe", List.of(FINALIZER));
		Retry quick = new Retry(Duration.ofMillis(50), 2, Duration.ofMillis(500), 0);
		ReconcilerContainer container = this.informers
			.controller(ReconcilerSpec.of("configs", V1ConfigMap.class, (config, run) -> Result.done())
				.withNamespaces(List.of(this.namespace))
				.withRetry(quick)
				.withCleanup(FINALIZER, (config, run) -> {
					cleanups.incrementAndGet();
					return Result.done();
				}));
		container.start();
		await().until(() -> this.core.readNamespacedConfigMap("a", this.namespace)
			.execute()
			.getMetadata()
			.getFinalizers() != null);
		assertThat(container.awaitIdle(LONG)).isTrue();
		try {
			refuseRemovals();
			this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
			await().until(() -> container.status().failing().stream().anyMatch((failing) -> failing.attempts() >= 3));
			assertThat(container.status().failing()).singleElement().satisfies((failing) -> {
				assertThat(failing.cleanup()).isTrue();
				assertThat(failing.write()).hasToString("patch configmaps '%s/a'".formatted(this.namespace));
				assertThat(failing.write().answer())
					.isEqualTo("HTTP 422 Invalid by policy '%s'".formatted(this.namespace));
			});
			assertThat(container.status().runs().conflicts()).isZero();
			assertThat(events()).extracting(EventsV1Event::getReason).containsOnly("WriteRefused");
			assertThat(events().get(0).getNote()).contains("the finalizer must stay");
		}
		finally {
			this.custom.deleteClusterCustomObject(GROUP, "v1", BINDINGS, this.namespace).execute();
			this.custom.deleteClusterCustomObject(GROUP, "v1", POLICIES, this.namespace).execute();
		}
		await().until(() -> this.core.listNamespacedConfigMap(this.namespace)
			.execute()
			.getItems()
			.stream()
			.noneMatch((config) -> config.getMetadata().getName().equals("a")));
		assertThat(cleanups).hasValue(1);
	}

	private List<EventsV1Event> events() throws ApiException {
		return new EventsV1Api(this.admin).listNamespacedEvent(this.namespace).execute().getItems();
	}

	private void create(String name, List<String> finalizers) throws ApiException {
		this.core
			.createNamespacedConfigMap(this.namespace,
					new V1ConfigMap().metadata(new V1ObjectMeta().name(name).finalizers(finalizers)))
			.execute();
	}

	private void refuseRemovals() throws ApiException {
		Map<String, Object> rule = Map.of("apiGroups", List.of(""), "apiVersions", List.of("v1"), "operations",
				List.of("UPDATE"), "resources", List.of("configmaps"));
		Map<String, Object> selector = Map.of("matchLabels", Map.of("kubernetes.io/metadata.name", this.namespace));
		Map<String, Object> validation = Map.of("expression", "has(object.metadata.finalizers)", "message",
				"the finalizer must stay");
		create(POLICIES, "ValidatingAdmissionPolicy",
				Map.of("matchConstraints", Map.of("namespaceSelector", selector, "resourceRules", List.of(rule)),
						"validations", List.of(validation)));
		create(BINDINGS, "ValidatingAdmissionPolicyBinding",
				Map.of("policyName", this.namespace, "validationActions", List.of("Deny")));
		await().atMost(LONG).until(this::isRemovalRefused);
	}

	private void create(String plural, String kind, Map<String, Object> spec) throws ApiException {
		this.custom
			.createClusterCustomObject(GROUP, "v1", plural,
					Map.of("apiVersion", GROUP + "/v1", "kind", kind, "metadata", Map.of("name", this.namespace),
							"spec", spec))
			.execute();
	}

	private boolean isRemovalRefused() throws ApiException {
		try {
			PatchUtils.patch(V1ConfigMap.class,
					() -> this.core
						.patchNamespacedConfigMap("probe", this.namespace,
								new V1Patch("[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]"))
						.dryRun("All")
						.buildCall(null),
					V1Patch.PATCH_FORMAT_JSON_PATCH, this.admin);
			return false;
		}
		catch (ApiException ex) {
			return ex.getCode() == 422;
		}
	}

}
