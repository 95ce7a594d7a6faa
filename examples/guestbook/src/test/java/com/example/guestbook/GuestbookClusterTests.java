package com.example.guestbook;

import java.util.UUID;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
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
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the controller on the cluster of {@code -Dkubeconfig}, in a namespace of its own.
 * The cluster need not run pods: the test writes the status of the Deployment.
 */
@SpringBootTest(properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true",
		"kubernetes.definitions.apply=true" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class GuestbookClusterTests {

	private final String namespace = "guestbook-" + UUID.randomUUID();

	@Autowired
	private ApiClient client;

	@Autowired
	private Lister<Guestbook> guestbooks;

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
	void guestbookIsAvailableWhenItsDeploymentIs() throws ApiException {
		create(3);
		AppsV1Api apps = new AppsV1Api(this.client);
		await().until(() -> this.guestbooks.namespace(this.namespace).get("lobby").status != null);
		V1Deployment deployment = apps.readNamespacedDeployment("lobby", this.namespace).execute();
		deployment.setStatus(new V1DeploymentStatus().replicas(3).readyReplicas(3));
		apps.replaceNamespacedDeploymentStatus("lobby", this.namespace, deployment).execute();
		await().untilAsserted(() -> {
			Guestbook.Status status = this.guestbooks.namespace(this.namespace).get("lobby").status;
			assertThat(status).isNotNull();
			assertThat(status.readyReplicas).isEqualTo(3);
			assertThat(Conditions.isTrue(status.conditions, "Available")).isTrue();
		});
	}

	@Test
	void guestbookOfTooManyPodsIsRefused() {
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> create(11))
			.satisfies((ex) -> assertThat(ex.getResponseBody()).contains("spec.size"));
	}

	private void create(int size) throws ApiException {
		Guestbook guestbook = new Guestbook();
		guestbook.getMetadata().setName("lobby");
		guestbook.spec.size = size;
		guestbook.spec.configMapName = "settings";
		new CustomObjectsApi(this.client)
			.createNamespacedCustomObject("webapp.example.com", "v1", this.namespace, "guestbooks", guestbook)
			.execute();
	}

}
