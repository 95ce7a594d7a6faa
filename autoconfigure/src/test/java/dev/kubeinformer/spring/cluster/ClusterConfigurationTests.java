package dev.kubeinformer.spring.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.client.ApiClientCustomizer;
import dev.kubeinformer.spring.autoconfigure.cluster.InformerCustomizer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the messages about clusters below {@code kubernetes.clusters}, and of the
 * failures if one is invalid.
 */
@ExtendWith(OutputCaptureExtension.class)
class ClusterConfigurationTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster();

	private static void assertFails(AssertableApplicationContext context, String message, String... action) {
		assertThat(context).hasFailed();
		Throwable failure = NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
		assertThat(failure).isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
			assertThat(ex).hasMessageContaining(message).message().doesNotContain("s3cret");
			for (String part : action) {
				assertThat(ex.getAction()).contains(part);
			}
		});
	}

	private ApplicationContextRunner withVariables(Map<String, Object> variables) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
	}

	@Test
	void nameShouldBeOfLowerCaseLettersDigitsAndDashes() {
		this.runner.withPropertyValues("kubernetes.clusters.Edge.url=http://localhost:1")
			.run((context) -> assertFails(context, "'kubernetes.clusters.Edge' names a cluster 'Edge'",
					"lower-case letters, digits and '-'"));
	}

	@Test
	void nameOfTheDefaultClusterShouldBeReserved() {
		this.runner.withPropertyValues("kubernetes.clusters.default.url=http://localhost:1")
			.run((context) -> assertFails(context, "'kubernetes.clusters.default'", "'kubernetes.client'"));
	}

	@Test
	void nameWithDotsShouldBeRefused() {
		this.runner.withPropertyValues("kubernetes.clusters.edge.eu.url=http://localhost:1")
			.run((context) -> assertFails(context, "names a cluster 'edge.eu', which is not a valid name", "no dots"));
	}

	@Test
	void valueInThePlaceOfPropertiesShouldBeRefusedAndNotShown() {
		this.runner.withPropertyValues("kubernetes.clusters.edge=https://user:s3cret@host")
			.run((context) -> assertFails(context, "'kubernetes.clusters.edge' has a value",
					"'kubernetes.clusters.edge'"));
	}

	@Test
	void wrongValuesShouldBeNamed() {
		this.runner.withPropertyValues("kubernetes.clusters.edge.connect-timeout=-1s")
			.run((context) -> assertFails(context, "'kubernetes.clusters.edge.connect-timeout' is '-1s'"));
		this.runner.withPropertyValues("kubernetes.clusters.edge.informers.resync=-1s")
			.run((context) -> assertFails(context, "'kubernetes.clusters.edge.informers.resync' is '-1s'"));
		this.runner.withPropertyValues("kubernetes.clusters.edge.informers.concurrent-lists=0")
			.run((context) -> assertFails(context, "'kubernetes.clusters.edge.informers.concurrent-lists' is '0'"));
		this.runner
			.withPropertyValues("kubernetes.clusters.edge.url=http://localhost:1",
					"kubernetes.clusters.edge.informers.namespaces=*,web")
			.withBean("podHandler", EdgeHandler.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("'kubernetes.clusters.edge.informers.namespaces' is wrong"));
		this.runner.withPropertyValues("kubernetes.clusters.edge.url=no url")
			.withBean("podHandler", EdgeHandler.class)
			.run((context) -> assertFails(context, "'kubernetes.clusters.edge.url' is 'no url'"));
	}

	@Test
	void numberOfConcurrentListsShouldBeThatOfTheClusterOrElseThatOfAll() {
		List<Informers.Builder> builders = new ArrayList<>();
		this.runner
			.withPropertyValues("kubernetes.clusters.edge.url=http://localhost:1",
					"kubernetes.clusters.edge.informers.concurrent-lists=2",
					"kubernetes.clusters.west.url=http://localhost:1", "kubernetes.informers.concurrent-lists=3",
					"kubernetes.informers.auto-startup=false")
			.withBean(InformerCustomizer.class, () -> builders::add)
			.withBean("podHandler", EdgeHandler.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(builders).extracting("concurrentSyncs").contains(2, 3);
			});
	}

	@Test
	void resourceThatDoesNotExistShouldBeNamedWithItsCluster() {
		this.runner
			.withPropertyValues("kubernetes.clusters.edge.url=http://localhost:1",
					"kubernetes.clusters.edge.informers.resources.podz.resync=1m")
			.withBean("podHandler", EdgeHandler.class)
			.run((context) -> assertFails(context, "'kubernetes.clusters.edge.informers.resources.podz'", "'pods'"));
	}

	@Test
	void resourceWithDotsShouldNeedBrackets() {
		this.runner.withPropertyValues("kubernetes.clusters.edge.informers.resources.deployments.apps.resync=1m")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("deployments.apps")
				.hasMessageContaining("kubernetes.clusters.edge.informers.resources"));
		this.runner.withPropertyValues("kubernetes.clusters.edge.informers.resources.[deployments.apps].resync=1m")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void misspeltPropertiesShouldBeReported(CapturedOutput output) {
		this.runner
			.withPropertyValues("kubernetes.clusters.edge.kubeconfg=/tmp/x", "kubernetes.cluster.west.url=http://west",
					"kubernetes.clusters.edge.informers.resources.pods.resinc=1m")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("Did you mean 'kubernetes.clusters.edge.kubeconfig'?",
				"Did you mean 'kubernetes.clusters.west.url'?",
				"Did you mean 'kubernetes.clusters.edge.informers.resources.pods.resync'?");
	}

	@Test
	void clusterThatIsNowhereShouldBeReportedWhenNothingReadsIt(CapturedOutput output) {
		this.runner
			.withPropertyValues("kubernetes.clusters.edge.readiness=true",
					"kubernetes.clusters.west.url=http://localhost:1")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(
				"Cluster 'edge' has an invalid configuration, which is ignored while no informer uses the cluster: "
						+ "The cluster 'edge' is not configured. Looked for: the property 'kubernetes.clusters.edge.url'")
			.doesNotContain("'west'");
	}

	@Test
	void clusterThatIsNowhereShouldFailWhenItIsUsed() {
		this.runner.withPropertyValues("kubernetes.clusters.edge.readiness=true")
			.withBean("podHandler", EdgeHandler.class)
			.run((context) -> assertFails(context,
					"The cluster 'edge' is not configured. Looked for: the property 'kubernetes.clusters.edge.url'",
					"@Qualifier(\"edge\")"));
	}

	@Test
	void nothingOfTheDefaultClusterShouldBeInherited(@TempDir Path directory) throws IOException {
		try (EmbeddedKubernetes here = EmbeddedKubernetes.start()) {
			Path kubeconfig = here.writeKubeconfig(directory.resolve("config"));
			this.runner
				.withPropertyValues("KUBECONFIG=" + kubeconfig, "kubernetes.client.url=" + here.url(),
						"kubernetes.clusters.edge.readiness=true")
				.withBean("podHandler", EdgeHandler.class)
				.run((context) -> assertFails(context, "The cluster 'edge' is not configured"));
		}
	}

	@Test
	void contextAloneShouldBeLookedForInTheDefaultKubeconfig(@TempDir Path directory) throws IOException {
		try (EmbeddedKubernetes edge = EmbeddedKubernetes.start()) {
			edge.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			Path kubeconfig = edge.writeKubeconfig(directory.resolve("config"));
			String current = Files.readString(kubeconfig)
				.replaceFirst("(?s).*current-context: *\"?([^\"\\s]+).*", "$1");
			ApplicationContextRunner withFile = this.runner.withPropertyValues("KUBECONFIG=" + kubeconfig)
				.withBean(EdgeReader.class);
			withFile.withPropertyValues("kubernetes.clusters.edge.context=" + current)
				.run((context) -> await().until(() -> context.getBean(EdgeReader.class).pods.list().size() == 1));
			withFile.withPropertyValues("kubernetes.clusters.edge.context=other")
				.run((context) -> assertFails(context,
						"(from the environment variable 'KUBECONFIG', for 'kubernetes.clusters.edge.context') has no context 'other'",
						"'kubernetes.clusters.edge.kubeconfig'"));
		}
	}

	@Test
	void kubeconfigThatCannotBeReadShouldFailTheStart() {
		this.runner.withPropertyValues("kubernetes.clusters.edge.kubeconfig=/nonexistent/config")
			.withBean(EdgeReader.class)
			.run((context) -> assertFails(context,
					"The kubeconfig '/nonexistent/config' (from the property 'kubernetes.clusters.edge.kubeconfig') does not exist",
					"'kubernetes.clusters.edge.kubeconfig'"));
	}

	@Test
	void credentialPluginThatHangsShouldNotDelayTheStart(@TempDir Path directory) throws IOException {
		Path hanging = Files.createFile(directory.resolve("hanging"));
		// It ends with the directory, and so with the test.
		Path plugin = Files.writeString(directory.resolve("plugin"),
				"#!/bin/sh\nwhile [ -e '%s' ]; do sleep 0.2; done\n".formatted(hanging));
		assertThat(plugin.toFile().setExecutable(true)).isTrue();
		Path kubeconfig = Files.writeString(directory.resolve("config"),
				"""
						apiVersion: v1
						kind: Config
						current-context: far
						contexts: [{ name: far, context: { cluster: far, user: far } }]
						clusters: [{ name: far, cluster: { server: "https://localhost:1" } }]
						users: [{ name: far, user: { exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: %s } } }]
						"""
					.formatted(plugin));
		long began = System.nanoTime();
		this.runner.withPropertyValues("kubernetes.clusters.edge.kubeconfig=" + kubeconfig)
			.withBean("podHandler", EdgeHandler.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
				assertThat(context.getBean(InformerHandlerRegistry.class).get("edge.podHandler").isRunning()).isTrue();
			});
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
	}

	@Test
	void clientThatIsMadeWhileTheContextClosesShouldBeClosed(@TempDir Path directory) throws IOException {
		Path started = directory.resolve("started");
		Path released = directory.resolve("released");
		Path plugin = Files.writeString(directory.resolve("plugin"),
				"""
						#!/bin/sh
						touch '%s'
						while [ ! -e '%s' ]; do sleep 0.1; done
						echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"late"}}'
						"""
					.formatted(started, released));
		assertThat(plugin.toFile().setExecutable(true)).isTrue();
		Path kubeconfig = Files.writeString(directory.resolve("config"),
				"""
						current-context: far
						contexts: [{ name: far, context: { cluster: far, user: far } }]
						clusters: [{ name: far, cluster: { server: "https://localhost:1" } }]
						users: [{ name: far, user: { exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: %s } } }]
						"""
					.formatted(plugin));
		List<ApiClient> made = new CopyOnWriteArrayList<>();
		this.runner.withPropertyValues("kubernetes.clusters.edge.kubeconfig=" + kubeconfig)
			.withBean("podHandler", EdgeHandler.class)
			.withBean(ApiClientCustomizer.class, () -> made::add)
			.run((context) -> {
				await().until(() -> Files.exists(started));
				assertThat(made).isEmpty();
			});
		Files.createFile(released);
		await().untilAsserted(() -> assertThat(made).singleElement()
			.satisfies((client) -> assertThat(client.getHttpClient().dispatcher().executorService().isShutdown())
				.isTrue()));
	}

	@Test
	void environmentVariablesShouldNameClusters() {
		withVariables(Map.of("KUBERNETES_CLUSTERS_EDGE_URL", "http://edge:1", "KUBERNETES_CLUSTERS_EDGE_USERAGENT",
				"me", "KUBERNETES_CLUSTERS_EDGE_INFORMERS_RESOURCES_PODS_LABELSELECTOR", "app=web"))
			.withBean("podHandler", EdgeHandler.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> {
				assertThat(context.getBean(InformerClusters.class).names()).containsExactly("edge");
				ApiClient client = context.getBean("kubernetesApiClient.edge", ApiClient.class);
				assertThat(client.getBasePath()).isEqualTo("http://edge:1");
				assertThat(context.getBean(InformerHandlerRegistry.class).get("edge.podHandler").spec().labelSelector())
					.isEqualTo("app=web");
			});
	}

	@Test
	void environmentVariablesShouldOverrideAFileAlsoWhereTheNameHasADash() {
		withVariables(Map.of("KUBERNETES_CLUSTERS_PRODEU_URL", "http://variable:1"))
			.withPropertyValues("kubernetes.clusters.prod-eu.url=http://file:1",
					"kubernetes.clusters.prod-eu.readiness=true")
			.run((context) -> {
				ClusterRuntimes runtimes = context.getBean(ClusterRuntimes.class);
				assertThat(runtimes.all()).extracting(ClusterRuntime::name).containsExactly("default", "prod-eu");
				assertThat(runtimes.all().get(1).readiness()).isTrue();
				assertThat(context.getBean("kubernetesApiClient.prod-eu", ApiClient.class).getBasePath())
					.isEqualTo("http://variable:1");
			});
	}

	@Test
	void environmentVariablesOfAServiceShouldNameNoCluster() {
		withVariables(Map.of("KUBERNETES_CLUSTERS_PORT", "tcp://10.0.0.1:443", "KUBERNETES_CLUSTERS_SERVICE_HOST",
				"10.0.0.1", "KUBERNETES_CLUSTERS_PORT_443_TCP_ADDR", "10.0.0.1"))
			.run((context) -> assertThat(context.getBean(InformerClusters.class).names()).isEmpty());
	}

	@Test
	void severalClientsOfOneClusterShouldBeRefused() {
		this.runner.withUserConfiguration(TwoClients.class)
			.withPropertyValues("kubernetes.clusters.edge=")
			.run((context) -> assertFails(context, "Cluster 'edge' has 2 beans of type 'ApiClient': 'one', 'two'",
					"@Qualifier(\"edge\")"));
	}

	@Test
	void clustersShouldBeInjectedAlsoWhereInformersAreOff() {
		this.runner
			.withPropertyValues("kubernetes.clusters.edge.url=http://localhost:1", "kubernetes.informers.enabled=false")
			.withBean(EdgeReader.class)
			.run((context) -> {
				assertThat(context.getBean(EdgeReader.class).pods.list()).isEmpty();
				assertThat(context.getBean(InformerClusters.class).get("edge").isRunning()).isFalse();
			});
	}

	@Test
	void childContextShouldShareTheClustersOfItsParent() {
		this.runner.withPropertyValues("kubernetes.clusters.edge.url=http://localhost:1")
			.run((parent) -> this.runner.withParent(parent)
				.withPropertyValues("kubernetes.clusters.edge.url=http://localhost:1",
						"kubernetes.informers.auto-startup=false")
				.withBean("podHandler", EdgeHandler.class)
				.withBean(EdgeReader.class)
				.run((child) -> {
					Informers informers = parent.getBean(InformerClusters.class).get("edge");
					assertThat(child.getBean(InformerClusters.class).get("edge")).isSameAs(informers);
					assertThat(informers.all()).hasSize(1);
					assertThat(child.getBean(InformerHandlerRegistry.class).all()).hasSize(1);
					assertThat(parent.getBean(InformerHandlerRegistry.class).all()).isEmpty();
				}));
	}

	@InformerHandler(cluster = "edge")
	static class EdgeHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class EdgeReader {

		final Lister<V1Pod> pods;

		EdgeReader(@Qualifier("edge") Lister<V1Pod> pods) {
			this.pods = pods;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoClients {

		@Bean(defaultCandidate = false)
		@Qualifier("edge")
		ApiClient one() {
			return new ApiClient();
		}

		@Bean(defaultCandidate = false)
		@Qualifier("edge")
		ApiClient two() {
			return new ApiClient();
		}

	}

}
