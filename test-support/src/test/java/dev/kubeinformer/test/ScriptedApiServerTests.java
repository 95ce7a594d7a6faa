package dev.kubeinformer.test;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class ScriptedApiServerTests {

	private static final String POD = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"12\"}}";

	private final ScriptedApiServer server = ScriptedApiServer.start();

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient(this.server.url());
	}

	@AfterEach
	void tearDown() {
		this.server.close();
	}

	@Test
	void onListWhenAskedShouldAnswerInOrder() {
		this.server.onList((reply) -> reply.status(503).retryAfter(Duration.ofSeconds(3)));
		this.server.onList((reply) -> reply.json(200, "{\"kind\":\"PodList\"}"));
		HttpResponse<String> first = this.client.get("/api/v1/pods");
		assertThat(first.statusCode()).isEqualTo(503);
		assertThat(first.headers().firstValue("Retry-After")).hasValue("3");
		assertThat(TestClient.json(first).path("reason").asString()).isEqualTo("ServiceUnavailable");
		assertThat(this.client.json("/api/v1/pods?limit=1").path("kind").asString()).isEqualTo("PodList");
		assertThat(this.server.requests()).extracting(RecordedRequest::status).containsExactly(503, 200);
		assertThat(this.server.requests().get(1).parameter("limit")).isEqualTo("1");
		this.server.verify();
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void onWatchWhenAskedShouldPlayTheScript(HttpClient.Version version) throws Exception {
		this.server.onWatch((stream) -> stream.event("ADDED", POD)
			.bookmark("15")
			.initialEventsEnd("16")
			.line("garbage")
			.error(410, "gone")
			.chunk(Json.utf8("half a "))
			.delay(Duration.ofMillis(10))
			.chunk(Json.utf8("line\n"))
			.end());
		TestWatch watch = new TestClient(this.server.url(), version).watch("/api/v1/pods?watch=1").opened();
		assertThat(watch.events(2)).containsExactly("ADDED a@12", "BOOKMARK @15");
		JsonNode marker = watch.event().path("object");
		assertThat(marker.path("kind").asString()).isEqualTo("Pod");
		assertThat(marker.path("metadata").path("annotations").path("k8s.io/initial-events-end").asString())
			.isEqualTo("true");
		assertThat(watch.line()).isEqualTo("garbage");
		assertThat(watch.event().path("object").path("code").asInt()).isEqualTo(410);
		assertThat(watch.line()).isEqualTo("half a line");
		assertThat(watch.awaitEnd()).isNull();
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void onWatchWhenResetShouldBreakTheStream(HttpClient.Version version) throws Exception {
		ScriptedReply stream = this.server.onWatch((reply) -> reply.event("ADDED", POD));
		TestWatch watch = new TestClient(this.server.url(), version).watch("/api/v1/pods?watch=1");
		assertThat(watch.events(1)).containsExactly("ADDED a@12");
		// Only now: clients of HTTP/2 may drop what they have not read when a stream is
		// reset.
		stream.reset();
		assertThat(watch.awaitEnd()).isNotNull();
	}

	@Test
	void onWatchWhenHeldShouldTakeStepsThatComeLater() throws Exception {
		ScriptedReply stream = this.server.onWatch(ScriptedReply::hold);
		try (TestWatch watch = this.client.watch("/api/v1/pods?watch=1").opened()) {
			assertThat(watch.isSilent()).isTrue();
			stream.event("ADDED", POD);
			assertThat(watch.events(1)).containsExactly("ADDED a@12");
			stream.end();
			assertThat(watch.awaitEnd()).isNull();
		}
	}

	@Test
	void requestOfHttp2WhenRefusedShouldLeaveTheConnectionAndWhenHungUpShouldNot() throws Exception {
		TestClient http2 = new TestClient(this.server.url(), HttpClient.Version.HTTP_2);
		ScriptedReply stream = this.server.onWatch(ScriptedReply::hold);
		this.server.onWatch(ScriptedReply::refuse);
		this.server.onWatch(ScriptedReply::hangUp);
		TestWatch watch = http2.watch("/api/v1/pods?watch=1").opened();
		assertThat(http2.watch("/api/v1/pods?watch=1").awaitEnd()).isNotNull();
		stream.event("ADDED", POD);
		assertThat(watch.events(1)).containsExactly("ADDED a@12");
		assertThat(http2.watch("/api/v1/pods?watch=1").awaitEnd()).isNotNull();
		assertThat(watch.awaitEnd()).isNotNull();
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void openRequestsWhenClientGivesUpShouldForgetIt(HttpClient.Version version) throws Exception {
		ScriptedReply stream = this.server.onWatch(ScriptedReply::hold);
		try (TestWatch watch = new TestClient(this.server.url(), version).watch("/api/v1/pods?watch=1").opened()) {
			// The previous answer may reach its client before the server has completed
			// it.
			await().until(() -> this.server.openRequests() == 1);
			assertThat(watch.isSilent()).isTrue();
		}
		await().until(() -> {
			if (version == HttpClient.Version.HTTP_1_1) {
				stream.bookmark("15");
			}
			return this.server.openRequests() == 0;
		});
		String protocol = (version == HttpClient.Version.HTTP_2) ? "HTTP/2.0" : "HTTP/1.1";
		assertThat(this.server.requests()).extracting(RecordedRequest::protocol).containsOnly(protocol);
	}

	@Test
	void requestWhenNoAnswerIsLeftShouldFailVisibly() {
		this.server.on(Requests.get("pods").named("a"), (reply) -> reply.json(200, POD));
		HttpResponse<String> response = this.client.get("/api/v1/pods");
		assertThat(response.statusCode()).isEqualTo(500);
		assertThat(response.body()).contains("/api/v1/pods");
		assertThat(this.server.unmatched()).hasSize(1);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this.server::verify)
			.withMessageContaining("/api/v1/pods")
			.withMessageContaining("get pods named \"a\"");
	}

}
