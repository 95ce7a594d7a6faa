package dev.kubeinformer.spring.test;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the embedded APIs of named clusters.
 */
class EmbeddedClustersTests {

	private static EmbeddedKubernetes server(ApplicationContext context, String cluster) {
		return bean(context, EmbeddedKubernetes.class, cluster);
	}

	private static <T> T bean(ApplicationContext context, Class<T> type, String cluster) {
		return BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getAutowireCapableBeanFactory(), type, cluster);
	}

	private static void inContext(Class<?> testClass, Consumer<ApplicationContext> assertions) {
		TestContextManager manager = new TestContextManager(testClass);
		try {
			assertions.accept(manager.getTestContext().getApplicationContext());
		}
		finally {
			manager.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
		}
	}

	@Test
	void eachClusterShouldHaveAServerOfItsOwn() {
		EngineTestKit.engine("junit-jupiter")
			.selectors(DiscoverySelectors.selectClass(InjectionCase.class))
			.execute()
			.testEvents()
			.assertStatistics((tests) -> tests.started(2).succeeded(2));
	}

	@Test
	void connectionDetailsShouldBeThoseOfTheCluster() {
		inContext(HubAndEdgeCase.class, (context) -> {
			assertThat(context.getBean(KubernetesConnectionDetails.class).getUrl())
				.isEqualTo(context.getBean(EmbeddedKubernetes.class).url());
			KubernetesConnectionDetails details = bean(context, KubernetesConnectionDetails.class, "edge");
			assertThat(details.getUrl()).isEqualTo(server(context, "edge").url());
		});
	}

	@Test
	void clientOfTheApplicationShouldBePointedToItsCluster() {
		inContext(HubAndEdgeCase.class, (context) -> {
			assertThat(context.getBean("edgeClient", ApiClient.class).getBasePath())
				.isEqualTo(server(context, "edge").url());
			assertThat(context.getBean("hub", ApiClient.class).getBasePath()).isEqualTo(server(context, "hub").url());
			assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo(context.getBean(EmbeddedKubernetes.class).url());
		});
	}

	@Test
	void resetShouldEmptyEachServerAndWaitForItsInformers() {
		inContext(HubAndEdgeCase.class, (context) -> {
			EmbeddedKubernetes edge = server(context, "edge");
			Informers informers = context.getBean("edgeInformers", Informers.class);
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			// The versions of the servers differ.
			edge.resources(V1Pod.class).fill(20, (i) -> InformersConfiguration.pod("pod-" + i));
			await().until(() -> pods.getIndexer().list().size() == 20);
			edge.faults().on(Requests.list("configmaps")).status(500);
			context.getBean(EmbeddedKubernetesReset.class).run();
			assertThat(pods.getIndexer().list()).isEmpty();
			assertThat(pods.lastSyncResourceVersion()).isEqualTo(edge.resourceVersion());
			assertThat(edge.requests()).isEmpty();
			assertThat(context.getBean(EmbeddedKubernetes.class).resourceVersion())
				.isNotEqualTo(edge.resourceVersion());
		});
	}

	@Test
	void contextsShouldBeSharedByEqualClustersOnly() {
		ApplicationContext first = load(HubAndEdgeCase.class);
		assertThat(load(EdgeAndHubCase.class)).isSameAs(first);
		assertThat(load(EdgeCase.class)).isNotSameAs(first);
		for (Class<?> testClass : new Class<?>[] { HubAndEdgeCase.class, EdgeCase.class }) {
			new TestContextManager(testClass).getTestContext()
				.markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
		}
	}

	private static ApplicationContext load(Class<?> testClass) {
		return new TestContextManager(testClass).getTestContext().getApplicationContext();
	}

	@Test
	void hierarchyShouldShareTheServers() {
		inContext(HierarchyCase.class, (context) -> {
			ApplicationContext parent = context.getParent();
			assertThat(server(context, "edge")).isSameAs(server(parent, "edge"));
			assertThat(context.getBean(EmbeddedClusters.class)).isEqualTo(parent.getBean(EmbeddedClusters.class));
		});
	}

	@Test
	void serversShouldBeClosedWithTheContext() {
		EmbeddedKubernetes[] edge = new EmbeddedKubernetes[1];
		inContext(EdgeCase.class, (context) -> edge[0] = server(context, "edge"));
		assertThatException().isThrownBy(edge[0]::reset);
	}

	@Test
	void nameThatIsNoneShouldBeRefused() {
		for (Class<?> testClass : new Class<?>[] { DefaultCase.class, TwiceCase.class, WrongCase.class }) {
			assertThatIllegalArgumentException().isThrownBy(() -> new TestContextManager(testClass))
				.withMessageStartingWith("@EmbeddedKubernetesTest(clusters = ...) has '");
		}
	}

	@SpringJUnitConfig(ClientsConfiguration.class)
	@EmbeddedKubernetesTest(clusters = { "hub", "edge" })
	static class InjectionCase {

		@Autowired
		private EmbeddedKubernetes kubernetes;

		@Autowired
		@Qualifier("edge")
		private EmbeddedKubernetes edge;

		@Autowired
		@Qualifier("edge")
		private ApiResources<V1Pod> edgePods;

		@Test
		void servers(EmbeddedKubernetes byDefault, @Qualifier("hub") EmbeddedKubernetes hub,
				@Qualifier("edge") EmbeddedKubernetes second) {
			assertThat(byDefault).isSameAs(this.kubernetes);
			assertThat(second).isSameAs(this.edge);
			assertThat(new int[] { byDefault.port(), hub.port(), second.port() }).doesNotHaveDuplicates();
		}

		@Test
		void resources(ApiResources<V1Pod> pods, @Qualifier("hub") ApiResources<V1Pod> hubPods) {
			this.edgePods.create(InformersConfiguration.pod("one"));
			assertThat(this.edge.resources(V1Pod.class).list()).hasSize(1);
			assertThat(pods.list()).isEmpty();
			assertThat(hubPods.list()).isEmpty();
		}

	}

	@SpringJUnitConfig(ClientsConfiguration.class)
	@EmbeddedKubernetesTest(clusters = { "hub", "edge" })
	static class HubAndEdgeCase {

	}

	@SpringJUnitConfig(ClientsConfiguration.class)
	@EmbeddedKubernetesTest(clusters = { "edge", "hub" })
	static class EdgeAndHubCase {

	}

	@SpringJUnitConfig(ClientsConfiguration.class)
	@EmbeddedKubernetesTest(clusters = "edge")
	static class EdgeCase {

	}

	@ContextHierarchy({ @ContextConfiguration(classes = EmptyConfiguration.class),
			@ContextConfiguration(classes = ClientsConfiguration.class) })
	@EmbeddedKubernetesTest(clusters = "edge")
	static class HierarchyCase {

	}

	@SpringJUnitConfig(EmptyConfiguration.class)
	@EmbeddedKubernetesTest(clusters = "default")
	static class DefaultCase {

	}

	@SpringJUnitConfig(EmptyConfiguration.class)
	@EmbeddedKubernetesTest(clusters = { "edge", "edge" })
	static class TwiceCase {

	}

	@SpringJUnitConfig(EmptyConfiguration.class)
	@EmbeddedKubernetesTest(clusters = "Edge")
	static class WrongCase {

	}

	@Configuration(proxyBeanMethods = false)
	static class EmptyConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	static class ClientsConfiguration {

		@Bean
		@Qualifier("edge")
		ApiClient edgeClient() {
			return new ApiClient().setBasePath("https://edge.example.com");
		}

		@Bean
		ApiClient hub() {
			return new ApiClient().setBasePath("https://hub.example.com");
		}

		@Bean(destroyMethod = "close")
		Informers edgeInformers(@Qualifier("edge") ApiClient client) {
			return Informers.builder(client).cluster("edge").build();
		}

	}

}
