package dev.kubeinformer.docs.slice;

import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.mockito.BDDMockito.given;

/**
 * Tests of slices without an embedded API.
 */
class WebSliceTests {

	@Nested
	@WebMvcTest(PodController.class)
	class Mocked {

		@MockitoBean
		private Lister<V1Pod> pods;

		@Test
		void listerMayBeAMock(@Autowired MockMvcTester mvc) {
			given(this.pods.list()).willReturn(List.of(new V1Pod().metadata(new V1ObjectMeta().name("mocked"))));
			assertThat(mvc.get().uri("/pods")).hasBodyTextEqualTo("mocked");
		}

	}

	@Nested
	@ExtendWith(OutputCaptureExtension.class)
	class Failing {

		@Test
		void failureShouldSayWhatToAdd(CapturedOutput output) {
			EngineTestKit.engine("junit-jupiter")
				.selectors(selectClass(NothingAdded.class))
				.execute()
				.testEvents()
				.assertStatistics((events) -> events.failed(1));
			assertThat(output).contains("requires a bean of type 'Lister<V1Pod>'",
					"@EmbeddedKubernetesTest to the test class", "'@MockitoBean Lister<V1Pod> lister'",
					"@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })");
		}

	}

	@WebMvcTest(PodController.class)
	static class NothingAdded {

		@Test
		void contextShouldStart(@Autowired MockMvcTester mvc) {
		}

	}

}
