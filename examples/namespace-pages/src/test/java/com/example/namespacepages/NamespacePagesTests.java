package com.example.namespacepages;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests two replicas of the application on a Kubernetes API server in memory.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.main.cloud-platform=kubernetes", "kubernetes.informers.shard.settle-time=0s",
				"kubernetes.informers.shard.identity=first" })
@EmbeddedKubernetesTest(namespace = "namespace-pages")
class NamespacePagesTests {

	@LocalServerPort
	private int port;

	@Test
	void requestReachesTheReplicaThatHasTheNamespace(EmbeddedKubernetes kubernetes, @Autowired Shards shards,
			ApiResources<V1ConfigMap> configMaps) throws Exception {
		for (int i = 0; i < 20; i++) {
			configMaps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace(i + "-shop").name("one")));
		}
		try (ConfigurableApplicationContext second = start(kubernetes)) {
			int other = second.getEnvironment().getRequiredProperty("server.port", Integer.class);
			await().until(() -> second.getBean(Shards.class).slots().size() == 32 && shards.slots().size() == 32);
			// While slots move, and before caches have listed them, the response is 503.
			await().ignoreExceptions().untilAsserted(() -> {
				for (int i = 0; i < 20; i++) {
					NamespacePage page = page(this.port, i + "-shop");
					assertThat(page.configMaps()).isEqualTo(List.of("one"));
					int slot = shards.division().slotOf(i + "-shop", null);
					assertThat(page.replica()).isEqualTo(shards.owns(slot) ? "first" : "127.0.0.1:" + other);
				}
			});
		}
		// The other replica has handed its slots over before it ended.
		await().until(() -> shards.slots().size() == 64);
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(page(this.port, "7-shop").replica()).isEqualTo("first"));
	}

	@Test
	void applicationRunsWithoutACluster() {
		try (ConfigurableApplicationContext context = TestNamespacePagesApplication.start("--server.port=0")) {
			await().untilAsserted(() -> assertThat(context.getBean(Shards.class).slots()).hasSize(64));
			int local = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(page(local, "default").replica()).isEqualTo("127.0.0.1:0"));
		}
	}

	private ConfigurableApplicationContext start(EmbeddedKubernetes kubernetes) throws Exception {
		int free;
		try (ServerSocket socket = new ServerSocket(0)) {
			free = socket.getLocalPort();
		}
		return new SpringApplicationBuilder(NamespacePagesApplication.class).run("--server.port=" + free,
				"--kubernetes.client.url=" + kubernetes.url(), "--kubernetes.client.allow-in-tests=true",
				"--kubernetes.informers.shard.lease-namespace=namespace-pages",
				"--kubernetes.informers.shard.settle-time=0s");
	}

	/**
	 * {@code mvn test -Dkubernetes.manifests.write=true} writes them, for the
	 * configuration that the application has in a pod.
	 */
	@Test
	void manifestsAreUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context)
			.withImage("registry.example.com/namespace-pages:0.0.1")
			.withReplicas(5)
			.withService()
			.assertUpToDate(Path.of("src/main/k8s"));
	}

	private static NamespacePage page(int port, String namespace) {
		return RestClient.create()
			.get()
			.uri("http://localhost:%d/namespaces/%s".formatted(port, namespace))
			.retrieve()
			.body(NamespacePage.class);
	}

}
