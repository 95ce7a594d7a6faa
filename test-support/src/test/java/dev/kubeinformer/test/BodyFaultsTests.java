package dev.kubeinformer.test;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Instant;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JacksonException;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class BodyFaultsTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String WATCH = CONFIG_MAPS + "?watch=1&resourceVersion=";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);

	private String start;

	@BeforeEach
	void setUp() {
		this.start = this.api.resourceVersion();
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	private TestClient client(HttpClient.Version version) {
		return new TestClient(this.api.url(), version);
	}

	private void fill(int count) {
		this.configMaps.fill(count, (i) -> TestObjects.configMap("cm-" + i, "1"));
	}

	private static void assertNoJson(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> Json.read(Json.utf8(response.body())));
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void truncateAfterWhenListShouldEndHttpInOrderInTheMiddleOfAnItem(HttpClient.Version version) {
		fill(3);
		this.api.faults().on(Requests.list("configmaps")).times(1).truncateAfter(2);
		TestClient client = client(version);
		HttpResponse<String> response = client.get(CONFIG_MAPS);
		assertNoJson(response);
		assertThat(response.body()).contains("cm-1\"").doesNotContain("cm-2\"}");
		assertThat(TestClient.names(client.json(CONFIG_MAPS))).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void cutAfterWhenListShouldBreakTheBody(HttpClient.Version version) throws Exception {
		fill(3);
		this.api.faults().on(Requests.list("configmaps")).times(1).cutAfter(1);
		TestClient client = client(version);
		TestWatch body = client.watch(CONFIG_MAPS);
		assertThat(body.awaitEnd()).isNotNull();
		assertThat(TestClient.names(client.json(CONFIG_MAPS))).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void garbageAfterWhenListOrGetShouldBeNoJson(HttpClient.Version version) {
		fill(2);
		TestClient client = client(version);
		this.api.faults().on(Requests.list("configmaps")).garbageAfter(1);
		assertNoJson(client.get(CONFIG_MAPS));
		assertThat(client.get(CONFIG_MAPS).body()).contains("cm-0\"", "garbage", "cm-1\"");
		this.api.faults().on(Requests.get("configmaps")).garbageAfter(0);
		assertNoJson(client.get(CONFIG_MAPS + "/cm-0"));
		this.api.faults().clear();
		assertThat(client.json(CONFIG_MAPS + "/cm-0").path("kind").asString()).isEqualTo("ConfigMap");
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void garbageAfterWhenWatchShouldTellALineOfItAndGoOn(HttpClient.Version version) throws Exception {
		this.api.faults().on(Requests.watch("configmaps")).times(1).garbageAfter(2);
		try (TestWatch watch = client(version).watch(WATCH + this.start).opened()) {
			fill(3);
			assertThat(watch.events(2)).hasSize(2);
			assertThat(watch.line()).endsWith("garbage");
			assertThat(watch.event().path("object").path("metadata").path("name").asString()).isEqualTo("cm-2");
		}
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void truncateAfterWhenWatchShouldEndInOrderInTheMiddleOfALine(HttpClient.Version version) throws Exception {
		this.api.faults().on(Requests.watch("configmaps")).times(1).truncateAfter(1);
		TestWatch watch = client(version).watch(WATCH + this.start).opened();
		fill(2);
		assertThat(watch.events(1)).hasSize(1);
		assertThat(watch.line()).startsWith("{\"type\":\"ADDED\"").doesNotEndWith("}}");
		assertThat(watch.awaitEnd()).isNull();
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void freezeAfterWhenWatchShouldBeSilentUntilRemoved(HttpClient.Version version) throws Exception {
		Fault fault = this.api.faults().on(Requests.watch("configmaps")).freezeAfter(1);
		fill(3);
		try (TestWatch watch = client(version).watch(WATCH + this.start + "&timeoutSeconds=1").opened()) {
			assertThat(watch.events(1)).hasSize(1);
			RecordedRequest request = this.api.requests().get(this.api.requests().size() - 1);
			await().until(() -> request.at().plusMillis(1300).isBefore(Instant.now()));
			assertThat(watch.isSilent()).isTrue();
			assertThat(this.api.openWatches()).isPositive();
			fault.remove();
			assertThat(watch.events(2)).hasSize(2);
			assertThat(watch.awaitEnd()).isNull();
		}
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void freezeAfterWhenListShouldSendThatMuchAndTheRestWhenRemoved(HttpClient.Version version) throws Exception {
		fill(2);
		Fault fault = this.api.faults().on(Requests.list("configmaps")).freezeAfter(0);
		TestWatch body = client(version).watch(CONFIG_MAPS).opened();
		assertThat(body.isSilent()).isTrue();
		fault.remove();
		assertThat(TestClient.names(body.event())).containsExactly("cm-0", "cm-1");
		assertThat(body.awaitEnd()).isNull();
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void cutAfterWhenRemovedShouldSpareAnOpenWatch(HttpClient.Version version) throws Exception {
		Fault fault = this.api.faults().on(Requests.watch("configmaps")).cutAfter(2);
		try (TestWatch watch = client(version).watch(WATCH + this.start).opened()) {
			fill(1);
			assertThat(watch.events(1)).hasSize(1);
			fault.remove();
			this.configMaps.fill(3, (i) -> TestObjects.configMap("more-" + i, "1"));
			assertThat(watch.events(3)).hasSize(3);
			assertThat(watch.isSilent()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void dropAndRepeatWhenWatchShouldHitTheFirstEvents(HttpClient.Version version) throws Exception {
		fill(2);
		this.api.faults().on(Requests.watch("configmaps")).times(1).dropEvents(1);
		this.api.faults().on(Requests.watch("configmaps")).times(1).repeatEvents(1);
		TestClient client = client(version);
		try (TestWatch dropping = client.watch(WATCH + this.start).opened();
				TestWatch repeating = client.watch(WATCH + this.start).opened()) {
			assertThat(dropping.event().path("object").path("metadata").path("name").asString()).isEqualTo("cm-1");
			assertThat(repeating.events(3)).extracting((event) -> event.split("[ @]")[1])
				.containsExactly("cm-0", "cm-0", "cm-1");
		}
	}

}
