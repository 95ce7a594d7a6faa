package dev.kubeinformer.spring.autoconfigure.health;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.ApiUser;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the readiness of a running web application.
 */
class ReadinessTests {

	private static final String[] SHOWN = { "management.endpoint.health.group.readiness.exclude=diskSpace,ping,ssl",
			"management.endpoint.health.group.readiness.show-details=always",
			"management.endpoint.health.group.readiness.show-components=always" };

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final HttpClient http = HttpClient.newHttpClient();

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		if (this.context != null) {
			this.context.close();
		}
		this.kubernetes.close();
	}

	@Test
	void readinessShouldWaitUntilTheLastAddHasReturned() throws Exception {
		this.kubernetes.resources(V1Pod.class).fill(20, (i) -> TestObjects.pod("web", "p" + i));
		run(BlockingHandler.class, SHOWN);
		BlockingHandler handler = this.context.getBean(BlockingHandler.class);
		handler.blocked.await();
		await().until(() -> get("readiness").body().contains("\"pendingInitial\":1"));
		assertThat(get("readiness").statusCode()).isEqualTo(503);
		assertThat(get("readiness").body()).contains("\"status\":\"OUT_OF_SERVICE\"", "\"blockingHandler\"");
		assertThat(get("liveness").statusCode()).isEqualTo(200);
		handler.release.countDown();
		await().until(() -> get("readiness").statusCode() == 200);
		assertThat(get("readiness").body()).contains("\"blockingHandler\":{\"details\"", "\"synced\":true");
	}

	@Test
	void readinessShouldCountInformersByItself() throws Exception {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		run(NodeReader.class);
		assertThat(get("readiness").statusCode()).isEqualTo(503);
		assertThat(get("liveness").statusCode()).isEqualTo(200);
		this.kubernetes.faults().clear();
	}

	@ParameterizedTest
	@ValueSource(strings = { "informers", "readinessState,informers", "readinessState,informers/podHandler" })
	void informersThatAreDisabledMayBeIncluded(String include) throws Exception {
		run(PodHandler.class, "kubernetes.informers.enabled=false",
				"management.endpoint.health.group.readiness.include=" + include);
		assertThat(get("readiness").statusCode()).isEqualTo(200);
	}

	@Test
	void readinessShouldStayUpWhenTheServerIsGone() throws Exception {
		run(PodHandler.class);
		await().until(() -> get("readiness").statusCode() == 200);
		this.kubernetes.stopServing();
		await().until(() -> get("informers/podHandler").body().contains("STALE"));
		assertThat(get("readiness").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "paged", "auto" })
	void readinessShouldWaitForTheFirstWatchAndStayUpWhenItIsForbiddenAgain(String mode) throws Exception {
		try (EmbeddedKubernetes cluster = EmbeddedKubernetes.builder().user("shop", "token").start()) {
			ApiUser user = cluster.user("shop").allow("list", "pods,nodes");
			run(cluster.url(), Both.class, "kubernetes.client.token=" + user.token(),
					"kubernetes.informers.watch.list=" + mode);
			InformerHandlerContainer handler = this.context.getBean(InformerHandlerRegistry.class).get("both");
			await().until(() -> handler.hasSynced() && get("informers/both").body().contains("\"FORBIDDEN\""));
			await().until(() -> get("informers/nodes").body().contains("\"FORBIDDEN\""));
			for (String name : List.of("both", "nodes")) {
				assertThat(get("informers/" + name).body()).contains("\"status\":\"DOWN\"", "\"verb\":\"watch\"",
						"\"synced\":true", "verbs: [\\\"list\\\", \\\"watch\\\"]");
			}
			assertThat(get("readiness").statusCode()).isEqualTo(503);
			assertThat(get("liveness").statusCode()).isEqualTo(200);
			user.allow("watch", "pods,nodes");
			await().until(() -> get("readiness").statusCode() == 200);
			assertThat(get("informers").body()).contains("\"status\":\"UP\"");
			restartWithout(user, handler);
			assertThat(get("informers/both").statusCode()).isEqualTo(503);
			assertThat(get("readiness").statusCode()).isEqualTo(200);
		}
	}

	private void restartWithout(ApiUser user, InformerHandlerContainer handler) throws Exception {
		this.context.getBean(Informers.class).stop();
		user.revoke("watch", "pods,nodes");
		this.context.getBean(Informers.class).start();
		await().until(() -> handler.hasSynced() && get("informers/both").body().contains("\"FORBIDDEN\""));
	}

	@Test
	void readinessShouldStayUpWhenASyncedHandlerStartsAgain() throws Exception {
		run(BlockingHandler.class, SHOWN);
		await().until(() -> get("readiness").statusCode() == 200);
		InformerHandlerContainer container = this.context.getBean(InformerHandlerRegistry.class).get("blockingHandler");
		container.stop();
		this.kubernetes.resources(V1Pod.class).fill(20, (i) -> TestObjects.pod("web", "p" + i));
		await().until(() -> this.context.getBean(Informers.class).snapshot(V1Pod.class).size() == 20);
		container.start();
		this.context.getBean(BlockingHandler.class).blocked.await();
		assertThat(get("informers/blockingHandler").statusCode()).isEqualTo(503);
		assertThat(get("readiness").statusCode()).isEqualTo(200);
		this.context.getBean(BlockingHandler.class).release.countDown();
	}

	@Test
	void readinessShouldStayUpWhenInformersStartAgainAndNoProbeCameBetween() throws Exception {
		run(NodeReader.class);
		restart("nodes", this.context.getBean(Informers.class).informer(V1Node.class)::hasSynced);
		await().until(() -> get("informers/nodes").statusCode() == 503);
		assertThat(get("readiness").statusCode()).isEqualTo(200);
	}

	@Test
	void readinessShouldStayUpWhenInformersOfHandlersStartAgainAndNoProbeCameBetween() throws Exception {
		run(PodHandler.class);
		InformerHandlerContainer container = this.context.getBean(InformerHandlerRegistry.class).get("podHandler");
		restart("pods", container::hasSynced);
		await().until(() -> get("informers/podHandler").statusCode() == 503);
		assertThat(get("readiness").statusCode()).isEqualTo(200);
		container.stop();
		container.start();
		assertThat(container.status().sync().everSynced()).isTrue();
		assertThat(container.wasSynced()).isTrue();
		assertThat(get("readiness").statusCode()).isEqualTo(200);
	}

	private void restart(String resource, Callable<Boolean> synced) {
		await().until(synced);
		Informers informers = this.context.getBean(Informers.class);
		informers.stop();
		this.kubernetes.faults().on(Requests.of(resource)).forbid();
		informers.start();
	}

	@Test
	void readinessShouldNotCountWhatComesLater() throws Exception {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		run(LateReader.class);
		assertThat(get("readiness").statusCode()).isEqualTo(200);
		this.context.getBean(LateReader.class).nodes.getObject();
		await().until(() -> get("informers/nodes").statusCode() == 503);
		assertThat(get("readiness").statusCode()).isEqualTo(200);
	}

	@Test
	void readinessShouldNotCountHandlersThatAreExempt() throws Exception {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		run(PodHandler.class, "kubernetes.informers.handlers.podHandler.readiness=false");
		await().until(() -> get("informers/podHandler").statusCode() == 503);
		assertThat(get("readiness").statusCode()).isEqualTo(200);
	}

	@Test
	void readinessShouldNotCountInformersThatAreStartedByHand() throws Exception {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		run(PodHandler.class, "kubernetes.informers.auto-startup=false");
		this.context.getBean(Informers.class).start();
		await().until(() -> get("informers/podHandler").statusCode() == 503);
		assertThat(get("readiness").statusCode()).isEqualTo(200);
	}

	@Test
	void readinessShouldStayUpWhenTheContextStartsAgain() throws Exception {
		run(BlockingHandler.class, SHOWN);
		this.kubernetes.resources(V1Pod.class).fill(10, (i) -> TestObjects.pod("web", "p" + i));
		BlockingHandler handler = this.context.getBean(BlockingHandler.class);
		await().until(() -> handler.calls.get() == 10);
		this.context.stop();
		this.context.start();
		handler.blocked.await();
		assertThat(get("informers/blockingHandler").statusCode()).isEqualTo(503);
		assertThat(get("readiness").body()).doesNotContain("blockingHandler");
		handler.release.countDown();
	}

	@Test
	void readinessWhenProbesAreOffShouldBeAbsent() throws Exception {
		run(PodHandler.class, "management.endpoint.health.probes.enabled=false");
		assertThat(get("readiness").statusCode()).isEqualTo(404);
	}

	private void run(Class<?> bean, String... properties) {
		run(this.kubernetes.url(), bean, properties);
	}

	private void run(String url, Class<?> bean, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.jmx.enabled=false",
				"--spring.main.banner-mode=off", "--management.endpoint.health.show-details=always",
				"--management.endpoint.health.show-components=always", "--kubernetes.client.url=" + url));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		List.of(InformerContextRunner.NO_CLUSTER).forEach((property) -> arguments.add("--" + property));
		this.context = new SpringApplication(WebConfiguration.class, bean).run(arguments.toArray(String[]::new));
	}

	private HttpResponse<String> get(String group) throws Exception {
		return request("/actuator/health/" + group);
	}

	private HttpResponse<String> request(String path) throws Exception {
		String port = this.context.getEnvironment().getProperty("local.server.port");
		return this.http.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WebConfiguration {

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "both")
	static class Both {

		Both(Lister<V1Node> nodes) {
		}

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	/**
	 * Blocks on its twentieth addition.
	 */
	@InformerHandler(id = "blockingHandler")
	static class BlockingHandler {

		private final AtomicInteger calls = new AtomicInteger();

		private final CountDownLatch blocked = new CountDownLatch(1);

		private final CountDownLatch release = new CountDownLatch(1);

		@OnAdd
		void added(V1Pod pod) throws InterruptedException {
			if (this.calls.incrementAndGet() == 20) {
				this.blocked.countDown();
				this.release.await();
			}
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

	static class LateReader {

		private final ObjectProvider<Lister<V1Node>> nodes;

		LateReader(ObjectProvider<Lister<V1Node>> nodes) {
			this.nodes = nodes;
		}

	}

}
