package dev.kubeinformer.docs.slice;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of a slice with an embedded API, as shown in the documentation.
 */
@WebMvcTest(PodController.class)
@EmbeddedKubernetesTest
class PodControllerTests {

	@Test
	void podsAreNamed(ApiResources<V1Pod> pods, @Autowired MockMvcTester mvc) {
		pods.create(pod("one"));
		await().untilAsserted(() -> assertThat(mvc.get().uri("/pods")).hasBodyTextEqualTo("one"));
	}

	@Test
	void handlersAreNotPartOfASlice(@Autowired ApplicationContext context) {
		assertThat(context.getBeanNamesForType(PodHandler.class)).isEmpty();
	}

	private static V1Pod pod(String name) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("default").name(name));
	}

}
