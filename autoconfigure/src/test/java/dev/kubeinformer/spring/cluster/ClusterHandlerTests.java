package dev.kubeinformer.spring.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.handler.event.InformerFailedEvent;
import dev.kubeinformer.spring.handler.event.InformerHandlerSyncedEvent;
import dev.kubeinformer.spring.handler.event.InformersSyncedEvent;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of handlers and reconcilers in several clusters, one of which may hang.
 */
class ClusterHandlerTests {

	private final EmbeddedKubernetes here = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.start();

	private final HungServer hung = new HungServer();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.here)
		.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url())
		.withBean(Events.class);

	ClusterHandlerTests() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "same"));
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "same"));
	}

	@AfterEach
	void close() {
		this.here.close();
		this.edge.close();
		this.hung.close();
	}

	@Test
	void handlerShouldHaveAContainerForEachClusterThatItNames() {
		this.runner.withBean("podHandler", BothHandler.class).run((context) -> {
			BothHandler handler = context.getBean(BothHandler.class);
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			await().untilAsserted(
					() -> assertThat(handler.handled).containsExactlyInAnyOrder("default same", "edge same"));
			assertThat(registry.all()).extracting(InformerHandlerContainer::id)
				.containsExactly("podHandler", "edge.podHandler");
			InformerHandlerContainer container = registry.get("edge.podHandler");
			assertThat(container.cluster()).isEqualTo("edge");
			assertThat(container.options().id()).isEqualTo("edge.podHandler");
			InformerHandlers handlers = context.getBean(InformerHandlers.class);
			assertThat(handlers.of(context.getBean(InformerClusters.class).get("edge"))).containsExactly(container);
			assertThat(handlers.of(context.getBean(Informers.class))).containsExactly(registry.get("podHandler"));
		});
	}

	@Test
	void settingsOfAHandlerShouldHoldInAllItsClustersBeforeThoseOfTheCluster() {
		this.edge.resources(V1Pod.class).create(TestObjects.pod("other", "far"));
		this.runner.withBean("podHandler", BothHandler.class)
			.withBean("edgeHandler", EdgeHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.podHandler.concurrency=3",
					"kubernetes.informers.resync=7s", "kubernetes.clusters.edge.informers.resync=5m",
					"kubernetes.clusters.edge.informers.namespaces=other",
					"kubernetes.clusters.edge.informers.resources.pods.label-selector=!hidden")
			.run((context) -> {
				InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
				for (String id : List.of("podHandler", "edge.podHandler")) {
					assertThat(registry.get(id).options().concurrency()).isEqualTo(3);
				}
				assertThat(registry.get("podHandler").options().resync()).isEqualTo(Duration.ofSeconds(7));
				assertThat(registry.get("podHandler").spec().labelSelector()).isNull();
				assertThat(registry.get("edge.podHandler").options().resync()).isEqualTo(Duration.ofMinutes(5));
				assertThat(registry.get("edge.podHandler").spec().namespaces()).containsExactly("other");
				assertThat(registry.get("edge.podHandler").spec().labelSelector()).isEqualTo("!hidden");
				assertThat(registry.get("edge.podHandler").isReadiness()).isFalse();
				assertThat(registry.get("podHandler").isReadiness()).isTrue();
				await().untilAsserted(
						() -> assertThat(context.getBean(EdgeHandler.class).handled).containsExactly("edge far"));
			});
	}

	@Test
	void starShouldBeAllThatHaveANameAlsoThoseThatComeLater() {
		this.runner.withBean("all", AllHandler.class).withBean("allPods", AllReconciler.class).run((context) -> {
			AllHandler handler = context.getBean(AllHandler.class);
			AllReconciler reconciler = context.getBean(AllReconciler.class);
			await().untilAsserted(() -> {
				assertThat(handler.handled).containsExactly("edge same");
				assertThat(reconciler.seen).containsOnlyKeys("edge same");
			});
			InformerClusters clusters = context.getBean(InformerClusters.class);
			Informers late = clusters.add("late", context.getBean(ApiClient.class));
			await().untilAsserted(() -> {
				assertThat(handler.handled).containsExactly("edge same", "late same");
				assertThat(reconciler.seen).containsOnlyKeys("edge same", "late same");
			});
			ReconcilerRegistry reconcilers = context.getBean(ReconcilerRegistry.class);
			assertThat(reconcilers.all()).extracting(ReconcilerContainer::id)
				.containsExactly("edge.allPods", "late.allPods");
			assertThat(reconcilers.get("late.allPods").spec().id()).isEqualTo("allPods");
			assertThat(context.getBean(Reconcilers.class).of(late)).hasSize(1);
			await().untilAsserted(() -> assertThat(context.getBean(Events.class).synced).contains("late.all")
				.filteredOn("late"::equals)
				.hasSize(1));
			clusters.remove("late");
			assertThat(context.getBean(InformerHandlerRegistry.class).all()).extracting(InformerHandlerContainer::id)
				.containsExactly("edge.all");
			assertThat(reconcilers.all()).extracting(ReconcilerContainer::id).containsExactly("edge.allPods");
			clusters.add("late", context.getBean(ApiClient.class));
			await().untilAsserted(() -> assertThat(handler.handled).hasSize(3));
		});
	}

	@Test
	void clusterThatHangsShouldDelayNeitherTheStartNorOthers() {
		long began = System.nanoTime();
		this.runner.withBean("podHandler", EverywhereHandler.class)
			.withBean("podReconciler", AllReconciler.class)
			.withPropertyValues("kubernetes.clusters.far.url=" + this.hung.url(),
					"kubernetes.informers.startup.wait-for-sync=true")
			.run((context) -> {
				assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
				EverywhereHandler handler = context.getBean(EverywhereHandler.class);
				Events events = context.getBean(Events.class);
				await().untilAsserted(() -> {
					assertThat(handler.handled).containsExactlyInAnyOrder("default same", "edge same");
					assertThat(events.synced).contains("default", "edge", "podHandler", "edge.podHandler");
				});
				await().until(() -> this.hung.connections() > 0);
				assertThat(events.synced).doesNotContain("far", "far.podHandler");
				assertThat(context.getBean(InformerHandlerRegistry.class).get("far.podHandler").hasSynced()).isFalse();
			});
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(50));
	}

	@Test
	void handlerShouldWaitForTheListersOfOtherClustersThatItReads() {
		this.edge.resources(V1ConfigMap.class).create(TestObjects.configMap("web", "map"));
		this.edge.faults().on(Requests.of("configmaps")).forbid();
		this.runner.withBean("reader", ReadingHandler.class)
			.withBean("podHandler", BothHandler.class)
			.run((context) -> {
				InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
				BothHandler other = context.getBean(BothHandler.class);
				await().untilAsserted(() -> {
					assertThat(registry.get("reader").awaiting()).containsExactly("edge.configmaps");
					assertThat(other.handled).hasSize(2);
				});
				ReadingHandler handler = context.getBean(ReadingHandler.class);
				assertThat(handler.sizes).isEmpty();
				this.edge.faults().clear();
				await().untilAsserted(() -> assertThat(handler.sizes).containsExactly(1));
			});
	}

	@Test
	void failureOfAnInformerShouldNameItsCluster() {
		this.edge.faults().on(Requests.of("pods")).forbid();
		this.runner.withBean("podHandler", BothHandler.class)
			.run((context) -> await()
				.untilAsserted(() -> assertThat(context.getBean(Events.class).failed).containsOnly("edge edge.pods")));
	}

	@Test
	void unknownClusterShouldFailTheStart() {
		this.runner.withBean("misspelt", MisspeltHandler.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(UnknownClusterException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("@InformerHandler bean 'misspelt'")
						.hasMessageContaining("names the cluster 'edges'");
					assertThat(ex.getAction()).contains("Did you mean 'edge'?");
				}));
	}

	@Test
	void clusterShouldBeResolvedAndSplit() {
		this.runner.withBean("placed", PlacedHandler.class)
			.withPropertyValues("app.clusters=default,edge")
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).all())
				.extracting(InformerHandlerContainer::id)
				.containsExactly("placed", "edge.placed"));
	}

	@Test
	void idThatTwoClustersWouldHaveShouldFailTheStart() {
		this.runner.withBean("podHandler", BothHandler.class)
			.withBean("reader", EdgePodsReader.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("'edge.pods' is used by an informer in cluster 'default' and by one in cluster"));
	}

	@Test
	void idOfAHandlerShouldBeUniqueInItsCluster() {
		this.runner.withBean("pods", EdgeHandler.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("has the id 'edge.pods', which is taken by the informer 'edge.pods'"));
	}

	@Test
	void clusterWhoseAdditionFailsShouldNotStay() {
		InformerContextRunner.with(this.here).withBean("current", CurrentNamespaceHandler.class).run((context) -> {
			InformerClusters clusters = context.getBean(InformerClusters.class);
			assertThatIllegalArgumentException()
				.isThrownBy(() -> clusters.add("late", context.getBean(ApiClient.class)))
				.withMessageContaining("Cannot add cluster 'late'")
				.withMessageContaining("'@current' is unknown for cluster 'late'");
			assertThat(clusters.names()).isEmpty();
			assertThat(context.getBean(InformerHandlerRegistry.class).all()).isEmpty();
		});
	}

	static class Events {

		final List<String> synced = new CopyOnWriteArrayList<>();

		final List<String> failed = new CopyOnWriteArrayList<>();

		@EventListener
		void all(InformersSyncedEvent event) {
			this.synced.add(event.getCluster());
		}

		@EventListener
		void one(InformerHandlerSyncedEvent event) {
			this.synced.add(event.getContainer().id());
		}

		@EventListener
		void failed(InformerFailedEvent event) {
			this.failed.add(event.getCluster() + " " + event.getInformer().id());
		}

	}

	abstract static class Recording {

		final List<String> handled = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(ResourceEvent<V1Pod> event) {
			this.handled.add(event.cluster() + " " + event.object().getMetadata().getName());
		}

	}

	@InformerHandler(cluster = { "default", "edge" })
	static class BothHandler extends Recording {

	}

	@InformerHandler(cluster = "edge")
	static class EdgeHandler extends Recording {

	}

	@InformerHandler(cluster = "*")
	static class AllHandler extends Recording {

	}

	@InformerHandler(cluster = { "*", "default" })
	static class EverywhereHandler extends Recording {

	}

	@InformerHandler(cluster = "edges")
	static class MisspeltHandler extends Recording {

	}

	@InformerHandler(cluster = "${app.clusters}")
	static class PlacedHandler extends Recording {

	}

	@InformerHandler(cluster = "*", namespaces = "@current")
	static class CurrentNamespaceHandler extends Recording {

	}

	@InformerHandler
	static class ReadingHandler {

		private final Lister<V1ConfigMap> maps;

		final List<Integer> sizes = new CopyOnWriteArrayList<>();

		ReadingHandler(@Qualifier("edge") Lister<V1ConfigMap> maps) {
			this.maps = maps;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.sizes.add(this.maps.list().size());
		}

	}

	@Reconciler(cluster = "*")
	static class AllReconciler {

		final Map<String, Boolean> seen = new ConcurrentHashMap<>();

		@Reconcile
		void reconcile(V1Pod pod, Reconciliation<V1Pod> run) {
			this.seen.put(run.cluster() + " " + pod.getMetadata().getName(), true);
		}

	}

	static class EdgePodsReader {

		EdgePodsReader(Informer<EdgeOfPods> edges) {
		}

	}

	@KubernetesResource(group = "pods", version = "v1", plural = "edge")
	static class EdgeOfPods extends V1Node {

	}

}
