package com.example.webpage;

import java.util.UUID;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.apis.NetworkingV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.controller.Conditions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the controller on the cluster of {@code -Dkubeconfig}, in a namespace of its own.
 * The cluster need not run pods: the test writes the status of the Deployment.
 */
@SpringBootTest(properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true",
		"kubernetes.definitions.apply=true" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class WebPageClusterTests {

	private final String namespace = "webpage-" + UUID.randomUUID();

	@Autowired
	private ApiClient client;

	@Autowired
	private Lister<WebPage> pages;

	@BeforeEach
	void createNamespace() throws ApiException {
		new CoreV1Api(this.client).createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace)))
			.execute();
	}

	@AfterEach
	void deleteNamespace() throws ApiException {
		new CoreV1Api(this.client).deleteNamespace(this.namespace).execute();
	}

	@Test
	void pageIsServed() throws ApiException {
		WebPage page = new WebPage();
		page.getMetadata().setName("hello");
		page.spec.html = "<h1>Hello</h1>";
		page.spec.host = "hello.example.com";
		new CustomObjectsApi(this.client)
			.createNamespacedCustomObject("example.com", "v1", this.namespace, "webpages", page)
			.execute();
		await().until(() -> this.pages.namespace(this.namespace).get("hello").status != null);
		assertThat(new CoreV1Api(this.client).readNamespacedConfigMap("hello", this.namespace).execute().getData())
			.containsEntry("index.html", "<h1>Hello</h1>");
		assertThat(new CoreV1Api(this.client).readNamespacedService("hello", this.namespace).execute()).isNotNull();
		assertThat(new NetworkingV1Api(this.client).readNamespacedIngress("hello", this.namespace).execute())
			.isNotNull();
		AppsV1Api apps = new AppsV1Api(this.client);
		V1Deployment deployment = apps.readNamespacedDeployment("hello", this.namespace).execute();
		deployment.setStatus(new V1DeploymentStatus().observedGeneration(deployment.getMetadata().getGeneration())
			.replicas(1)
			.updatedReplicas(1)
			.readyReplicas(1));
		apps.replaceNamespacedDeploymentStatus("hello", this.namespace, deployment).execute();
		await().untilAsserted(() -> {
			WebPage.Status status = this.pages.namespace(this.namespace).get("hello").status;
			assertThat(status).isNotNull();
			assertThat(status.url).isEqualTo("http://hello.example.com/");
			assertThat(Conditions.isTrue(status.conditions, "Ready")).isTrue();
		});
	}

}
