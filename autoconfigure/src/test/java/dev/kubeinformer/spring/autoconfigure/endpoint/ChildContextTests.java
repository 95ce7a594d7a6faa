package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of endpoint, health and readiness of an application whose context has a parent,
 * with handlers in both.
 */
@Tag("slow")
class ChildContextTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final HttpClient http = HttpClient.newHttpClient();

	private ConfigurableApplicationContext child;

	@AfterEach
	void close() {
		if (this.child != null) {
			ConfigurableApplicationContext parent = (ConfigurableApplicationContext) this.child.getParent();
			this.child.close();
			parent.close();
		}
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "server", "management" })
	void endpointShouldShowAndSteerTheHandlersOfBothContexts(String port) throws Exception {
		run(port.equals("server") ? "spring.application.name=one" : "management.server.port=0");
		assertThat(get(port, "/actuator/informers").body()).contains("\"id\":\"parentHandler\"",
				"\"id\":\"childHandler\"");
		for (String id : List.of("parentHandler", "childHandler")) {
			ConfigurableApplicationContext owner = id.equals("childHandler") ? this.child
					: (ConfigurableApplicationContext) this.child.getParent();
			await().until(() -> get(port, "/actuator/health/informers/" + id).statusCode() == 200);
			assertThat(get(port, "/actuator/informers/" + id).body()).contains("\"id\":\"" + id + "\"");
			assertThat(post(port, "/actuator/informers/" + id, "{\"action\":\"STOP\"}").statusCode()).isEqualTo(200);
			assertThat(owner.getBean(InformerHandlerRegistry.class).get(id).isRunning()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "pods", "nodes" })
	void readinessShouldWaitForTheHandlersOfBothContexts(String resource) throws Exception {
		this.kubernetes.faults().on(Requests.of(resource)).forbid();
		run();
		assertThat(get("server", "/actuator/health/readiness").statusCode()).isEqualTo(503);
		this.kubernetes.faults().clear();
		await().until(() -> get("server", "/actuator/health/readiness").statusCode() == 200);
	}

	@Test
	void handlersOfAClosedChildShouldBeShownNoMore() {
		run();
		InformersEndpoint endpoint = this.child.getParent().getBean(InformersEndpoint.class);
		assertThat(endpoint.informers().handlers()).extracting((handler) -> handler.id())
			.containsExactly("childHandler", "parentHandler");
		this.child.close();
		assertThat(endpoint.informers().handlers()).extracting((handler) -> handler.id())
			.containsExactly("parentHandler");
	}

	private void run(String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.jmx.enabled=false",
				"--spring.main.banner-mode=off", "--management.endpoint.health.show-components=always",
				"--management.endpoints.web.exposure.include=*", "--management.endpoint.informers.access=unrestricted",
				"--kubernetes.client.url=" + this.kubernetes.url()));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		List.of(InformerContextRunner.NO_CLUSTER).forEach((property) -> arguments.add("--" + property));
		this.child = new SpringApplicationBuilder(ParentConfiguration.class).web(WebApplicationType.NONE)
			.child(ChildConfiguration.class)
			.web(WebApplicationType.SERVLET)
			.run(arguments.toArray(String[]::new));
	}

	private HttpResponse<String> get(String port, String path) throws Exception {
		return send(request(port, path).build());
	}

	private HttpResponse<String> post(String port, String path, String body) throws Exception {
		return send(request(port, path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body))
			.build());
	}

	private HttpRequest.Builder request(String port, String path) {
		String number = this.child.getEnvironment().getRequiredProperty("local." + port + ".port");
		return HttpRequest.newBuilder(URI.create("http://localhost:" + number + path));
	}

	private HttpResponse<String> send(HttpRequest request) throws Exception {
		return this.http.send(request, HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(ParentHandler.class)
	static class ParentConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(ChildHandler.class)
	static class ChildConfiguration {

	}

	@InformerHandler(id = "parentHandler")
	static class ParentHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "childHandler")
	static class ChildHandler {

		@OnAdd
		void added(V1Node node) {
		}

	}

}
