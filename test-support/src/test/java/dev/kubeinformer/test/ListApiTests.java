package dev.kubeinformer.test;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

class ListApiTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().compression(true).start();

	private final ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient(this.api.url());
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void listWhenEmptyShouldHaveResourceVersion() {
		JsonNode list = this.client.json(CONFIG_MAPS);
		assertThat(list.path("kind").asString()).isEqualTo("ConfigMapList");
		assertThat(list.path("metadata").path("resourceVersion").asString()).isEqualTo("1");
		assertThat(list.path("items")).isEmpty();
	}

	@Test
	void listWhenNamespaceShouldHoldOnlyItsObjectsWithoutKind() {
		ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);
		pods.create(TestObjects.pod("a", "one"));
		pods.create(TestObjects.pod("a-b", "two"));
		pods.create(TestObjects.pod("b", "three"));
		JsonNode list = this.client.json("/api/v1/namespaces/a/pods");
		assertThat(TestClient.names(list)).containsExactly("one");
		assertThat(list.path("items").path(0).has("kind")).isFalse();
		assertThat(TestClient.names(this.client.json("/api/v1/pods"))).containsExactlyInAnyOrder("one", "two", "three");
	}

	@Test
	void listWhenPagedShouldBeConsistentWhateverHappensBetween() {
		this.configMaps.fill(10, (i) -> TestObjects.configMap("cm-" + i, "old"));
		String revision = this.api.resourceVersion();
		JsonNode page = this.client.json(CONFIG_MAPS + "?limit=4");
		assertThat(page.path("metadata").path("remainingItemCount").asInt()).isEqualTo(6);
		this.configMaps.delete("cm-5");
		this.configMaps.update(TestObjects.configMap("cm-6", "new"));
		this.configMaps.create(TestObjects.configMap("cm-55", "new"));
		List<String> names = new ArrayList<>(TestClient.names(page));
		List<JsonNode> rest = new ArrayList<>();
		while (page.path("metadata").has("continue")) {
			page = this.client
				.json(CONFIG_MAPS + "?limit=4&continue=" + page.path("metadata").path("continue").asString());
			assertThat(page.path("metadata").path("resourceVersion").asString()).isEqualTo(revision);
			names.addAll(TestClient.names(page));
			page.path("items").forEach(rest::add);
		}
		assertThat(names).containsExactly("cm-0", "cm-1", "cm-2", "cm-3", "cm-4", "cm-5", "cm-6", "cm-7", "cm-8",
				"cm-9");
		assertThat(rest).allSatisfy((item) -> assertThat(item.path("data").path("value").asString()).isEqualTo("old"));
	}

	@Test
	void listWhenContinueTokenIsCompactedShouldAnswerExpiredWithInconsistentToken() {
		this.configMaps.fill(4, (i) -> TestObjects.configMap("cm-" + i, "old"));
		String token = this.client.json(CONFIG_MAPS + "?limit=2").path("metadata").path("continue").asString();
		this.configMaps.create(TestObjects.configMap("cm-9", "new"));
		this.api.compact();
		HttpResponse<String> response = this.client.get(CONFIG_MAPS + "?limit=2&continue=" + token);
		assertThat(response.statusCode()).isEqualTo(410);
		JsonNode status = TestClient.json(response);
		assertThat(status.path("reason").asString()).isEqualTo("Expired");
		String inconsistent = status.path("metadata").path("continue").asString();
		JsonNode rest = this.client.json(CONFIG_MAPS + "?continue=" + inconsistent);
		assertThat(TestClient.names(rest)).containsExactly("cm-2", "cm-3", "cm-9");
	}

	@Test
	void listWhenResourceVersionIsExactShouldShowThePast() {
		this.configMaps.create(TestObjects.configMap("a", "1"));
		String past = this.api.resourceVersion();
		this.configMaps.update(TestObjects.configMap("a", "2"));
		this.configMaps.create(TestObjects.configMap("b", "1"));
		String exact = CONFIG_MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + past;
		JsonNode list = this.client.json(exact);
		assertThat(list.path("metadata").path("resourceVersion").asString()).isEqualTo(past);
		assertThat(list.path("items").path(0).path("data").path("value").asString()).isEqualTo("1");
		assertThat(TestClient.names(list)).containsExactly("a");
		assertThat(TestClient.names(this.client.json(CONFIG_MAPS + "?limit=5&resourceVersion=" + past)))
			.containsExactly("a");
		this.api.compact();
		assertThat(this.client.get(exact).statusCode()).isEqualTo(410);
	}

	@Test
	void listWhenResourceVersionIsNotOlderThanShouldShowThePresent() {
		this.configMaps.create(TestObjects.configMap("a", "1"));
		this.configMaps.create(TestObjects.configMap("b", "1"));
		this.api.compact();
		for (String parameters : List.of("resourceVersion=0", "resourceVersion=2",
				"resourceVersion=2&resourceVersionMatch=NotOlderThan", "resourceVersion=0&limit=1")) {
			JsonNode list = this.client.json(CONFIG_MAPS + "?" + parameters);
			assertThat(TestClient.names(list)).as(parameters).containsExactly("a", "b");
			assertThat(list.path("metadata").path("resourceVersion").asString()).isEqualTo(this.api.resourceVersion());
		}
	}

	@Test
	void listWhenResourceVersionIsInTheFutureShouldAnswerTimeout() {
		HttpResponse<String> response = this.client.get(CONFIG_MAPS + "?resourceVersion=1000");
		assertThat(response.statusCode()).isEqualTo(504);
		assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
		JsonNode status = TestClient.json(response);
		assertThat(status.path("message").asString())
			.isEqualTo("Timeout: Too large resource version: 1000, current: 1");
		JsonNode details = status.path("details");
		assertThat(details.path("causes").path(0).path("reason").asString()).isEqualTo("ResourceVersionTooLarge");
		assertThat(details.path("retryAfterSeconds").asInt()).isEqualTo(1);
	}

	@Test
	void listWhenParametersAreWrongShouldAnswerAsKubernetes() {
		assertThat(this.client.get(CONFIG_MAPS + "?resourceVersion=abc").statusCode()).isEqualTo(400);
		assertThat(this.client.get(CONFIG_MAPS + "?limit=abc").statusCode()).isEqualTo(400);
		assertThat(this.client.get(CONFIG_MAPS + "?continue=abc").statusCode()).isEqualTo(400);
		assertThat(this.client.get(CONFIG_MAPS + "?labelSelector=a%20b").statusCode()).isEqualTo(400);
		assertThat(this.client.get(CONFIG_MAPS + "?fieldSelector=spec.foo%3Da").statusCode()).isEqualTo(400);
		assertThat(this.client.get(CONFIG_MAPS + "?resourceVersionMatch=Exact").statusCode()).isEqualTo(422);
		assertThat(this.client.get(CONFIG_MAPS + "?resourceVersion=1&resourceVersionMatch=Foo").statusCode())
			.isEqualTo(422);
		assertThat(this.client.get(CONFIG_MAPS + "?resourceVersion=0&resourceVersionMatch=Exact").statusCode())
			.isEqualTo(422);
		assertThat(this.client.get(CONFIG_MAPS + "?sendInitialEvents=true").statusCode()).isEqualTo(422);
	}

	@Test
	void listWhenSelectorsShouldFilter() {
		this.configMaps.create(TestObjects.labelled("a", "web", "1"));
		this.configMaps.create(TestObjects.labelled("b", "db", "1"));
		assertThat(TestClient.names(this.client.json(CONFIG_MAPS + "?labelSelector=app%3Dweb"))).containsExactly("a");
		assertThat(TestClient.names(this.client.json(CONFIG_MAPS + "?fieldSelector=metadata.name%3Db")))
			.containsExactly("b");
		JsonNode page = this.client.json(CONFIG_MAPS + "?limit=1&labelSelector=app");
		assertThat(page.path("metadata").has("continue")).isTrue();
		assertThat(page.path("metadata").has("remainingItemCount")).isFalse();
	}

	@Test
	void listWhenPodFieldSelectorsShouldFilter() {
		ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);
		pods.create(TestObjects.pod("default", "a").status(new V1PodStatus().phase("Running")));
		pods.create(TestObjects.pod("default", "b").status(new V1PodStatus().phase("Failed")));
		assertThat(TestClient.names(this.client.json("/api/v1/pods?fieldSelector=status.phase%3DRunning")))
			.containsExactly("a");
		assertThat(TestClient
			.names(this.client.json("/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1,status.phase!%3DRunning")))
			.containsExactly("b");
	}

	@Test
	void listWhenLargeAndClientAcceptsGzipShouldCompress() throws Exception {
		this.configMaps.fill(200, (i) -> TestObjects.configMap("cm-" + i, "x".repeat(1000)));
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.api.url() + CONFIG_MAPS))
			.header("Accept-Encoding", "gzip")
			.build();
		HttpResponse<byte[]> response = HttpClient.newHttpClient()
			.send(request, HttpResponse.BodyHandlers.ofByteArray());
		assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
		byte[] body = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
		assertThat(TestClient.names(Json.read(body))).hasSize(200);
		assertThat(response.body()).hasSizeLessThan(100_000);
	}

}
