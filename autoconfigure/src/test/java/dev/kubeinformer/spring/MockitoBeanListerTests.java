package dev.kubeinformer.spring;

import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.Informers;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/**
 * Tests that a mock of a lister wins over ours.
 */
@SpringJUnitConfig
@TestPropertySource(properties = { "KUBECONFIG=", "HOME=/nonexistent", "KUBERNETES_SERVICE_HOST=" })
class MockitoBeanListerTests {

	@MockitoBean
	private Lister<V1Pod> pods;

	@MockitoBean
	private Lister<Metadata<V1Pod>> described;

	@Autowired
	private PodCounter counter;

	@Autowired
	private Informers informers;

	@Test
	void mockShouldBeInjected() {
		given(this.pods.list()).willReturn(List.of(TestObjects.pod("web", "one")));
		assertThat(this.counter.count()).isOne();
		assertThat(this.counter.described).isSameAs(this.described).isNotSameAs(this.pods);
		assertThat(this.informers.all()).isEmpty();
	}

	static class PodCounter {

		private final Lister<V1Pod> pods;

		private final Lister<Metadata<V1Pod>> described;

		PodCounter(Lister<V1Pod> pods, Lister<Metadata<V1Pod>> described) {
			this.pods = pods;
			this.described = described;
		}

		int count() {
			return this.pods.list().size();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import(PodCounter.class)
	static class TestConfiguration {

	}

}
