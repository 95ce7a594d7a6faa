package dev.kubeinformer.test;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FaultsTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

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
	void statusWhenTimesShouldHitOnlyTheNextMatchingRequests() {
		Fault fault = this.api.faults()
			.on(Requests.list("configmaps"))
			.times(2)
			.retryAfter(Duration.ofSeconds(7))
			.status(429);
		assertThat(this.client.get("/api/v1/pods").statusCode()).isEqualTo(200);
		HttpResponse<String> first = this.client.get(CONFIG_MAPS);
		assertThat(first.statusCode()).isEqualTo(429);
		assertThat(first.headers().firstValue("Retry-After")).hasValue("7");
		JsonNode status = TestClient.json(first);
		assertThat(status.path("kind").asString()).isEqualTo("Status");
		assertThat(status.path("reason").asString()).isEqualTo("TooManyRequests");
		assertThat(status.path("details").path("retryAfterSeconds").asInt()).isEqualTo(7);
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(429);
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
		assertThat(fault.hits()).isEqualTo(2);
		assertThat(this.api.requests()).extracting(RecordedRequest::status).containsExactly(200, 429, 429, 200);
	}

	@Test
	void forbidWhenRemovedShouldServeAgain() {
		Fault fault = this.api.faults().on(Requests.list("configmaps").inNamespace("default")).forbid();
		HttpResponse<String> response = this.client.get(CONFIG_MAPS);
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(TestClient.json(response).path("message").asString())
			.isEqualTo("configmaps is forbidden: User \"system:anonymous\" cannot list resource \"configmaps\" "
					+ "in API group \"\" in the namespace \"default\"");
		assertThat(this.client.get("/api/v1/configmaps").statusCode()).isEqualTo(200);
		fault.remove();
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void cutAfterWhenEventsAreSentShouldBreakTheStream(HttpClient.Version version) throws Exception {
		this.api.faults().on(Requests.watch("configmaps")).times(1).cutAfter(2);
		TestClient versioned = new TestClient(this.api.url(), version);
		TestWatch watch = versioned.watch(CONFIG_MAPS + "?watch=1&resourceVersion=1").opened();
		this.configMaps.fill(3, (i) -> TestObjects.configMap("cm-" + i, "1"));
		assertThat(watch.awaitEnd()).isNotNull();
		List<String> sent = watch.eventsSoFar();
		assertThat(List.of("ADDED cm-0@2", "ADDED cm-1@3")).startsWith(sent.toArray(String[]::new));
		// A client of HTTP/2 may drop what it has not read when a stream is reset.
		assertThat(sent).hasSizeGreaterThanOrEqualTo((version == HttpClient.Version.HTTP_1_1) ? 2 : 0);
		try (TestWatch next = versioned.watch(CONFIG_MAPS + "?watch=1&resourceVersion=3")) {
			assertThat(next.events(1)).containsExactly("ADDED cm-2@4");
		}
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void cutWhenRequestMatchesShouldGiveNoAnswer(HttpClient.Version version) {
		Fault fault = this.api.faults().on(Requests.list("configmaps")).cut();
		TestClient versioned = new TestClient(this.api.url(), version);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> versioned.get(CONFIG_MAPS));
		assertThat(fault.hits()).isPositive();
		this.api.faults().clear();
		assertThat(versioned.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
	}

	@Test
	void bodyWhenRequestMatchesShouldReplaceTheAnswer() {
		this.api.faults()
			.on(Requests.list("configmaps"))
			.times(1)
			.body(200, "application/json", "{\"kind\":\"Table\"}");
		assertThat(this.client.json(CONFIG_MAPS).path("kind").asString()).isEqualTo("Table");
		assertThat(this.client.json(CONFIG_MAPS).path("kind").asString()).isEqualTo("ConfigMapList");
	}

	@Test
	void corruptWhenObjectIsServedShouldChangeItEverywhere() throws Exception {
		this.configMaps.create(TestObjects.configMap("a", "1"));
		this.configMaps.create(TestObjects.configMap("b", "1"));
		Fault fault = this.api.faults()
			.corrupt(V1ConfigMap.class, "default", "a",
					(json) -> json.replace("\"data\":{\"value\":\"1\"}", "\"data\":[42]"));
		assertThat(this.client.get(CONFIG_MAPS + "/a").body()).contains("\"data\":[42]");
		assertThat(this.client.get(CONFIG_MAPS).body()).contains("\"data\":[42]", "\"data\":{\"value\":\"1\"}");
		try (TestWatch watch = this.client.watch(CONFIG_MAPS + "?watch=1&resourceVersion=1")) {
			assertThat(watch.line()).contains("\"data\":[42]");
		}
		assertThat(this.configMaps.list()).hasSize(2);
		assertThat(fault.hits()).isEqualTo(3);
		fault.remove();
		assertThat(this.client.get(CONFIG_MAPS).body()).doesNotContain("[42]");
	}

}
