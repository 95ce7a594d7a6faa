package dev.kubeinformer.spring.test.docs.clusters;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.awaitility.Awaitility.await;

/**
 * The test of the page about clusters.
 */
@SpringBootTest
@EmbeddedKubernetesTest(clusters = { "edge", "west" })
class FleetHandlerTests {

	@Test
	void podsOfBothClustersAreSeen(@Qualifier("edge") EmbeddedKubernetes edge,
			@Qualifier("west") EmbeddedKubernetes west, @Autowired FleetHandler handler) {
		V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().namespace("default").name("one"));
		edge.resources(V1Pod.class).create(pod);
		west.resources(V1Pod.class).create(pod);
		await().until(() -> handler.seen().contains("edge: one") && handler.seen().contains("west: one"));
	}

}
