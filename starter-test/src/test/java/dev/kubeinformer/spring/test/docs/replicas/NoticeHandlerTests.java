package dev.kubeinformer.spring.test.docs.replicas;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The test of the page about replicas.
 */
@SpringBootTest(properties = { "spring.application.name=shop", "kubernetes.leader.enabled=true" })
@EmbeddedKubernetesTest
class NoticeHandlerTests {

	@Test
	void nextLeaderSendsWhatAStandbyDidNot(EmbeddedKubernetes server, ApiResources<V1Pod> pods,
			@Autowired Leadership leadership, @Autowired Notices notices) {
		server.leader().revoke();
		await().until(() -> !leadership.isLeader());
		pods.create(new V1Pod().metadata(new V1ObjectMeta().namespace("default").name("one")));
		assertThat(notices.sent()).isEmpty();
		server.leader().grant();
		await().until(() -> notices.sent().contains("one"));
	}

}
