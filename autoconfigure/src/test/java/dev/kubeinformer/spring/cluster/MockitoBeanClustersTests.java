package dev.kubeinformer.spring.cluster;

import java.util.Set;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/**
 * Tests of a mock that takes the place of the clusters.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "kubernetes.informers.auto-startup=false", "kubernetes.clusters.edge.url=http://localhost:1" })
class MockitoBeanClustersTests {

	@MockitoBean
	private InformerClusters clusters;

	@Autowired
	private Names names;

	@Autowired
	private InformerHandlerRegistry handlers;

	@Test
	void mockShouldBeInjectedAndHandlersShouldKeepTheirClusters() {
		given(this.clusters.names()).willReturn(Set.of("mocked"));
		assertThat(this.names.clusters.names()).containsExactly("mocked");
		assertThat(this.handlers.all()).extracting(InformerHandlerContainer::id).containsExactly("edge.podHandler");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ Names.class, PodHandler.class })
	static class Application {

	}

	record Names(InformerClusters clusters) {

	}

	@InformerHandler(id = "podHandler", cluster = "edge")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
