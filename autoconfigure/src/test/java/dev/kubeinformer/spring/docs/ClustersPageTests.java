package dev.kubeinformer.spring.docs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.Informer;
import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the code of {@code docs/clusters.md} does what the page says.
 */
class ClustersPageTests {

	private final EmbeddedKubernetes here = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes west = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.here)
		.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url(),
				"kubernetes.clusters.west.url=" + this.west.url());

	@AfterEach
	void close() {
		this.here.close();
		this.edge.close();
		this.west.close();
	}

	@Test
	void reportShouldReadEachClusterApart() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
		this.west.resources(V1Pod.class).fill(3, (number) -> TestObjects.pod("web", "pod-" + number));
		this.runner.withBean(FleetReport.class).run((context) -> {
			FleetReport report = context.getBean(FleetReport.class);
			await().untilAsserted(() -> {
				assertThat(report.podsHere()).isEqualTo(1);
				assertThat(report.podsAtTheEdge()).isEqualTo(2);
				assertThat(report.podsByCluster()).isEqualTo(Map.of("edge", 2, "west", 3));
			});
		});
	}

	@Test
	void reconcilerShouldWriteInTheClusterThatItReconciles() {
		this.runner.withBean("quotas", QuotaReconciler.class).run((context) -> {
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
			this.runner.withBean("quotas", QuotaReconciler.class)
				.withBean(FleetReport.class)
				.withBean(Fleet.class)
				.run((context) -> {
					Fleet fleet = context.getBean(Fleet.class);
					fleet.joined("south", new ClientBuilder().setBasePath(south.url()).build());
					await().until(() -> south.resources(V1ConfigMap.class).get("shop", "quota") != null);
					assertThat(reconcilers(context)).contains("south.quotas");
					assertThat(context.getBean(FleetReport.class).podsByCluster()).containsKey("south");
					fleet.left("south");
					assertThat(reconcilers(context)).containsExactlyInAnyOrder("edge.quotas", "west.quotas");
					assertThat(context.getBean(FleetReport.class).podsByCluster()).containsOnlyKeys("edge", "west");
				});
		}
	}

	@Test
	void ownInformersShouldStandBesideThoseOfTheStarter() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "three"));
		List<String> handled = new CopyOnWriteArrayList<>();
		EventHandler<V1Pod> handler = (event) -> handled.add(event.object().getMetadata().getName());
		InformerContextRunner.with(this.here)
			.withBean(OwnClusterProperties.class, this.edge.url())
			.withBean("ownPods", EventHandler.class, () -> handler)
			.withUserConfiguration(OwnInformersConfiguration.class)
			.withBean("pods-of-the-page", NodeCountHandler.class)
			.run((context) -> {
				await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("two", "three"));
				await().until(() -> context.getBean(InformerHandlerRegistry.class)
					.get("pods-of-the-page")
					.status()
					.deliveries()
					.processed() == 1);
				assertThat(context.getBean(Informers.class)).isNotSameAs(context.getBean("ownInformers"));
				assertThat(context.getBean("ownInformers", Informers.class).all()).extracting(Informer::id)
					.containsExactly("pods");
			});
	}

	private static List<String> reconcilers(ApplicationContext context) {
		return context.getBean(ReconcilerRegistry.class).all().stream().map(ReconcilerContainer::id).toList();
	}

}
