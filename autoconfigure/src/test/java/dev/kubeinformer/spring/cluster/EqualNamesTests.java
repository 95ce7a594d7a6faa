package dev.kubeinformer.spring.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.endpoint.HandlerDescriptor;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformerDescriptor;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersDescriptor;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpoint;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpointAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.endpoint.ReconcilerDescriptor;
import dev.kubeinformer.spring.autoconfigure.metrics.InformerMetricsAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.metrics.InformerObservationAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests with random operations that clusters with equal names of everything see nothing
 * of each other. The log, and a failure, name the seed that gives the operations again:
 * {@code -Dclusters.seed=…}.
 */
@Tag("slow")
class EqualNamesTests {

	private static final Logger figures = LoggerFactory.getLogger(EqualNamesTests.class);

	private static final int OPERATIONS = 1000;

	private static final Duration LONG = Duration.ofSeconds(60);

	private final long seed = Long.getLong("clusters.seed", System.nanoTime());

	private final List<TwinCluster> clusters = List.of(new TwinCluster(InformerClusters.DEFAULT),
			new TwinCluster("edge"), new TwinCluster("hub"));

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class,
						MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
						InformerMetricsAutoConfiguration.class, InformerObservationAutoConfiguration.class,
						EndpointAutoConfiguration.class, InformersEndpointAutoConfiguration.class))
		.withPropertyValues(InformerContextRunner.NO_CLUSTER)
		.withPropertyValues("management.endpoints.web.exposure.include=informers",
				"kubernetes.client.url=" + this.clusters.get(0).url(),
				"kubernetes.clusters.edge.url=" + this.clusters.get(1).url(),
				"kubernetes.clusters.hub.url=" + this.clusters.get(2).url())
		.withBean(SimpleMeterRegistry.class, () -> this.meters, (definition) -> definition.setDestroyMethodName(""))
		.withBean(Sightings.class)
		.withBean("podHandler", PodHandler.class)
		.withBean("plainHandler", PlainHandler.class)
		.withBean("edgeHandler", EdgeHandler.class)
		.withBean("gearReconciler", GearReconciler.class)
		.withBean(Readers.class);

	@AfterEach
	void close() {
		this.clusters.forEach(TwinCluster::close);
	}

	@RepeatedTest(2)
	void nothingOfOneClusterShouldBeSeenInAnother() {
		figures.info("{} operations with the seed {}", OPERATIONS, this.seed);
		Random random = new Random(this.seed);
		try {
			this.runner.run((context) -> {
				Readers readers = context.getBean(Readers.class);
				for (int i = 0; i < OPERATIONS; i++) {
					this.clusters.get(random.nextInt(this.clusters.size())).operate(random);
					readers.check();
				}
				await().atMost(LONG).untilAsserted(() -> checkCaches(readers));
				// The runs of all changes may have been one, before there were children.
				this.clusters.forEach((cluster) -> cluster.setGear(1));
				await().atMost(LONG).untilAsserted(this::checkChildren);
				this.clusters.forEach((cluster) -> cluster.setGear(2));
				await().atMost(LONG).untilAsserted(() -> checkSightings(context.getBean(Sightings.class)));
				await().atMost(LONG).untilAsserted(this::checkChildren);
				checkInformers(context.getBean(InformerClusters.class));
				checkEndpoint(context.getBean(InformersEndpoint.class).informers());
				await().atMost(LONG).untilAsserted(() -> checkMeters(context.getBean(Sightings.class)));
			});
		}
		catch (Throwable ex) {
			throw new AssertionError("The operations of seed %d failed by %s; run them again with -Dclusters.seed=%d"
				.formatted(this.seed, ex, this.seed), ex);
		}
	}

	private void checkCaches(Readers readers) {
		Map<String, Map<String, String>> stored = TwinCluster.byName(this.clusters,
				(cluster) -> TwinCluster.states(cluster.pods()));
		readers.all()
			.forEach((name, lister) -> assertThat(TwinCluster.states(lister.list())).as(name)
				.isEqualTo(stored.get(Readers.cluster(name))));
	}

	private void checkChildren() {
		for (TwinCluster cluster : this.clusters) {
			Map<String, Gear> gears = cluster.gears()
				.stream()
				.collect(Collectors.toMap((gear) -> gear.getMetadata().getUid(), (gear) -> gear));
			assertThat(cluster.configMaps()).as(cluster.name()).hasSameSizeAs(gears.values()).allSatisfy((child) -> {
				assertThat(child.getData()).containsEntry(TwinCluster.ORIGIN, cluster.name());
				assertThat(child.getMetadata().getOwnerReferences()).singleElement().satisfies((owner) -> {
					assertThat(gears).containsKey(owner.getUid());
					assertThat(child.getData()).containsEntry("teeth",
							Integer.toString(gears.get(owner.getUid()).getSpec().getTeeth()));
				});
			});
			assertThat(gears.values()).as(cluster.name()).allSatisfy((gear) -> assertThat(gear.turns()).isEqualTo(1));
		}
	}

	private void checkSightings(Sightings sightings) {
		assertThat(sightings.all).isNotEmpty()
			.allSatisfy(
					(sighting) -> assertThat(sighting.origin()).as(sighting.toString()).isEqualTo(sighting.cluster()));
		List<String> names = this.clusters.stream().map(TwinCluster::name).toList();
		for (String bean : List.of("podHandler", "gearReconciler", "owned")) {
			assertThat(sightings.clusters(bean)).as(bean).containsExactlyInAnyOrderElementsOf(names);
		}
		assertThat(sightings.clusters("plainHandler")).containsExactly(InformerClusters.DEFAULT);
		assertThat(sightings.clusters("edgeHandler")).containsExactly("edge");
	}

	private void checkInformers(InformerClusters named) {
		assertThat(named.names()).containsExactly("edge", "hub");
		for (TwinCluster cluster : this.clusters) {
			String prefix = prefix(cluster.name());
			assertThat(named.get(cluster.name()).all()).as(cluster.name())
				.allSatisfy((informer) -> assertThat(informer.cluster()).isEqualTo(cluster.name()))
				.extracting(Informer::id)
				.contains(prefix + "pods", prefix + "gears.example.com", prefix + "configmaps")
				.allMatch((id) -> id.startsWith(prefix));
		}
	}

	private void checkEndpoint(InformersDescriptor endpoint) {
		List<String> ids = Stream
			.of(endpoint.informers().stream().map(InformerDescriptor::id),
					endpoint.handlers().stream().map(HandlerDescriptor::id),
					endpoint.reconcilers().stream().map(ReconcilerDescriptor::id))
			.flatMap((each) -> each)
			.toList();
		List<String> expected = new ArrayList<>();
		for (TwinCluster cluster : this.clusters) {
			Stream.of("pods", "gears.example.com", "configmaps", "podHandler", "gearReconciler")
				.forEach((id) -> expected.add(prefix(cluster.name()) + id));
		}
		expected.addAll(List.of("plainHandler", "edge.edgeHandler"));
		assertThat(ids).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(endpoint.handlers()).allSatisfy((handler) -> assertThat(handler.informer())
			.isEqualTo(handler.id().substring(0, handler.id().lastIndexOf('.') + 1) + "pods"));
		assertThat(endpoint.reconcilers()).allSatisfy(
				(reconciler) -> assertThat(reconciler.sources()).allSatisfy((source) -> assertThat(source.informer())
					.startsWith(reconciler.id().substring(0, reconciler.id().lastIndexOf('.') + 1))));
		for (TwinCluster cluster : this.clusters) {
			assertThat(endpoint.informers())
				.filteredOn((informer) -> informer.id().equals(prefix(cluster.name()) + "pods"))
				.singleElement()
				.satisfies((informer) -> assertThat(informer.cacheSize()).isEqualTo(cluster.pods().size()));
		}
	}

	private void checkMeters(Sightings sightings) {
		for (TwinCluster cluster : this.clusters) {
			assertThat(this.meters.get("kubernetes.informer.cache.size")
				.tag("cluster", cluster.name())
				.tag("informer", "pods")
				.gauge()
				.value()).as(cluster.name()).isEqualTo(cluster.pods().size());
			assertThat(this.meters.get("kubernetes.informer.handler.queue.time")
				.tag("cluster", cluster.name())
				.tag("handler", "podHandler")
				.timer()
				.count()).as(cluster.name()).isEqualTo(sightings.count("podHandler", cluster.name()));
		}
		assertThat(this.meters.find("kubernetes.informer.cache.size").meters())
			.allSatisfy((meter) -> assertThat(meter.getId().getTag("informer")).doesNotContain("edge", "hub"));
	}

	private static String prefix(String cluster) {
		return cluster.equals(InformerClusters.DEFAULT) ? "" : cluster + ".";
	}

	/**
	 * Object that was seen somewhere.
	 *
	 * @param bean who saw it
	 * @param cluster the cluster in which it was said to be
	 * @param origin the cluster in which it is
	 */
	record Sighting(String bean, String cluster, String origin) {

	}

	/** Objects that handlers and reconcilers have received. */
	static class Sightings {

		final Queue<Sighting> all = new ConcurrentLinkedQueue<>();

		void add(String bean, ResourceEvent<V1Pod> event) {
			this.all.add(new Sighting(bean, event.cluster(), TwinCluster.origin(event.object())));
			V1Pod old = event.oldObject();
			if (old != null) {
				assertThat(TwinCluster.origin(old)).isEqualTo(event.cluster());
			}
		}

		List<String> clusters(String bean) {
			return this.all.stream()
				.filter((sighting) -> sighting.bean().equals(bean))
				.map(Sighting::cluster)
				.distinct()
				.toList();
		}

		long count(String bean, String cluster) {
			return this.all.stream()
				.filter((sighting) -> sighting.bean().equals(bean) && sighting.cluster().equals(cluster))
				.count();
		}

	}

	/**
	 * Handles the pods of all clusters.
	 */
	@InformerHandler(cluster = { "default", "*" })
	record PodHandler(Sightings sightings) {

		@OnAdd
		@OnUpdate
		@OnDelete
		void changed(ResourceEvent<V1Pod> event) {
			this.sightings.add("podHandler", event);
		}

	}

	/**
	 * Handles the pods of the default cluster, as it names none.
	 */
	@InformerHandler
	record PlainHandler(Sightings sightings) {

		@OnAdd
		@OnUpdate
		@OnDelete
		void changed(ResourceEvent<V1Pod> event) {
			this.sightings.add("plainHandler", event);
		}

	}

	/**
	 * Handles the pods of one cluster.
	 */
	@InformerHandler(cluster = "edge")
	record EdgeHandler(Sightings sightings) {

		@OnAdd
		@OnUpdate
		@OnDelete
		void changed(ResourceEvent<V1Pod> event) {
			this.sightings.add("edgeHandler", event);
		}

	}

	/**
	 * Keeps a child for each gear of all clusters.
	 */
	@Reconciler(cluster = { "default", "*" })
	record GearReconciler(Sightings sightings) {

		@Reconcile
		void reconcile(Gear gear, Owned<V1ConfigMap> children, Reconciliation<Gear> run) throws ApiException {
			this.sightings.all.add(new Sighting("gearReconciler", run.cluster(), TwinCluster.origin(gear)));
			for (V1ConfigMap child : children.list()) {
				this.sightings.all.add(new Sighting("owned", run.cluster(), child.getData().get(TwinCluster.ORIGIN)));
			}
			run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name(gear.getMetadata().getName()))
				.data(Map.of(TwinCluster.ORIGIN, run.cluster(), "teeth", Integer.toString(gear.getSpec().getTeeth()))));
			run.status((changed) -> changed.turn(1));
		}

	}

	/**
	 * Readers of pods, each of them named by how it was injected and by its cluster.
	 */
	static class Readers {

		private final Map<String, Lister<V1Pod>> named = new LinkedHashMap<>();

		private final ClusterListers<V1Pod> listers;

		Readers(Lister<V1Pod> plain, @Qualifier("edge") Lister<V1Pod> qualified,
				@InformerSource(cluster = "hub") Lister<V1Pod> source, Informer<V1Pod> informer,
				@Qualifier("hub") Informer<V1Pod> qualifiedInformer, ClusterListers<V1Pod> listers) {
			this.named.put("plain@default", plain);
			this.named.put("qualified@edge", qualified);
			this.named.put("source@hub", source);
			this.named.put("informer@default", new Lister<>(informer.getIndexer()));
			this.named.put("qualified informer@hub", new Lister<>(qualifiedInformer.getIndexer()));
			this.listers = listers;
		}

		Map<String, Lister<V1Pod>> all() {
			Map<String, Lister<V1Pod>> all = new LinkedHashMap<>(this.named);
			this.listers.all().forEach((cluster, lister) -> all.put("listers@" + cluster, lister));
			return all;
		}

		void check() {
			all().forEach((name, lister) -> assertThat(lister.list()).as(name)
				.allSatisfy((pod) -> assertThat(TwinCluster.origin(pod)).isEqualTo(cluster(name))));
		}

		static String cluster(String name) {
			return name.substring(name.indexOf('@') + 1);
		}

	}

}
