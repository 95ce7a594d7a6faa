package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.List;
import java.util.Set;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the meters of several clusters, as Prometheus takes them: those of a name with
 * the same labels.
 */
class ClusterMetricsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edgeKubernetes = EmbeddedKubernetes.start();

	private final FakeReconciler reconciler = FakeReconciler.ofPods("podReconciler").state(ReconcilerState.ACTIVE);

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, ObservationAutoConfiguration.class,
				InformerMetricsAutoConfiguration.class, InformerObservationAutoConfiguration.class))
		.withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
		.withBean(PodHandler.class)
		.withBean(ReconcilerRegistry.class, () -> FakeReconciler.registry(this.reconciler));

	@BeforeEach
	void create() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.edgeKubernetes.resources(V1Pod.class).fill(3, (i) -> TestObjects.pod("web", "p" + i));
	}

	@AfterEach
	void close() {
		this.edgeKubernetes.close();
		this.kubernetes.close();
	}

	@Test
	void metersOfTheDefaultClusterAloneShouldNotNameIt() {
		this.runner.run((context) -> {
			awaitHandled(context);
			assertThat(ours(context)).isNotEmpty().allMatch((meter) -> meter.getId().getTag("cluster") == null);
		});
	}

	@Test
	void metersShouldNameTheClusterAndHaveIdsWithoutIt() {
		this.runner.run((context) -> {
			addEdge(context);
			awaitHandled(context);
			await().until(() -> registry(context).find("kubernetes.informer.handler.queue.time")
				.tags("cluster", "edge", "informer", "pods", "handler", "podHandler")
				.timer()
				.count() == 3);
			assertThat(registry(context).get("kubernetes.informer.cache.size")
				.tags("cluster", "edge", "informer", "pods")
				.gauge()
				.value()).isEqualTo(3);
			assertThat(registry(context).get("kubernetes.informer.cache.size")
				.tags("cluster", "default", "informer", "pods")
				.gauge()
				.value()).isEqualTo(1);
		});
	}

	@Test
	void metersWhenTheFirstClusterComesShouldAllGetTheTag() {
		this.runner.run((context) -> {
			awaitHandled(context);
			this.reconciler.run(context, RunOutcome.DONE, null);
			addEdge(context);
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
			this.reconciler.run(context, RunOutcome.DONE, null);
			awaitHandled(context);
			await().untilAsserted(() -> {
				List<String> samples = scrape(context);
				assertThat(samples).allMatch(
						(sample) -> sample.contains("cluster=\"default\"") || sample.contains("cluster=\"edge\""));
				for (String name : Set.of("kubernetes_informer_handler_seconds_count",
						"kubernetes_informer_handler_queue_time_seconds_count", "kubernetes_informer_cache_size",
						"kubernetes_reconciler_seconds_count", "kubernetes_reconciler_retries_total",
						"kubernetes_reconciler_synced")) {
					assertThat(samples).as(name)
						.anyMatch((sample) -> sample.startsWith(name + "{") && sample.contains("cluster=\"default\""));
				}
				assertThat(samples).anyMatch((sample) -> sample.startsWith("kubernetes_informer_cache_size{")
						&& sample.contains("cluster=\"edge\""));
			});
		});
	}

	@Test
	void metersOfAClusterThatIsRemovedShouldGo() {
		this.runner.run((context) -> {
			addEdge(context);
			await().until(() -> !of(context, "edge").isEmpty());
			context.getBean(InformerClusters.class).remove("edge");
			assertThat(of(context, "edge")).isEmpty();
			assertThat(of(context, "default")).isNotEmpty();
		});
	}

	@Test
	void metersOfAReconcilerShouldNameItsCluster() {
		FakeReconciler atEdge = FakeReconciler.ofPods("podReconciler").in("edge").state(ReconcilerState.ACTIVE);
		this.runner.run((context) -> {
			addEdge(context);
			atEdge.run(context, RunOutcome.DONE, null);
			assertThat(registry(context).get("kubernetes.reconciler.retries")
				.tags("cluster", "edge", "reconciler", "podReconciler")
				.counter()
				.getId()
				.getTags()).extracting(Tag::getKey).containsExactlyInAnyOrder("cluster", "reconciler", "resource");
			assertThat(registry(context).get("kubernetes.reconciler")
				.tags("cluster", "edge", "reconciler", "podReconciler")
				.timer()
				.count()).isEqualTo(1);
			assertThat(registry(context).get("kubernetes.reconciler.retries").tag("cluster", "default").counter())
				.isNotNull();
		});
	}

	@Test
	void runThatEndsAfterItsClusterShouldBringNoMeterBack() {
		FakeReconciler atEdge = FakeReconciler.ofPods("podReconciler").in("edge").state(ReconcilerState.ACTIVE);
		this.runner.run((context) -> {
			addEdge(context);
			List<ReconcilerListener> listeners = context.getBeanProvider(ReconcilerListener.class).stream().toList();
			atEdge.reach(ReconcilerState.ACTIVE, listeners);
			assertThat(of(context, "edge")).isNotEmpty();
			context.getBean(InformerClusters.class).remove("edge");
			atEdge.reach(ReconcilerState.STOPPED, listeners);
			assertThat(of(context, "edge")).isEmpty();
		});
	}

	private void addEdge(ApplicationContext context) {
		context.getBean(InformerClusters.class)
			.add("edge", new ClientBuilder().setBasePath(this.edgeKubernetes.url()).build());
	}

	private static void awaitHandled(ApplicationContext context) {
		InformerHandlerRegistry handlers = context.getBean(InformerHandlerRegistry.class);
		await().until(() -> handlers.get("podHandler").hasSynced());
		await().until(() -> registry(context).find("kubernetes.informer.handler").timer() != null);
	}

	private static MeterRegistry registry(ApplicationContext context) {
		return context.getBean(MeterRegistry.class);
	}

	private static List<Meter> ours(ApplicationContext context) {
		return registry(context).getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("kubernetes."))
			.toList();
	}

	private static List<Meter> of(ApplicationContext context, String cluster) {
		return ours(context).stream().filter((meter) -> cluster.equals(meter.getId().getTag("cluster"))).toList();
	}

	private static List<String> scrape(ApplicationContext context) {
		return context.getBean(PrometheusMeterRegistry.class)
			.scrape()
			.lines()
			.filter((line) -> line.startsWith("kubernetes_"))
			.toList();
	}

	@InformerHandler(id = "podHandler", cluster = { "default", "*" })
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
