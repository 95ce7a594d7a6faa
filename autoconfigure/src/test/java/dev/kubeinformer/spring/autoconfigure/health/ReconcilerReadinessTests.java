package dev.kubeinformer.spring.autoconfigure.health;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the readiness of a running web application with a reconciler.
 */
class ReconcilerReadinessTests {

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
	void readinessShouldWaitForTheCachesOfAReconcilerOnceAndLivenessNever() throws Exception {
		run();
		assertThat(status("readiness")).isEqualTo(503);
		assertThat(status("informers/podReconciler")).isEqualTo(503);
		assertThat(status("liveness")).isEqualTo(200);
		reach(ReconcilerState.ACTIVE, true);
		await().until(() -> status("readiness") == 200);
		this.reconciler().failing(3);
		assertThat(status("readiness")).isEqualTo(200);
		// Started again: its caches are filled anew.
		reach(ReconcilerState.SYNCING, false);
		assertThat(status("informers/podReconciler")).isEqualTo(503);
		assertThat(status("readiness")).isEqualTo(200);
		assertThat(status("liveness")).isEqualTo(200);
	}

	@Test
	void readinessShouldWaitForTheFirstWatchOfASource() throws Exception {
		this.kubernetes.faults().on(Requests.watch("pods")).forbid();
		run("--kubernetes.informers.watch.list=paged");
		reach(ReconcilerState.ACTIVE, true);
		assertThat(status("readiness")).isEqualTo(503);
		this.kubernetes.faults().clear();
		await().until(() -> status("readiness") == 200);
	}

	@Test
	void stoppedReconcilerShouldNotKeepTheApplicationFromBeingReady() throws Exception {
		run();
		reconciler().state(ReconcilerState.STOPPED);
		assertThat(status("readiness")).isEqualTo(200);
	}

	private void reach(ReconcilerState state, boolean synced) {
		reconciler().synced(synced)
			.reach(state, this.context.getBeanProvider(ReconcilerListener.class).stream().toList());
	}

	private FakeReconciler reconciler() {
		return (FakeReconciler) this.context.getBean(ReconcilerRegistry.class).get("podReconciler");
	}

	private void run(String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.jmx.enabled=false",
				"--spring.main.banner-mode=off", "--kubernetes.client.url=" + this.kubernetes.url(),
				"--management.endpoint.health.show-components=always"));
		arguments.addAll(List.of(properties));
		List.of(InformerContextRunner.NO_CLUSTER).forEach((property) -> arguments.add("--" + property));
		this.context = new SpringApplication(WebConfiguration.class).run(arguments.toArray(String[]::new));
	}

	private int status(String group) throws Exception {
		String port = this.context.getEnvironment().getProperty("local.server.port");
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://localhost:" + port + "/actuator/health/" + group))
			.build();
		return this.http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WebConfiguration {

		@Bean
		ReconcilerRegistry reconcilerRegistry() {
			return FakeReconciler.registry(FakeReconciler.ofPods("podReconciler")
				.state(ReconcilerState.SYNCING)
				.sources(new ReconcilerSource("pods", "pods", ReconcilerSource.Role.PRIMARY, InformerState.SYNCING,
						Instant.EPOCH, false, null, null)));
		}

		@Bean
		PodReader podReader(Lister<V1Pod> pods) {
			return new PodReader();
		}

	}

	static class PodReader {

	}

}
