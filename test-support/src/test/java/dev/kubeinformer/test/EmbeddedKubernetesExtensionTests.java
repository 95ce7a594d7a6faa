package dev.kubeinformer.test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Execution(ExecutionMode.SAME_THREAD)
class EmbeddedKubernetesExtensionTests {

	private static final List<EmbeddedKubernetes> seen = Collections.synchronizedList(new ArrayList<>());

	@BeforeEach
	void setUp() {
		seen.clear();
	}

	private static EngineExecutionResults run(Class<?> type) {
		return EngineTestKit.engine("junit-jupiter").selectors(DiscoverySelectors.selectClass(type)).execute();
	}

	@Test
	void classWhenExtendedShouldShareOneServerWithNestedClassesAndCloseIt() {
		run(Case.class).testEvents().assertStatistics((tests) -> tests.started(4).succeeded(4));
		assertThat(seen).hasSize(4).containsOnly(seen.get(0));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> new TestClient(seen.get(0).url()).get("/readyz"));
	}

	@Test
	void classWhenExtensionIsAFieldShouldHaveItsSettings() {
		run(FieldCase.class).testEvents().assertStatistics((tests) -> tests.started(2).succeeded(2));
		assertThat(seen).hasSize(2).containsOnly(seen.get(0));
		assertThatIllegalStateException().isThrownBy(FieldCase.kubernetes::api).withMessageContaining("@BeforeAll");
	}

	@Test
	void parameterWhenModelIsMissingShouldBeRefused() {
		run(RawCase.class).testEvents()
			.failed()
			.assertThatEvents()
			.hasSize(1)
			.first()
			.asString()
			.contains("must name its model");
	}

	@ExtendWith(EmbeddedKubernetesExtension.class)
	@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
	static class Case {

		@BeforeAll
		static void prepare(ApiResources<V1ConfigMap> configMaps) {
			configMaps.create(TestObjects.configMap("made-before-all", "1"));
		}

		@AfterEach
		void note(EmbeddedKubernetes api) {
			seen.add(api);
		}

		@Test
		@Order(1)
		void first(EmbeddedKubernetes api, ApiResources<V1ConfigMap> configMaps) {
			assertThat(configMaps.list()).isEmpty();
			configMaps.create(TestObjects.configMap("a", "1"));
			api.faults().on(Requests.any()).status(503);
			assertThat(new TestClient(api.url()).get("/readyz").statusCode()).isEqualTo(503);
			api.stopServing();
		}

		@Test
		@Order(2)
		void second(EmbeddedKubernetes api, ApiResources<V1ConfigMap> configMaps) {
			assertThat(configMaps.list()).isEmpty();
			assertThat(api.requests()).isEmpty();
			assertThat(new TestClient(api.url()).get("/readyz").statusCode()).isEqualTo(200);
		}

		@Nested
		class Inner {

			@Test
			void inner(ApiClient client, EmbeddedKubernetes api) throws ApiException {
				api.resources(V1ConfigMap.class).create(TestObjects.configMap("b", "1"));
				CoreV1Api core = new CoreV1Api(client);
				assertThat(core.listConfigMapForAllNamespaces().execute().getItems()).hasSize(1);
			}

			@Test
			void again(ApiResources<V1ConfigMap> configMaps) {
				assertThat(configMaps.create(TestObjects.configMap("b", "1"))).isNotNull();
			}

		}

	}

	@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
	static class FieldCase {

		@RegisterExtension
		static EmbeddedKubernetesExtension kubernetes = EmbeddedKubernetesExtension.builder()
			.server((server) -> server.requestLimit(1))
			.resetBetweenTests(false)
			.build();

		@Test
		@Order(1)
		void first() {
			seen.add(kubernetes.api());
			TestClient client = new TestClient(kubernetes.api().url());
			client.get("/readyz");
			client.get("/livez");
			assertThat(kubernetes.api().requests()).hasSize(1);
		}

		@Test
		@Order(2)
		void second(EmbeddedKubernetes api) {
			seen.add(api);
			assertThat(api).isSameAs(kubernetes.api());
			assertThat(api.requests()).hasSize(1);
		}

	}

	@ExtendWith(EmbeddedKubernetesExtension.class)
	static class RawCase {

		@Test
		void raw(@SuppressWarnings("rawtypes") ApiResources configMaps) {
			assertThat(configMaps).isNull();
		}

	}

}
