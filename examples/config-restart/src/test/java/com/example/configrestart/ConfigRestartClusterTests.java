package com.example.configrestart;

import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the application on the cluster of {@code -Dkubeconfig}, in a namespace of its
 * own.
 */
@SpringBootTest(properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class ConfigRestartClusterTests {

	private final String namespace = "config-restart-" + UUID.randomUUID().toString().substring(0, 8);

	private CoreV1Api core;

	private AppsV1Api apps;

	@BeforeEach
	void createTheNamespace(@Autowired ApiClient client) throws ApiException {
		this.core = new CoreV1Api(client);
		this.apps = new AppsV1Api(client);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
	}

	@AfterEach
	void deleteTheNamespace() throws ApiException {
		this.apps.deleteNamespacedDeployment("web", this.namespace).execute();
		this.core.deleteNamespace(this.namespace).execute();
	}

	@Test
	void changeOfAConfigMapRestartsThePods() throws ApiException {
		this.core
			.createNamespacedConfigMap(this.namespace,
					ConfigRestartTests.configMap("settings", "blue").metadata(new V1ObjectMeta().name("settings")))
			.execute();
		V1Deployment deployment = ConfigRestartTests.deployment();
		deployment.getMetadata().setNamespace(this.namespace);
		this.apps.createNamespacedDeployment(this.namespace, deployment).execute();
		await().until(() -> hash() != null);
		String before = hash();
		this.core
			.replaceNamespacedConfigMap("settings", this.namespace,
					ConfigRestartTests.configMap("settings", "green").metadata(new V1ObjectMeta().name("settings")))
			.execute();
		await().until(() -> !before.equals(hash()));
		assertThat(this.apps.readNamespacedDeployment("web", this.namespace).execute().getMetadata().getGeneration())
			.isEqualTo(3);
	}

	private String hash() throws ApiException {
		V1ObjectMeta template = this.apps.readNamespacedDeployment("web", this.namespace)
			.execute()
			.getSpec()
			.getTemplate()
			.getMetadata();
		return (template.getAnnotations() != null) ? template.getAnnotations().get(ConfigRestart.HASH) : null;
	}

}
