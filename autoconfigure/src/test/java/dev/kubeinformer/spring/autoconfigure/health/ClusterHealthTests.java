package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Duration;
import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what health says of several clusters, and of which of them readiness asks.
 */
class ClusterHealthTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edgeKubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(ApplicationAvailabilityAutoConfiguration.class,
				InformerHealthContributorAutoConfiguration.class, AvailabilityProbesAutoConfiguration.class,
				InformerReadinessAutoConfiguration.class))
		.withBean(PodHandler.class);

	@AfterEach
	void close() {
		this.edgeKubernetes.close();
		this.kubernetes.close();
	}

	@Test
	void healthShouldHaveTheChildrenOfEachCluster() {
		this.runner.withPropertyValues(edge()).run((context) -> {
			context.getBean(InformerClusters.class).get("edge").informer(V1Node.class);
			assertThat(children(context)).containsOnlyKeys("podHandler", "edge.podHandler", "edge.nodes");
			await().until(() -> status(context, "edge.podHandler").equals(Status.UP));
		});
	}

	@Test
	void childrenShouldNameTheirClusterWhereThereAreSeveral() {
		this.runner.run((context) -> {
			assertThat(details(context, "podHandler")).doesNotContainKey("cluster");
			context.getBean(InformerClusters.class).add("late", client());
			assertThat(details(context, "podHandler")).containsEntry("cluster", "default");
			assertThat(details(context, "late.podHandler")).containsEntry("cluster", "late");
		});
	}

	@Test
	void childrenOfAClusterThatIsRemovedShouldGo() {
		this.runner.run((context) -> {
			context.getBean(InformerClusters.class).add("late", client());
			assertThat(children(context)).containsKey("late.podHandler");
			context.getBean(InformerClusters.class).remove("late");
			assertThat(children(context)).containsOnlyKeys("podHandler");
			assertThat(context.getBean(InformerReadiness.class).counts("late.podHandler")).isFalse();
		});
	}

	@Test
	void clusterThatFailsShouldFailItsChildrenAloneAndNotReadiness() {
		this.edgeKubernetes.faults().on(Requests.of("pods")).forbid();
		this.runner.withPropertyValues(edge()).run((context) -> {
			await().until(() -> status(context, "edge.podHandler").equals(Status.DOWN));
			await().until(() -> status(context, "podHandler").equals(Status.UP));
			assertThat(context.getBean(InformerReadiness.class).counts("edge.podHandler")).isFalse();
			assertThat(context.getBean(InformerReadiness.class).counts("podHandler")).isTrue();
		});
	}

	@Test
	void clusterWithReadinessShouldCountUntilItWasReadyOnce() {
		this.edgeKubernetes.faults().on(Requests.of("pods")).forbid();
		this.runner.withPropertyValues(edge())
			.withPropertyValues("kubernetes.clusters.edge.readiness=true")
			.run((context) -> {
				InformerReadiness readiness = context.getBean(InformerReadiness.class);
				await().until(() -> status(context, "edge.podHandler").equals(Status.DOWN));
				assertThat(readiness.counts("edge.podHandler")).isTrue();
				this.edgeKubernetes.faults().clear();
				await().until(() -> status(context, "edge.podHandler").equals(Status.UP));
				Informers edge = context.getBean(InformerClusters.class).get("edge");
				edge.stop();
				this.edgeKubernetes.faults().on(Requests.of("pods")).forbid();
				edge.start();
				await().until(() -> status(context, "edge.podHandler").equals(Status.DOWN));
				assertThat(readiness.counts("edge.podHandler")).isFalse();
			});
	}

	@Test
	void handlerThatIsRegisteredAgainAfterTheApplicationIsReadyShouldNotCount() {
		this.runner.run((context) -> {
			InformerReadiness readiness = context.getBean(InformerReadiness.class);
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			this.kubernetes.faults().on(Requests.of("nodes")).forbid();
			register(registry);
			context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0],
					context.getSourceApplicationContext(), Duration.ZERO));
			await().until(() -> status(context, "late").equals(Status.DOWN));
			assertThat(readiness.counts("late")).isTrue();
			registry.unregister("late");
			register(registry);
			await().until(() -> status(context, "late").equals(Status.DOWN));
			assertThat(readiness.counts("late")).isFalse();
			assertThat(readiness.counts("podHandler")).isTrue();
		});
	}

	private static void register(InformerHandlerRegistry registry) {
		registry.register("late", InformerSpec.of(V1Node.class), HandlerOptions.defaults(),
				(EventHandler<V1Node>) (event) -> {
				});
	}

	@Test
	void handlerThatIsExemptFromReadinessShouldNotCountInAnyCluster() {
		this.runner.withPropertyValues(edge())
			.withPropertyValues("kubernetes.clusters.edge.readiness=true",
					"kubernetes.informers.handlers.podHandler.readiness=false")
			.run((context) -> assertThat(context.getBean(InformerReadiness.class).counts("edge.podHandler")).isFalse());
	}

	@Test
	void listerOfANamedClusterShouldCountByItsSettings() {
		this.runner.withPropertyValues(edge())
			.withPropertyValues("kubernetes.clusters.edge.readiness=true",
					"kubernetes.clusters.edge.informers.resources.nodes.readiness=false")
			.run((context) -> {
				Informers edge = context.getBean(InformerClusters.class).get("edge");
				edge.informer(V1Node.class);
				edge.informer(V1Secret.class);
				assertThat(context.getBean(InformerReadiness.class).counts("edge.nodes")).isFalse();
				assertThat(context.getBean(InformerReadiness.class).counts("edge.secrets")).isTrue();
			});
	}

	private String edge() {
		return "kubernetes.clusters.edge.url=" + this.edgeKubernetes.url();
	}

	private ApiClient client() {
		return new ClientBuilder().setBasePath(this.edgeKubernetes.url()).build();
	}

	private static Map<String, HealthIndicator> children(ApplicationContext context) {
		return context.getBean(InformersHealthContributor.class).children();
	}

	private static Health health(ApplicationContext context, String name) {
		return children(context).get(name).health();
	}

	private static Map<String, Object> details(ApplicationContext context, String name) {
		return health(context, name).getDetails();
	}

	private static Status status(ApplicationContext context, String name) {
		return health(context, name).getStatus();
	}

	@InformerHandler(id = "podHandler", cluster = { "default", "*" })
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
