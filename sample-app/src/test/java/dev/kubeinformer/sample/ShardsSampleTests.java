package dev.kubeinformer.sample;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that slots move when a replica of the sample is ended.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.shards.slots=12", "sample.shards.objects=40" })
@ActiveProfiles("shards")
class ShardsSampleTests {

	@LocalServerPort
	private int port;

	@Test
	void slotsOfAnEndedReplicaShouldMoveToTheOthers(@Autowired ShardReplicas replicas) {
		await().until(() -> slots(replicas.state()).equals(List.of(4, 4, 4)));
		await().untilAsserted(() -> assertThat(
				replicas.state().replicas().stream().mapToInt(ShardReplicas.Replica::objects).sum())
			.isEqualTo(40));
		RestClient client = RestClient.create("http://localhost:" + this.port);
		client.post().uri("/shards/replica-b/end").retrieve().toBodilessEntity();
		await().until(() -> slots(replicas.state()).equals(List.of(6, 0, 6)));
		assertThat(client.get().uri("/shards").retrieve().body(String.class)).contains("\"running\":false");
		client.post().uri("/shards/replica-b/start").retrieve().toBodilessEntity();
		await().until(() -> slots(replicas.state()).equals(List.of(4, 4, 4)));
		assertThat(client.get().uri("/shards.html").retrieve().body(String.class)).contains("Shards that move");
	}

	private static List<Integer> slots(ShardReplicas.State state) {
		return state.replicas().stream().map((replica) -> replica.slots().size()).toList();
	}

}
