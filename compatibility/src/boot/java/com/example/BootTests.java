package com.example;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.web.client.RestClient;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a whole application: a handler, a lister, a reconciler, a leader, health and the
 * endpoint.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "kubernetes.leader.enabled=true", "kubernetes.leader.lease.name=boot",
				"management.endpoints.web.exposure.include=health,informers",
				"management.endpoint.health.show-details=always" })
@EmbeddedKubernetesTest
class BootTests {

	@LocalServerPort
	private int port;

	@Test
	void applicationShouldWork(ApiResources<V1Pod> pods, ApiResources<V1Node> nodes,
			ApiResources<V1ConfigMap> configMaps, ApiResources<V1Secret> secrets, @Autowired Pods handler) {
		nodes.create(new V1Node().metadata(new V1ObjectMeta().name("n1")));
		pods.create(new V1Pod().metadata(new V1ObjectMeta().namespace("default").name("one")));
		configMaps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name("settings")));
		await().untilAsserted(() -> assertThat(handler.added).containsExactly("one"));
		await().untilAsserted(() -> assertThat(handler.nodes.list()).hasSize(1));
		await().untilAsserted(() -> assertThat(secrets.get("default", "settings")).isNotNull());
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(get("/actuator/health/readiness")).contains("\"status\":\"UP\""));
		assertThat(get("/actuator/health")).contains("\"informers\"");
		assertThat(get("/actuator/informers")).contains("\"pods\"");
	}

	@Test
	void copyShouldHaveAllThatTheObjectHas() {
		V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().name("one").putLabelsItem("app", "web"))
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("main").image("web:1")));
		V1Pod copy = Informers.copyOf(pod);
		assertThat(copy).isEqualTo(pod);
		copy.getSpec().getContainers().get(0).setImage("web:2");
		assertThat(pod.getSpec().getContainers().get(0).getImage()).isEqualTo("web:1");
	}

	private String get(String path) {
		return RestClient.create("http://localhost:" + this.port).get().uri(path).retrieve().body(String.class);
	}

	@SpringBootApplication
	static class Application {

		@Bean
		Pods podHandler(Lister<V1Node> nodes) {
			return new Pods(nodes);
		}

		@Bean
		Settings settings() {
			return new Settings();
		}

	}

	@InformerHandler
	static class Pods {

		private final List<String> added = new CopyOnWriteArrayList<>();

		private final Lister<V1Node> nodes;

		Pods(Lister<V1Node> nodes) {
			this.nodes = nodes;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.added.add(pod.getMetadata().getName());
		}

	}

	@Reconciler
	@Owns(V1Secret.class)
	static class Settings {

		@Reconcile
		void reconcile(V1ConfigMap map, Reconciliation<V1ConfigMap> run) throws ApiException {
			run.apply(new V1Secret().apiVersion("v1")
				.kind("Secret")
				.metadata(new V1ObjectMeta().namespace("default").name(map.getMetadata().getName())));
		}

	}

}
