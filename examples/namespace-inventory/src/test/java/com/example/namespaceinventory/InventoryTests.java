package com.example.namespaceinventory;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;
import dev.kubeinformer.test.ApiResources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests the whole application on a Kubernetes API server in memory.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.main.cloud-platform=kubernetes", "inventory.push-every=10ms" })
@EmbeddedKubernetesTest(namespace = "namespace-inventory")
class InventoryTests {

	private final HttpClient http = HttpClient.newHttpClient();

	@LocalServerPort
	private int port;

	@Test
	void objectsAreCountedByNamespaceAndKind(ApiResources<V1ConfigMap> configMaps, ApiResources<V1Secret> secrets,
			ApiResources<V1Deployment> deployments) {
		configMaps.create(new V1ConfigMap().metadata(metadata("shop", "one")));
		configMaps.create(new V1ConfigMap().metadata(metadata("shop", "two")));
		configMaps.create(new V1ConfigMap().metadata(metadata("blog", "one")));
		secrets.create(new V1Secret().metadata(metadata("shop", "one")));
		deployments.create(new V1Deployment().metadata(metadata("shop", "one")));
		await().untilAsserted(() -> assertThat(inventory()).isEqualTo(
				"{\"blog\":{\"configmaps\":1},\"shop\":{\"configmaps\":2,\"deployments.apps\":1,\"secrets\":1}}"));
		configMaps.delete("blog", "one");
		await().untilAsserted(() -> assertThat(inventory())
			.isEqualTo("{\"shop\":{\"configmaps\":2,\"deployments.apps\":1,\"secrets\":1}}"));
	}

	@Test
	void pageGetsEachChange(ApiResources<V1ConfigMap> configMaps) throws Exception {
		try (Stream<String> lines = this.http.send(request("/inventory/live"), HttpResponse.BodyHandlers.ofLines())
			.body()) {
			Iterator<String> messages = lines.filter((line) -> line.startsWith("data:")).iterator();
			readUntil(messages, "data:{}");
			configMaps.create(new V1ConfigMap().metadata(metadata("shop", "one")));
			readUntil(messages, "data:{\"shop\":{\"configmaps\":1}}");
			configMaps.delete("shop", "one");
			readUntil(messages, "data:{}");
		}
	}

	/**
	 * {@code mvn test -Dkubernetes.manifests.write=true} writes them, for the
	 * configuration that the application has in a pod.
	 */
	@Test
	void manifestsAreUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context)
			.withImage("registry.example.com/namespace-inventory:0.0.1")
			.assertUpToDate(Path.of("src/main/k8s"));
	}

	private static void readUntil(Iterator<String> messages, String expected) {
		assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
			while (!messages.next().equals(expected)) {
				// an earlier state
			}
		});
	}

	private String inventory() throws Exception {
		return this.http.send(request("/inventory"), HttpResponse.BodyHandlers.ofString()).body();
	}

	private HttpRequest request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build();
	}

	private static V1ObjectMeta metadata(String namespace, String name) {
		return new V1ObjectMeta().namespace(namespace).name(name);
	}

}
