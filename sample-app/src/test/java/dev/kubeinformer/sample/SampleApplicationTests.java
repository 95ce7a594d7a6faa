package dev.kubeinformer.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import io.kubernetes.client.openapi.models.V1Deployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the demonstration shows what it promises.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.activity.delay=100ms", "sample.activity.period=100ms", "sample.simulator.period=100ms",
				"kubernetes.informers.handlers.podHandler.resync=500ms" })
@ExtendWith(OutputCaptureExtension.class)
class SampleApplicationTests {

	@LocalServerPort
	private int port;

	@Test
	void sampleShouldTellWhatHappensAndBecomeReady(CapturedOutput output) throws Exception {
		await().until(() -> readiness().statusCode() == 200);
		assertThat(readiness().body()).contains("\"podHandler\"", "\"nodeHandler\"", "\"synced\":true");
		await()
			.untilAsserted(() -> assertThat(output).containsPattern("ADDED   blog/wordpress-\\S+ +Pending +on node-1")
				.containsPattern("CHANGED blog/wordpress-\\S+ +Running +on node-1 in zone zone-a \\(was Pending\\)")
				.contains("DELETED blog/mysql-0")
				.containsPattern("RESYNC  shop/mysql-0 +Running +on node-3 in zone zone-c"));
	}

	@Test
	void metersShouldBeThereForPrometheus() {
		await().untilAsserted(() -> assertThat(get("prometheus").body())
			.contains("kubernetes_informer_handler_seconds_count{", "kubernetes_informer_synced{"));
	}

	@Test
	void foosShouldHaveDeploymentsThatBecomeAvailable(@Autowired EmbeddedKubernetes kubernetes) {
		await().untilAsserted(() -> assertThat(DemoCluster.foos(kubernetes).list()).hasSize(3).allSatisfy((foo) -> {
			assertThat(foo.getStatus()).isNotNull();
			assertThat(foo.getStatus().getAvailableReplicas()).isPositive();
		}));
		assertThat(kubernetes.resources(V1Deployment.class).list()).hasSize(3)
			.allSatisfy((deployment) -> assertThat(deployment.getMetadata().getOwnerReferences()).hasSize(1));
	}

	@Test
	void otherMachinesShouldNotReachIt(@Autowired ServerProperties server) {
		assertThat(server.getAddress().isLoopbackAddress()).isTrue();
	}

	private HttpResponse<String> readiness() throws Exception {
		return get("health/readiness");
	}

	private HttpResponse<String> get(String endpoint) throws Exception {
		URI uri = URI.create("http://localhost:%d/actuator/%s".formatted(this.port, endpoint));
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
	}

}
