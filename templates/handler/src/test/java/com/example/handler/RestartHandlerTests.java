package com.example.handler;

import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1NodeSystemInfo;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.client.RestClient;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole application on a Kubernetes API server in memory.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@EmbeddedKubernetesTest
@ExtendWith(OutputCaptureExtension.class)
class RestartHandlerTests {

	@LocalServerPort
	private int port;

	@Test
	void restartIsReported(ApiResources<V1Node> nodes, ApiResources<V1Pod> pods, CapturedOutput output) {
		nodes.create(new V1Node().metadata(new V1ObjectMeta().name("node-1"))
			.status(new V1NodeStatus().nodeInfo(new V1NodeSystemInfo().kubeletVersion("v1.36.3"))));
		pods.create(pod(0));
		await().untilAsserted(() -> assertThat(get("/restarts/shop")).isEqualTo("{\"web-1\":0}"));
		pods.update(pod(2));
		await().until(() -> output.getOut().contains("shop/web-1 was restarted 2 times, kubelet v1.36.3"));
		assertThat(get("/restarts/shop")).isEqualTo("{\"web-1\":2}");
		pods.delete("shop", "web-1");
		await().until(() -> output.getOut().contains("shop/web-1 is gone after 2 restarts"));
	}

	@Test
	void applicationIsReadyWhenEveryPodWasHandled() {
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(get("/actuator/health/readiness")).isEqualTo("{\"status\":\"UP\"}"));
	}

	private String get(String path) {
		return RestClient.create("http://localhost:" + this.port).get().uri(path).retrieve().body(String.class);
	}

	private static V1Pod pod(int restarts) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name("web-1"))
			.spec(new V1PodSpec().nodeName("node-1"))
			.status(new V1PodStatus()
				.addContainerStatusesItem(new V1ContainerStatus().name("web").restartCount(restarts)));
	}

}
