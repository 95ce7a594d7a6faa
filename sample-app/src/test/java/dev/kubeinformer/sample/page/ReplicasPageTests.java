package dev.kubeinformer.sample.page;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.LeaderControls;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the demonstration with an election of a leader.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.revoke-leadership.time=15s", "kubernetes.leader.retry-period=500ms" })
@Tag("slow")
@ActiveProfiles("replicas")
@Timeout(120)
class ReplicasPageTests {

	@LocalServerPort
	private int port;

	@Autowired
	private Leadership leadership;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Test
	void anotherReplicaThatLeadsShouldBeShownUntilItLetsGo() throws Exception {
		await().until(this.leadership::isLeader);
		assertThat(this.kubernetes.leader().holder("default", "informer-sample")).isEqualTo(this.leadership.holder());
		try (LiveStream stream = LiveStream.open(this.port, 0)) {
			awaitState(stream, "\"leader\":{\"lease\":\"default/informer-sample\",\"state\":\"LEADING\"");
			await().until(() -> reconcilerState() == ReconcilerState.ACTIVE);
			assertThat(send(HttpRequest.newBuilder(uri("experiments/revoke-leadership"))
				.POST(HttpRequest.BodyPublishers.noBody())).statusCode()).isEqualTo(200);
			// Only a standby says that.
			awaitState(stream, "\"holder\":\"" + LeaderControls.RIVAL + "\",\"own\":false,\"term\":null");
			assertThat(this.leadership.isLeader()).isFalse();
			await().until(() -> reconcilerState() == ReconcilerState.STANDBY);
			awaitState(stream, "\"state\":\"LEADING\"");
			await().until(() -> reconcilerState() == ReconcilerState.ACTIVE);
		}
	}

	@Test
	void experimentsWithTheLeaderShouldBePossible() throws Exception {
		assertThat(send(HttpRequest.newBuilder(uri("experiments"))).body()).contains("\"yield-leadership\"",
				"\"revoke-leadership\"");
	}

	private ReconcilerState reconcilerState() {
		return this.reconcilers.get("fooReconciler").status().state();
	}

	// The leader is the last in the state.
	private static void awaitState(LiveStream stream, String text) throws Exception {
		String data = stream.next("state").data();
		while (!data.substring(data.indexOf("\"leader\":")).contains(text)) {
			data = stream.next("state").data();
		}
	}

	private URI uri(String path) {
		return URI.create("http://localhost:%d/%s".formatted(this.port, path));
	}

	private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}
