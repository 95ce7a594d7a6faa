package dev.kubeinformer.sample.page;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.ActiveProfiles;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page with the profile for a real cluster, in which nothing may be broken.
 */
@Tag("slow")
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@ActiveProfiles("cluster")
class ClusterPageTests {

	@LocalServerPort
	private int port;

	@Test
	void onlyWhatIsAboutTheApplicationShouldBePossible() throws Exception {
		URI uri = URI.create("http://localhost:%d/experiments".formatted(this.port));
		HttpResponse<String> answer = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
		assertThat(answer.body().replaceAll("[\\[\\]\"]", "").split(",")).containsExactlyInAnyOrder("slow-handler",
				"throwing-handler", "hopeless-handler");
	}

	/** Stand-in for the real cluster. */
	@TestConfiguration(proxyBeanMethods = false)
	static class Cluster {

		@Bean
		EmbeddedKubernetes cluster() {
			return EmbeddedKubernetes.start();
		}

		@Bean
		ApiClient clusterClient(EmbeddedKubernetes cluster) {
			return new ClientBuilder().setBasePath(cluster.url()).build();
		}

	}

}
