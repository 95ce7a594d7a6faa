package com.example.namespaceinventory;

import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
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
class InventoryClusterTests {

	@Test
	void objectsAreCountedByNamespaceAndKind(@Autowired ApiClient client, @Autowired Inventory inventory)
			throws ApiException {
		CoreV1Api api = new CoreV1Api(client);
		String namespace = "inventory-" + UUID.randomUUID().toString().substring(0, 8);
		api.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace))).execute();
		try {
			V1ConfigMap configMap = new V1ConfigMap().metadata(new V1ObjectMeta().name("one"));
			api.createNamespacedConfigMap(namespace, configMap).execute();
			await().untilAsserted(() -> assertThat(inventory.counts().get(namespace)).containsKey("configmaps"));
		}
		finally {
			api.deleteNamespace(namespace).execute();
		}
	}

}
