package dev.kubeinformer.spring.test;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestConstructor;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.EmbeddedKubernetesExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the parameters that {@link EmbeddedKubernetesTest} resolves.
 */
class ParameterTests {

	private static EngineExecutionResults run(Class<?> testClass) {
		return EngineTestKit.engine("junit-jupiter").selectors(DiscoverySelectors.selectClass(testClass)).execute();
	}

	@Test
	void parametersShouldBeThoseOfTheContext() {
		run(ParametersCase.class).allEvents().assertStatistics((events) -> events.failed(0));
		run(ParametersCase.class).testEvents().assertStatistics((tests) -> tests.started(3).succeeded(3));
	}

	@Test
	void autowiredConstructorShouldBeLeftToSpring() {
		run(AutowiredConstructorCase.class).testEvents().assertStatistics((tests) -> tests.started(1).succeeded(1));
	}

	@Test
	void resourcesWithoutModelShouldBeRefused() {
		assertThat(run(RawCase.class).testEvents().failed().stream()).singleElement()
			.asString()
			.contains("must name its model, as ApiResources<V1Pod> does");
	}

	@Test
	void extensionOfPlainTestsShouldBeRefusedBesideTheAnnotation() {
		for (Class<?> testClass : new Class<?>[] { TwoServersCase.class, ExtendedOuterCase.class }) {
			EngineExecutionResults results = run(testClass);
			assertThat(results.allEvents().failed().stream()).singleElement()
				.asString()
				.contains("has @EmbeddedKubernetesTest and EmbeddedKubernetesExtension")
				.contains("Remove the extension");
		}
	}

	@SpringJUnitConfig(ParametersConfiguration.class)
	@EmbeddedKubernetesTest
	static class ParametersCase {

		private final EmbeddedKubernetes fromConstructor;

		@Autowired
		private EmbeddedKubernetes field;

		@Autowired
		@Qualifier("embeddedKubernetesApiClient")
		private ApiClient client;

		ParametersCase(EmbeddedKubernetes kubernetes) {
			this.fromConstructor = kubernetes;
		}

		@BeforeEach
		void prepare(ApiResources<V1Pod> pods) {
			pods.create(InformersConfiguration.pod("one"));
		}

		@Test
		void same(EmbeddedKubernetes kubernetes, ApiClient injected) {
			assertThat(kubernetes).isSameAs(this.field).isSameAs(this.fromConstructor);
			assertThat(injected).isSameAs(this.client);
			assertThat(kubernetes.resources(V1Pod.class).list()).hasSize(1);
		}

		@Test
		void springs(@Autowired EmbeddedKubernetes kubernetes, @Qualifier("otherClient") ApiClient other) {
			assertThat(kubernetes).isSameAs(this.field);
			assertThat(other).isNotSameAs(this.client);
		}

		@Nested
		class Inner {

			@Test
			void same(EmbeddedKubernetes kubernetes) {
				assertThat(kubernetes).isSameAs(ParametersCase.this.field);
			}

		}

	}

	@SpringJUnitConfig(ParametersConfiguration.class)
	@EmbeddedKubernetesTest
	@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
	static class AutowiredConstructorCase {

		private final EmbeddedKubernetes kubernetes;

		AutowiredConstructorCase(EmbeddedKubernetes kubernetes) {
			this.kubernetes = kubernetes;
		}

		@Test
		void same(EmbeddedKubernetes parameter) {
			assertThat(parameter).isSameAs(this.kubernetes);
		}

	}

	@SpringJUnitConfig(ParametersConfiguration.class)
	@EmbeddedKubernetesTest
	static class RawCase {

		@Test
		void raw(@SuppressWarnings("rawtypes") ApiResources pods) {
			assertThat(pods).isNull();
		}

	}

	@SpringJUnitConfig(ParametersConfiguration.class)
	@EmbeddedKubernetesTest
	@ExtendWith(EmbeddedKubernetesExtension.class)
	static class TwoServersCase {

		@Test
		void test() {
		}

	}

	@ExtendWith(EmbeddedKubernetesExtension.class)
	static class ExtendedOuterCase {

		@Nested
		@SpringJUnitConfig(ParametersConfiguration.class)
		@EmbeddedKubernetesTest
		class Inner {

			@Test
			void test() {
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ParametersConfiguration {

		@Bean
		ApiClient otherClient() {
			return new ApiClient();
		}

	}

}
