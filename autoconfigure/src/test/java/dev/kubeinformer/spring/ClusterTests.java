package dev.kubeinformer.spring;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests of running applications on a real kube-apiserver.
 */
@RequiresCluster
class ClusterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final HttpClient http = HttpClient.newHttpClient();

	@Test
	void readinessShouldWaitUntilTheLastAddOfAllPodsHasReturned(Path kubeconfig) throws Exception {
		int expected = count(kubeconfig);
		assumeTrue(expected > 0, "The cluster has no pods");
		try (ConfigurableApplicationContext context = run(Pods.class, WebApplicationType.SERVLET,
				"--kubernetes.client.kubeconfig=" + kubeconfig)) {
			BlockingPodHandler handler = context.getBean(BlockingPodHandler.class);
			await().atMost(LONG)
				.until(() -> readiness(context).body().contains("\"pendingInitial\":1,") && handler.blocked());
			await().atMost(LONG).until(() -> readiness(context).body().contains("\"state\":\"LIVE\""));
			assertThat(readiness(context).statusCode()).isEqualTo(503);
			assertThat(readiness(context).body()).contains("OUT_OF_SERVICE");
			handler.release.countDown();
			await().atMost(LONG).until(() -> readiness(context).statusCode() == 200);
			assertThat(handler.adds.get()).isEqualTo(expected);
			assertThat(handler.keys).hasSize(expected);
		}
	}

	@Test
	void tenContextsShouldLeaveNoThreadAndNoConnection(Path kubeconfig) throws Exception {
		URI server = URI.create(client(kubeconfig).getBasePath());
		try (FaultProxy network = FaultProxy.to(server.getHost(), server.getPort())) {
			Path proxied = Files.createTempFile("kubeconfig", ".yaml");
			try {
				Files.writeString(proxied, Files.readString(kubeconfig)
					.replace("%s:%d".formatted(server.getHost(), server.getPort()), "127.0.0.1:" + network.port()));
				for (int i = 0; i < 10; i++) {
					try (ConfigurableApplicationContext context = run(Namespaces.class, WebApplicationType.NONE,
							"--kubernetes.client.kubeconfig=" + proxied)) {
						InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class)
							.get("namespaceHandler");
						assertThat(container.awaitSync(LONG)).isTrue();
						await().until(() -> !context.getBean(ConfigMapReader.class).configMaps().list().isEmpty());
					}
				}
			}
			finally {
				Files.delete(proxied);
			}
			assertThat(network.accepted()).isGreaterThanOrEqualTo(10);
			await().until(() -> network.connections() == 0);
			await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("informer") || name.startsWith("OkHttp http")));
		}
	}

	private static ConfigurableApplicationContext run(Class<?> source, WebApplicationType type, String... arguments) {
		SpringApplication application = new SpringApplication(source);
		application.setWebApplicationType(type);
		String[] all = new String[arguments.length + 3];
		System.arraycopy(arguments, 0, all, 0, arguments.length);
		all[arguments.length] = "--server.port=0";
		all[arguments.length + 1] = "--management.endpoint.health.group.readiness.show-details=always";
		all[arguments.length + 2] = "--management.endpoint.health.group.readiness.include=readinessState,informers";
		return application.run(all);
	}

	private HttpResponse<String> readiness(ConfigurableApplicationContext context)
			throws IOException, InterruptedException {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		return this.http.send(
				HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/health/readiness")).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	private static int count(Path kubeconfig) throws Exception {
		CoreV1Api core = new CoreV1Api(client(kubeconfig));
		var page = core.listPodForAllNamespaces().limit(1).execute();
		Long remaining = page.getMetadata().getRemainingItemCount();
		return page.getItems().size() + ((remaining != null) ? remaining.intValue() : 0);
	}

	private static ApiClient client(Path kubeconfig) throws IOException {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Pods {

		@Bean
		BlockingPodHandler podHandler() {
			return new BlockingPodHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Namespaces {

		@Bean
		NamespaceHandler namespaceHandler() {
			return new NamespaceHandler();
		}

		@Bean
		ConfigMapReader configMapReader(Lister<V1ConfigMap> configMaps) {
			return new ConfigMapReader(configMaps);
		}

	}

	/**
	 * Blocks on the first pod that it meets, while three others go on.
	 */
	@InformerHandler(concurrency = "4")
	static class BlockingPodHandler {

		private final AtomicInteger adds = new AtomicInteger();

		private final AtomicInteger waiting = new AtomicInteger();

		private final Set<String> keys = ConcurrentHashMap.newKeySet();

		private final CountDownLatch release = new CountDownLatch(1);

		@OnAdd
		void added(ResourceEvent<V1Pod> event) throws InterruptedException {
			if (this.waiting.incrementAndGet() == 1) {
				this.release.await();
			}
			var metadata = event.object().getMetadata();
			this.keys.add(metadata.getNamespace() + "/" + metadata.getName());
			this.adds.incrementAndGet();
		}

		boolean blocked() {
			return this.waiting.get() > this.adds.get();
		}

	}

	@InformerHandler
	static class NamespaceHandler {

		@OnAdd
		void added(V1Namespace namespace) {
		}

	}

	record ConfigMapReader(Lister<V1ConfigMap> configMaps) {

	}

}
