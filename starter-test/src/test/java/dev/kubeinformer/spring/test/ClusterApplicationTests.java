package dev.kubeinformer.spring.test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an application with several clusters, of which one is configured.
 */
@SpringBootTest(classes = ClusterApplicationTests.Application.class,
		webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "kubernetes.clusters.edge.kubeconfig=/etc/edge/kubeconfig",
				"kubernetes.clusters.edge.readiness=true" })
@EmbeddedKubernetesTest(clusters = { "hub", "edge" })
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterApplicationTests {

	@Autowired
	private ClusterPodHandler handler;

	@Autowired
	private InformerClusters clusters;

	@Autowired
	@Qualifier("edge")
	private EmbeddedKubernetes edge;

	@Autowired
	@Qualifier("hub")
	private EmbeddedKubernetes hub;

	@Test
	@Order(1)
	void handlerShouldFollowEachCluster(ApiResources<V1Pod> pods, @Qualifier("hub") ApiResources<V1Pod> hubPods,
			@Qualifier("edge") ApiResources<V1Pod> edgePods) {
		edgePods.fill(3, (i) -> InformersConfiguration.pod("filler-" + i));
		for (ApiResources<V1Pod> cluster : List.of(pods, hubPods, edgePods)) {
			cluster.create(InformersConfiguration.pod("one"));
		}
		await().untilAsserted(() -> assertThat(this.handler.calls).contains("ADD one in hub", "ADD one in edge")
			.doesNotContain("ADD one in default"));
	}

	@Test
	@Order(2)
	void everythingShouldBeGoneInTheNextTest(@Autowired Lister<V1Pod> pods, @Qualifier("edge") Lister<V1Pod> edgePods) {
		assertThat(this.handler.calls).contains("DELETE one in hub", "DELETE one in edge");
		assertThat(pods.list()).isEmpty();
		assertThat(edgePods.list()).isEmpty();
		assertThat(this.edge.resources(V1Pod.class).list()).isEmpty();
		assertThat(this.edge.requests()).isEmpty();
	}

	@Test
	void clustersShouldBeThoseOfTheTest() {
		assertThat(this.clusters.names()).containsExactly("edge", "hub");
		await().untilAsserted(() -> {
			assertThat(this.edge.openWatches()).isEqualTo(1);
			assertThat(this.hub.openWatches()).isEqualTo(1);
		});
	}

	@Test
	void clientsShouldBeQualified(ApiClient client, @Qualifier("edge") ApiClient edgeClient,
			@Autowired EmbeddedKubernetes kubernetes) {
		assertThat(client.getBasePath()).isEqualTo(kubernetes.url());
		assertThat(edgeClient.getBasePath()).isEqualTo(this.edge.url());
	}

	@Test
	void clusterWithoutEmbeddedApiShouldBeRefused() {
		TestContextManager manager = new TestContextManager(UnnamedClusterCase.class);
		assertThatException().isThrownBy(() -> {
			ApplicationContext context = manager.getTestContext().getApplicationContext();
			try {
				context.getBean("kubernetesApiClient.prod");
			}
			finally {
				manager.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
			}
		})
			.havingRootCause()
			.isInstanceOf(MissingEmbeddedClusterException.class)
			.withMessageContaining("@EmbeddedKubernetesTest(clusters = \"prod\")");
	}

	@Test
	void detailsOfTheApplicationShouldGiveWay() {
		TestContextManager manager = new TestContextManager(OwnDetailsCase.class);
		ApplicationContext context = manager.getTestContext().getApplicationContext();
		try {
			assertThat(context.getBean("kubernetesApiClient.edge", ApiClient.class).getBasePath())
				.startsWith("http://127.0.0.1:");
		}
		finally {
			manager.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
		}
	}

	@SpringJUnitConfig(AutoConfigurations.class)
	@TestPropertySource(properties = "kubernetes.clusters.prod.url=https://prod.example.com")
	@EmbeddedKubernetesTest(clusters = "edge")
	static class UnnamedClusterCase {

	}

	@SpringJUnitConfig(OwnDetails.class)
	@EmbeddedKubernetesTest(clusters = "edge")
	static class OwnDetailsCase {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class AutoConfigurations {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(AutoConfigurations.class)
	static class OwnDetails {

		@Bean(defaultCandidate = false)
		@Qualifier("edge")
		KubernetesConnectionDetails edgeDetails() {
			return () -> "https://edge.example.com";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ AutoConfigurations.class, ClusterPodHandler.class })
	static class Application {

	}

	/**
	 * Handler of the pods of all clusters that have a name.
	 */
	@InformerHandler(id = "clusterPodHandler", cluster = "*")
	static class ClusterPodHandler {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(ResourceEvent<V1Pod> event) {
			this.calls.add("ADD %s in %s".formatted(event.object().getMetadata().getName(), event.cluster()));
		}

		@OnDelete
		void removed(ResourceEvent<V1Pod> event) {
			this.calls.add("DELETE %s in %s".formatted(event.object().getMetadata().getName(), event.cluster()));
		}

	}

}
