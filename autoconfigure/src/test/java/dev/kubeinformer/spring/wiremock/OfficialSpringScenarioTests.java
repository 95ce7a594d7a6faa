package dev.kubeinformer.spring.wiremock;

import java.util.List;

import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerSource;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The scenario in which the official client tests its Spring integration on WireMock,
 * with the same stubs ({@code KubernetesInformerCreatorTest} of kubernetes-client/java).
 * The outcome is the same, with these differences:
 * <ul>
 * <li>Nothing declares the informers: they are there because they are injected. The
 * context starts them, not the test.
 * <li>A list is asked for without the parameter {@code watch}.
 * <li>The answer <code>{}</code> to a watch is an event that is cut off: the watch broke.
 * The official client takes it for its end.
 * <li>A list of resourceVersion "0", which no API server answers, shows no version to
 * watch from. A watch that ends cannot be resumed then, and it is listed again: there is
 * at least one list instead of one.
 * </ul>
 */
class OfficialSpringScenarioTests {

	private static final String PODS = "/api/v1/pods";

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	@RegisterExtension
	static final WireMockExtension api = WireMockExtension.newInstance().options(options().dynamicPort()).build();

	@Test
	void injectedInformersShouldListAndThenWatch() {
		V1ListMeta version = new V1ListMeta().resourceVersion("0");
		api.stubFor(list(PODS).willReturn(json(JSON.serialize(
				new V1PodList().metadata(version).addItemsItem(new V1Pod().kind("Pod").metadata(metadata("foo1")))))));
		api.stubFor(watch(PODS).willReturn(json("{}")));
		api.stubFor(list(CONFIG_MAPS).willReturn(json(JSON.serialize(new V1ConfigMapList().metadata(version)
			.addItemsItem(new V1ConfigMap().kind("ConfigMap").metadata(metadata("bar1")))))));
		api.stubFor(watch(CONFIG_MAPS).willReturn(json("{}")));
		InformerContextRunner.withoutCluster()
			.withBean(ApiClient.class, () -> new ApiClient().setBasePath(api.baseUrl()))
			.withBean(Readers.class)
			.run((context) -> {
				Readers readers = context.getBean(Readers.class);
				await().until(() -> requests(PODS).contains("watch") && requests(CONFIG_MAPS).contains("watch"));
				assertThat(requests(PODS)).startsWith("list", "watch");
				assertThat(requests(CONFIG_MAPS)).startsWith("list", "watch");
				assertThat(new Lister<>(readers.pods.getIndexer()).list()).hasSize(1);
				assertThat(new Lister<>(readers.configMaps.getIndexer()).list()).hasSize(1);
			});
	}

	private static MappingBuilder list(String path) {
		return get(urlPathEqualTo(path)).withQueryParam("watch", absent());
	}

	private static MappingBuilder watch(String path) {
		return get(urlPathEqualTo(path)).withQueryParam("watch", equalTo("true"));
	}

	private static ResponseDefinitionBuilder json(String body) {
		return aResponse().withHeader("Content-Type", "application/json").withBody(body);
	}

	private static V1ObjectMeta metadata(String name) {
		return new V1ObjectMeta().namespace("default").name(name);
	}

	/** Returns the requests in their order. */
	private static List<String> requests(String path) {
		return api.findAll(getRequestedFor(urlPathEqualTo(path)))
			.stream()
			.map((LoggedRequest request) -> request.queryParameter("watch").isPresent() ? "watch" : "list")
			.toList();
	}

	/**
	 * Has an informer of all pods and one of the config maps of a namespace injected.
	 */
	static class Readers {

		private final SharedIndexInformer<V1Pod> pods;

		private final SharedIndexInformer<V1ConfigMap> configMaps;

		Readers(SharedIndexInformer<V1Pod> pods,
				@InformerSource(namespaces = "default") SharedIndexInformer<V1ConfigMap> configMaps) {
			this.pods = pods;
			this.configMaps = configMaps;
		}

	}

}
