package com.example.fleetview;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the application on the cluster of {@code -Dkubeconfig}, which is both of its
 * clusters, in a namespace of its own.
 */
@SpringBootTest(properties = { "kubernetes.clusters.east.kubeconfig=${kubeconfig}",
		"kubernetes.clusters.west.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class FleetClusterTests {

	@Test
	void deploymentIsSeenInEachCluster(@Autowired @Qualifier("east") ApiClient client, @Autowired Fleet fleet)
			throws ApiException {
		CoreV1Api core = new CoreV1Api(client);
		AppsV1Api apps = new AppsV1Api(client);
		String namespace = "fleet-" + UUID.randomUUID().toString().substring(0, 8);
		core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace))).execute();
		try {
			V1Deployment deployment = FleetTests.deployment("web", "web:1.2");
			deployment.getMetadata().setNamespace(namespace);
			apps.createNamespacedDeployment(namespace, deployment).execute();
			await().untilAsserted(() -> assertThat(fleet.applications().get(namespace + "/web"))
				.isEqualTo(new Fleet.Application("1.2", Map.of("east", "1.2", "west", "1.2"), List.of())));
			apps.deleteNamespacedDeployment("web", namespace).execute();
			await().until(() -> !fleet.applications().containsKey(namespace + "/web"));
		}
		finally {
			core.deleteNamespace(namespace).execute();
		}
	}

}
