package dev.kubeinformer.docs;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the code of {@code docs/clusters.md} does what the page says.
 */
@Tag("once")
@TestInstance(Lifecycle.PER_CLASS)
class ClustersPageTests {

	private final RunningPage page;

	private final EmbeddedKubernetes here = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes west = EmbeddedKubernetes.start();

	ClustersPageTests() throws IOException {
		this.page = new RunningPage("docs/clusters.md");
	}

	@AfterEach
	void reset() {
		this.here.reset();
		this.edge.reset();
		this.west.reset();
	}

	@AfterAll
	void close() throws IOException {
		this.here.close();
		this.edge.close();
		this.west.close();
		this.page.close();
	}

	@Test
	void reportShouldReadEachClusterApart() {
		this.here.resources(V1Pod.class).create(pod("web", "one"));
		this.edge.resources(V1Pod.class).create(pod("web", "one"));
		this.edge.resources(V1Pod.class).create(pod("web", "two"));
		this.west.resources(V1Pod.class).fill(3, (number) -> pod("web", "pod-" + number));
		runner("FleetReport").run((context) -> await().untilAsserted(() -> {
			assertThat(this.page.<Integer>call(context, "FleetReport", "podsHere")).isEqualTo(1);
			assertThat(this.page.<Integer>call(context, "FleetReport", "podsAtTheEdge")).isEqualTo(2);
			assertThat(podsByCluster(context)).isEqualTo(Map.of("edge", 2, "west", 3));
		}));
	}

	@Test
	void reconcilerShouldWriteInTheClusterThatItReconciles() {
		runner("QuotaReconciler").run((context) -> {
			assertThat(context.getBean(ReconcilerRegistry.class).awaitIdle(Duration.ofSeconds(30))).isTrue();
			for (Map.Entry<String, EmbeddedKubernetes> cluster : Map.of("edge", this.edge, "west", this.west)
				.entrySet()) {
				V1ConfigMap quota = cluster.getValue().resources(V1ConfigMap.class).get("default", "quota");
				assertThat(quota.getData()).containsEntry("cluster", cluster.getKey());
			}
			assertThat(this.here.resources(V1ConfigMap.class).list()).isEmpty();
		});
	}

	@Test
	void clusterShouldComeAndGo() {
		try (EmbeddedKubernetes south = EmbeddedKubernetes.start()) {
			south.resources(V1Namespace.class).create(new V1Namespace().metadata(new V1ObjectMeta().name("shop")));
			runner("QuotaReconciler", "FleetReport", "Fleet").run((context) -> {
				this.page.call(context, "Fleet", "joined", "south",
						new ClientBuilder().setBasePath(south.url()).build());
				await().until(() -> south.resources(V1ConfigMap.class).get("shop", "quota") != null);
				assertThat(reconcilers(context)).contains("south.quotaReconciler");
				assertThat(podsByCluster(context)).containsKey("south");
				this.page.call(context, "Fleet", "left", "south");
				assertThat(reconcilers(context)).containsExactlyInAnyOrder("edge.quotaReconciler",
						"west.quotaReconciler");
				assertThat(podsByCluster(context)).containsOnlyKeys("edge", "west");
			});
		}
	}

	@Test
	void ownInformersShouldStandBesideThoseOfTheStarter() {
		this.here.resources(V1Pod.class).create(pod("web", "one"));
		this.edge.resources(V1Pod.class).create(pod("web", "two"));
		this.edge.resources(V1Pod.class).create(pod("web", "three"));
		List<String> handled = new CopyOnWriteArrayList<>();
		EventHandler<V1Pod> handler = (event) -> handled.add(event.object().getMetadata().getName());
		List<String> here = new CopyOnWriteArrayList<>();
		this.page.runner(this.here)
			.withBean(this.page.type("OwnClusterProperties"), new ClientBuilder().setBasePath(this.edge.url()).build())
			.withBean("ownPods", EventHandler.class, () -> handler)
			.withUserConfiguration(this.page.type("OwnInformersConfiguration"))
			.withBean(PodHandler.class, () -> new PodHandler(here))
			.run((context) -> {
				await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("two", "three"));
				await().untilAsserted(() -> assertThat(here).containsExactly("one"));
				assertThat(context.getBean(Informers.class)).isNotSameAs(context.getBean("ownInformers"));
				assertThat(context.getBean("ownInformers", Informers.class).all()).extracting(Informer::id)
					.containsExactly("pods");
			});
	}

	private ApplicationContextRunner runner(String... types) {
		return this.page.runner(this.here, types)
			.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url(),
					"kubernetes.clusters.west.url=" + this.west.url());
	}

	private Map<String, Integer> podsByCluster(ApplicationContext context) {
		return this.page.call(context, "FleetReport", "podsByCluster");
	}

	private static V1Pod pod(String namespace, String name) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace(namespace).name(name));
	}

	private static List<String> reconcilers(ApplicationContext context) {
		return context.getBean(ReconcilerRegistry.class).all().stream().map(ReconcilerContainer::id).toList();
	}

	@InformerHandler
	record PodHandler(List<String> handled) {

		@OnAdd
		void added(V1Pod pod) {
			this.handled.add(pod.getMetadata().getName());
		}

	}

}
