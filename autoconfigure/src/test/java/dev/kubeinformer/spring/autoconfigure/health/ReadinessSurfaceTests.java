package dev.kubeinformer.spring.autoconfigure.health;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of readiness on each kind of web server, and of what users set about its group.
 */
@Tag("slow")
class ReadinessSurfaceTests {

	private static final String GROUP = "management.endpoint.health.group.readiness.";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		if (this.context != null) {
			this.context.close();
		}
		this.kubernetes.close();
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void readinessShouldWaitForSyncOnBothWebStacks(WebApplicationType type) throws Exception {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		run(type, "management.endpoint.health.probes.add-additional-paths=true");
		assertThat(status("/actuator/health/readiness")).isEqualTo(503);
		assertThat(status("/readyz")).isEqualTo(503);
		assertThat(status("/actuator/health/informers")).isEqualTo(503);
		assertThat(status("/actuator/health/informers/nodes")).isIn(200, 503);
		assertThat(status("/actuator/health/liveness")).isEqualTo(200);
		assertThat(status("/livez")).isEqualTo(200);
		this.kubernetes.faults().clear();
		await().until(() -> status("/readyz") == 200);
		assertThat(status("/actuator/health/readiness")).isEqualTo(200);
	}

	@Test
	void readinessOnAPortOfItsOwnShouldWaitForSync() throws Exception {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		run(WebApplicationType.SERVLET, "management.server.port=0",
				"management.endpoint.health.probes.add-additional-paths=true");
		String management = this.context.getEnvironment().getRequiredProperty("local.management.port");
		assertThat(status(management, "/actuator/health/readiness")).isEqualTo(503);
		assertThat(status("/readyz")).isEqualTo(503);
		assertThat(status("/livez")).isEqualTo(200);
		this.kubernetes.faults().clear();
		await().until(() -> status("/readyz") == 200);
		assertThat(status(management, "/actuator/health/readiness")).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.health.informers.enabled=false",
			"kubernetes.informers.handlers.podHandler.auto-startup=false",
			"kubernetes.informers.resources.pods.readiness=false", "kubernetes.informers.health.readiness=false",
			"kubernetes.informers.enabled=false", GROUP + "exclude=informers", GROUP + "exclude=informers/podHandler",
			GROUP + "exclude[0]=informers", GROUP + "include=readinessState", GROUP + "include[0]=readinessState",
			GROUP + "include=readinessState,informers/nodes" })
	void readinessShouldNotWaitForWhatDoesNotCount(String property) throws Exception {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		run(WebApplicationType.SERVLET, property);
		await().until(() -> status("/actuator/health/readiness") == 200);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { GROUP + "include=readinessState,informers | 503", GROUP + "include[0]=informers | 503",
					GROUP + "include=* | 503", GROUP + "include=informers/podHandler | 503",
					GROUP + "exclude=diskSpace | 503" })
	void readinessShouldWaitForWhatCounts(String property, int status) throws Exception {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		run(WebApplicationType.SERVLET, property);
		assertThat(status("/actuator/health/readiness")).isEqualTo(status);
	}

	@Test
	void listerWhoseInformerHasOnlyHandlersThatDoNotStartShouldBeWaitedFor() throws Exception {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		run(WebApplicationType.SERVLET, List.of(NodeHandler.class),
				"kubernetes.informers.handlers.nodeHandler.auto-startup=false");
		assertThat(status("/actuator/health/readiness")).isEqualTo(503);
		this.kubernetes.faults().clear();
		await().until(() -> status("/actuator/health/readiness") == 200);
	}

	@Test
	void groupsOfUsersShouldHaveTheMembersThatTheyName() throws Exception {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		run(WebApplicationType.SERVLET, "management.endpoint.health.group.caches.include=informers",
				"management.endpoint.health.group.other.include=ping");
		await().until(() -> status("/actuator/health/caches") == 503);
		assertThat(status("/actuator/health/other")).isEqualTo(200);
	}

	@Test
	void handlerThatIsPausedOrStoppedShouldNotMakeReadinessFail() throws Exception {
		run(WebApplicationType.SERVLET);
		await().until(() -> status("/actuator/health/readiness") == 200);
		InformerHandlerContainer handler = this.context.getBean(InformerHandlerRegistry.class).get("podHandler");
		handler.pause();
		assertThat(status("/actuator/health/readiness")).isEqualTo(200);
		handler.stop();
		assertThat(status("/actuator/health/readiness")).isEqualTo(200);
		assertThat(status("/actuator/health/informers/podHandler")).isEqualTo(200);
	}

	private void run(WebApplicationType type, String... properties) {
		run(type, List.of(), properties);
	}

	private void run(WebApplicationType type, List<Class<?>> more, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.jmx.enabled=false",
				"--spring.main.banner-mode=off", "--management.endpoint.health.show-components=always",
				"--kubernetes.client.url=" + this.kubernetes.url()));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		List.of(InformerContextRunner.NO_CLUSTER).forEach((property) -> arguments.add("--" + property));
		SpringApplication application = new SpringApplication(WebConfiguration.class, PodHandler.class,
				NodeReader.class);
		application.addPrimarySources(more);
		application.setWebApplicationType(type);
		this.context = application.run(arguments.toArray(String[]::new));
	}

	private int status(String path) throws Exception {
		return status(this.context.getEnvironment().getRequiredProperty("local.server.port"), path);
	}

	private int status(String port, String path) throws Exception {
		// On a connection of its own: Reactor Netty may lose a request that comes while
		// it ends the one before.
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
					HttpResponse.BodyHandlers.discarding())
			.statusCode();
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

	@InformerHandler(id = "nodeHandler")
	static class NodeHandler {

		@OnAdd
		void added(V1Node node) {
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

}
