package dev.kubeinformer.spring.wiremock;

import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.awaitility.Awaitility.await;

/**
 * The recipe of {@code docs/testing.md}.
 */
@SpringBootTest
class PodHandlerWireMockTests {

	@RegisterExtension
	static WireMockExtension api = WireMockExtension.newInstance()
		.options(options().dynamicPort())
		.resetOnEachTest(false) // the context lives longer than a test
		.build();

	@DynamicPropertySource
	static void cluster(DynamicPropertyRegistry properties) {
		properties.add("kubernetes.client.url", api::baseUrl);
	}

	@BeforeAll
	static void stubs() {
		api.stubFor(get(urlPathEqualTo("/api/v1/pods")).withQueryParam("watch", absent()).willReturn(okJson("""
				{"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "1000"}, "items": [
					{"metadata": {"name": "one", "namespace": "shop", "uid": "1", "resourceVersion": "900"}}]}
				""")));
		api.stubFor(watch("1000").willReturn(okJson("""
				{"type": "ADDED", "object": {"kind": "Pod", "apiVersion": "v1", "metadata": \
				{"name": "two", "namespace": "shop", "uid": "2", "resourceVersion": "1001"}}}
				""")));
		api.stubFor(watch("1001").willReturn(okJson("""
				{"type": "BOOKMARK", "object": {"kind": "Pod", "apiVersion": "v1", "metadata": \
				{"resourceVersion": "1001"}}}
				""".repeat(600)).withChunkedDribbleDelay(600, 60_000)));
	}

	static MappingBuilder watch(String version) {
		return get(urlPathEqualTo("/api/v1/pods")).withQueryParam("watch", equalTo("true"))
			.withQueryParam("resourceVersion", equalTo(version));
	}

	@Test
	void podsAreListedAndWatched(@Autowired Lister<V1Pod> pods) {
		await().until(() -> pods.namespace("shop").list().size() == 2);
	}

}
