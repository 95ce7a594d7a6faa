package dev.kubeinformer.sample.page;

import java.time.Duration;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the demonstration with two more clusters.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.activity.delay=100ms", "sample.activity.period=100ms" })
@Tag("slow")
@ActiveProfiles("clusters")
@Timeout(120)
class ClustersPageTests {

	@LocalServerPort
	private int port;

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	@Qualifier("hub")
	private EmbeddedKubernetes hub;

	@Autowired
	@Qualifier("edge")
	private EmbeddedKubernetes edge;

	@Autowired
	private InformerClusters clusters;

	@Test
	void eventsOfEachClusterShouldNameIt() throws Exception {
		for (String cluster : new String[] { "hub", "edge" }) {
			try (LiveStream stream = LiveStream.open(this.port, 0)) {
				LiveStream.Received row = stream.next("row");
				while (!row.data().contains("\"shop/till-0\",\"note\":\"in cluster " + cluster + "\"")) {
					row = stream.next("row");
				}
				assertThat(row.data()).contains("\"source\":\"" + cluster + ".clusterPodHandler\"");
			}
		}
	}

	@Test
	void informersOfEachClusterShouldBeShown() throws Exception {
		try (LiveStream stream = LiveStream.open(this.port, 0)) {
			assertThat(stream.next("state").data()).contains("\"id\":\"edge.pods\",\"cluster\":\"edge\"",
					"\"id\":\"hub.pods\",\"cluster\":\"hub\"", "\"id\":\"pods\",\"cluster\":\"default\"",
					"\"id\":\"edge.clusterPodHandler\"", "\"leader\":null");
		}
	}

	@Test
	void podOfOneClusterShouldBeInThatCacheOnly() {
		pod(this.hub, "only-hub");
		pod(this.edge, "only-edge");
		pod(this.kubernetes, "only-default");
		await().untilAsserted(() -> {
			assertThat(pods("hub")).contains("only-hub", "redis-0").doesNotContain("only-edge", "only-default");
			assertThat(pods("edge")).contains("only-edge", "redis-0").doesNotContain("only-hub", "only-default");
			assertThat(pods(InformerClusters.DEFAULT)).contains("only-default").doesNotContain("only-hub", "only-edge");
		});
	}

	private static void pod(EmbeddedKubernetes cluster, String name) {
		cluster.resources(V1Pod.class).create(new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name(name)));
	}

	private Iterable<String> pods(String cluster) {
		Informers informers = this.clusters.get(cluster);
		Informer<V1Pod> pods = informers.informer(V1Pod.class);
		assertThat(pods.cluster()).isEqualTo(cluster);
		return pods.getIndexer().list().stream().map((pod) -> pod.getMetadata().getName()).toList();
	}

	@Test
	void stoppedClusterShouldLeaveTheOthersLive() {
		this.edge.stopServing();
		try {
			await().atMost(Duration.ofSeconds(30)).until(() -> state("edge").equals("STALE"));
			assertThat(state("hub")).isEqualTo("LIVE");
			assertThat(state(InformerClusters.DEFAULT)).isEqualTo("LIVE");
		}
		finally {
			this.edge.resumeServing();
		}
		await().atMost(Duration.ofSeconds(60)).until(() -> state("edge").equals("LIVE"));
	}

	private String state(String cluster) {
		return this.clusters.get(cluster).informer(V1Pod.class).status().state().name();
	}

}
