package com.example.namespacepages;

import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests one replica of the application on the cluster of {@code -Dkubeconfig}, in a
 * namespace of its own.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true",
				"kubernetes.informers.shard.lease-namespace=default",
				"kubernetes.informers.shard.group=pages-${random.uuid}" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class NamespacePagesClusterTests {

	private final String namespace = "pages-" + UUID.randomUUID().toString().substring(0, 8);

	@LocalServerPort
	private int port;

	private CoreV1Api api;

	@BeforeEach
	void createTheNamespace(@Autowired ApiClient client) throws ApiException {
		this.api = new CoreV1Api(client);
		this.api.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
	}

	@AfterEach
	void deleteTheNamespace() throws ApiException {
		this.api.deleteNamespacedConfigMap("one", this.namespace).execute();
		this.api.deleteNamespace(this.namespace).execute();
	}

	@Test
	void pageShowsTheConfigMapsOfANamespace() throws ApiException {
		this.api
			.createNamespacedConfigMap(this.namespace, new V1ConfigMap().metadata(new V1ObjectMeta().name("one")))
			.execute();
		// The replica has joined a group of its own, so it gains all slots.
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(page().configMaps()).contains("one"));
	}

	private NamespacePage page() {
		return RestClient.create()
			.get()
			.uri("http://localhost:%d/namespaces/%s".formatted(this.port, this.namespace))
			.retrieve()
			.body(NamespacePage.class);
	}

}
