package com.example.crashloopalerts;

import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateWaiting;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the application on the cluster of {@code -Dkubeconfig}, in a namespace of its
 * own. The pod has a node that does not exist, so that the test can write its status.
 */
@SpringBootTest(properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class CrashLoopClusterTests {

	private static final WebhookReceiver receiver = new WebhookReceiver();

	private final String namespace = "crash-loops-" + UUID.randomUUID().toString().substring(0, 8);

	private CoreV1Api api;

	@DynamicPropertySource
	static void webhook(DynamicPropertyRegistry properties) {
		properties.add("alerts.webhook", receiver::url);
	}

	@BeforeEach
	void createTheNamespace(@Autowired ApiClient client) throws ApiException {
		this.api = new CoreV1Api(client);
		this.api.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
	}

	@AfterEach
	void deleteTheNamespace() throws ApiException {
		this.api.deleteNamespacedPod("web-1", this.namespace).gracePeriodSeconds(0).execute();
		this.api.deleteNamespace(this.namespace).execute();
	}

	@Test
	void alertIsSentAndRemembered() throws ApiException {
		V1Pod pod = CrashLoopHandlerTests.pod();
		pod.getMetadata().setNamespace(this.namespace);
		pod.getSpec().nodeName("none").overhead(null);
		V1Pod created = createWithItsAccount(pod);
		created.setStatus(new V1PodStatus().addContainerStatusesItem(new V1ContainerStatus().name("web")
			.image("web:1")
			.imageID("")
			.ready(false)
			.restartCount(1)
			.state(new V1ContainerState().waiting(new V1ContainerStateWaiting().reason("CrashLoopBackOff")))));
		this.api.replaceNamespacedPodStatus("web-1", this.namespace, created).execute();
		await().until(() -> receiver.alerts().stream().anyMatch((alert) -> alert.contains(this.namespace)));
		await().untilAsserted(() -> assertThat(
				this.api.readNamespacedPod("web-1", this.namespace).execute().getMetadata().getAnnotations())
			.containsEntry("crash-loop.example.com/web", "1"));
	}

	/**
	 * Where no controllers run, there is no service account either.
	 */
	private V1Pod createWithItsAccount(V1Pod pod) throws ApiException {
		try {
			this.api
				.createNamespacedServiceAccount(this.namespace,
						new V1ServiceAccount().metadata(new V1ObjectMeta().name("default")))
				.execute();
		}
		catch (ApiException ex) {
			assertThat(ex.getCode()).isEqualTo(409);
		}
		return this.api.createNamespacedPod(this.namespace, pod).execute();
	}

}
