package com.example.clusters;

import java.util.Map;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole application on two Kubernetes API servers in memory.
 */
@SpringBootTest
@EmbeddedKubernetesTest(clusters = { "east", "west" })
@ExtendWith(OutputCaptureExtension.class)
class FleetHandlerTests {

	@Test
	void podsOfBothClustersAreSeen(@Qualifier("east") EmbeddedKubernetes east,
			@Qualifier("west") EmbeddedKubernetes west, @Autowired Fleet fleet, CapturedOutput output) {
		V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name("web-1"));
		east.resources(V1Pod.class).create(pod);
		west.resources(V1Pod.class).create(pod);
		await().untilAsserted(() -> assertThat(fleet.pods()).isEqualTo(Map.of("east", 1, "west", 1)));
		await().until(() -> output.getOut().contains("east has the pod shop/web-1")
				&& output.getOut().contains("west has the pod shop/web-1"));
		west.resources(V1Pod.class).delete("shop", "web-1");
		await().until(() -> output.getOut().contains("west has the pod shop/web-1 no more"));
		assertThat(fleet.pods()).isEqualTo(Map.of("east", 1, "west", 0));
	}

}
