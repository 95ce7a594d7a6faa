package com.example.webpage;

import java.time.Duration;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.controller.Conditions;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.StatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole controller on a Kubernetes API server in memory.
 */
@SpringBootTest
@EmbeddedKubernetesTest(garbageCollection = true)
class WebPageReconcilerTests {

	private ApiResources<WebPage> pages;

	private ApiResources<V1ConfigMap> configs;

	private ApiResources<V1Deployment> deployments;

	private ApiResources<V1Ingress> ingresses;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@BeforeEach
	void resources(ApiResources<WebPage> pages, ApiResources<V1ConfigMap> configs,
			ApiResources<V1Deployment> deployments, ApiResources<V1Ingress> ingresses) {
		this.pages = pages;
		this.configs = configs;
		this.deployments = deployments;
		this.ingresses = ingresses;
	}

	@Test
	void pageIsServedByADeploymentAndAService(ApiResources<V1Service> services) throws InterruptedException {
		this.pages.create(page(null));
		settle();
		assertThat(this.configs.get("hello").getData()).containsEntry("index.html", "<h1>Hello</h1>");
		V1PodTemplateSpec pods = this.deployments.get("hello").getSpec().getTemplate();
		assertThat(pods.getSpec().getVolumes()).singleElement()
			.satisfies((volume) -> assertThat(volume.getConfigMap().getName()).isEqualTo("hello"));
		assertThat(services.get("hello").getSpec().getSelector()).isEqualTo(pods.getMetadata().getLabels());
		assertThat(this.ingresses.list()).isEmpty();
		assertThat(this.pages.get("hello").status.url).isEqualTo("http://hello.default.svc/");
	}

	@Test
	void changedPageReplacesThePods() throws InterruptedException {
		this.pages.create(page(null));
		settle();
		V1PodTemplateSpec before = this.deployments.get("hello").getSpec().getTemplate();
		this.pages.edit("hello", (page) -> page.spec.html = "<h1>Bye</h1>");
		settle();
		assertThat(this.configs.get("hello").getData()).containsEntry("index.html", "<h1>Bye</h1>");
		assertThat(this.deployments.get("hello").getSpec().getTemplate()).isNotEqualTo(before);
	}

	@Test
	void ingressComesAndGoesWithTheHost() throws InterruptedException {
		this.pages.create(page("hello.example.com"));
		settle();
		assertThat(this.ingresses.get("hello").getSpec().getRules()).singleElement()
			.satisfies((rule) -> assertThat(rule.getHost()).isEqualTo("hello.example.com"));
		assertThat(this.pages.get("hello").status.url).isEqualTo("http://hello.example.com/");
		this.pages.edit("hello", (page) -> page.spec.host = null);
		settle();
		assertThat(this.ingresses.list()).isEmpty();
	}

	@Test
	void pageIsReadyWhenItsServerIs(@Autowired ApiClient client) throws ApiException, InterruptedException {
		this.pages.create(page(null));
		settle();
		assertThat(Conditions.isTrue(this.pages.get("hello").status.conditions, "Ready")).isFalse();
		AppsV1Api apps = new AppsV1Api(client);
		V1Deployment deployment = apps.readNamespacedDeployment("hello", "default").execute();
		deployment.setStatus(new V1DeploymentStatus().observedGeneration(deployment.getMetadata().getGeneration())
			.replicas(1)
			.updatedReplicas(1)
			.readyReplicas(1));
		apps.replaceNamespacedDeploymentStatus("hello", "default", deployment).execute();
		settle();
		assertThat(Conditions.isTrue(this.pages.get("hello").status.conditions, "Ready")).isTrue();
		this.pages.edit("hello", (page) -> page.spec.html = "<h1>Bye</h1>");
		settle();
		// The pod that is ready still serves the earlier page.
		assertThat(Conditions.isTrue(this.pages.get("hello").status.conditions, "Ready")).isFalse();
	}

	@Test
	void deletedPageTakesItsObjectsAlong() throws InterruptedException {
		this.pages.create(page("hello.example.com"));
		settle();
		this.pages.delete("hello");
		await().untilAsserted(() -> {
			settle();
			assertThat(this.configs.list()).isEmpty();
			assertThat(this.deployments.list()).isEmpty();
			assertThat(this.ingresses.list()).isEmpty();
		});
	}

	@Test
	void pageWithoutContentIsRefused() {
		WebPage page = page(null);
		page.spec.html = "";
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> this.pages.asClient().create(page))
			.withMessageContaining("spec.html");
	}

	@ParameterizedTest
	@ValueSource(strings = { "hello..com", "-hello", "hello.-com", "Hello" })
	void invalidHostIsRefused(String host) {
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> this.pages.asClient().create(page(host)))
			.withMessageContaining("spec.host");
	}

	private void settle() throws InterruptedException {
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconcilers.get("webPageReconciler").status().failing()).isEmpty();
	}

	private static WebPage page(String host) {
		WebPage page = new WebPage();
		page.getMetadata().namespace("default").name("hello");
		page.spec.html = "<h1>Hello</h1>";
		page.spec.host = host;
		return page;
	}

}
