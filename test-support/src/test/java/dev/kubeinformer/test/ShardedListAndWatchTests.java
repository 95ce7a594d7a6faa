package dev.kubeinformer.test;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The gate of shards. What an API server answers while it is on is in
 * {@link ShardConformance}.
 */
class ShardedListAndWatchTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps?shardSelector=";

	private static final String INITIAL = "&watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
			+ "&timeoutSeconds=1";

	private static final int TOTAL = 24;

	@Test
	void gateWhenOffShouldIgnoreTheSelector() {
		try (EmbeddedKubernetes api = filled(EmbeddedKubernetes.builder())) {
			assertThat(list(api, half())).hasSize(TOTAL);
			assertThat(list(api, "malformed")).hasSize(TOTAL);
			assertThat(get(api, half()).path("metadata").has("shardInfo")).isFalse();
		}
	}

	@Test
	void gateShouldComeAndGoUntilTheReset() {
		try (EmbeddedKubernetes api = filled(EmbeddedKubernetes.builder())) {
			api.shardedListAndWatch(true);
			List<String> half = list(api, half());
			assertThat(half).isNotEmpty().hasSizeLessThan(TOTAL);
			assertThat(watched(api)).isEqualTo(half);
			api.shardedListAndWatch(false);
			assertThat(list(api, half())).hasSize(TOTAL);
			assertThat(watched(api)).hasSize(TOTAL);
			api.shardedListAndWatch(true);
			api.reset();
			fill(api);
			assertThat(list(api, half())).hasSize(TOTAL);
		}
	}

	@Test
	void resetShouldBringBackTheGateOfTheBuilder() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().shardedListAndWatch(true).start()) {
			api.shardedListAndWatch(false);
			api.reset();
			fill(api);
			assertThat(list(api, half())).hasSizeLessThan(TOTAL);
		}
	}

	@Test
	void watchesWhenUnfilteredShouldSendEverythingAndListsTheShard() {
		EmbeddedKubernetes.Builder builder = EmbeddedKubernetes.builder()
			.shardedListAndWatch(true)
			.unfilteredWatches(true);
		try (EmbeddedKubernetes api = filled(builder)) {
			assertThat(watched(api)).hasSize(TOTAL);
			assertThat(list(api, half())).hasSizeLessThan(TOTAL);
			assertThat(new TestClient(api.url()).get(CONFIG_MAPS + "malformed" + INITIAL).statusCode()).isEqualTo(500);
		}
	}

	@Test
	void watchOfEventsShouldBeLimitedAsTheListIs() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().shardedListAndWatch(true).start()) {
			ApiResources<EventsV1Event> events = api.resources(EventsV1Event.class);
			IntStream.range(0, TOTAL)
				.forEach((i) -> events.create(new EventsV1Event()
					.metadata(new V1ObjectMeta().namespace("default").name("e%02d".formatted(i)))));
			String path = "/apis/events.k8s.io/v1/namespaces/default/events?shardSelector=" + half();
			List<String> listed = TestClient.names(TestClient.json(new TestClient(api.url()).get(path)));
			assertThat(listed).hasSizeBetween(1, TOTAL - 1);
			assertThat(new TestClient(api.url()).get(path + INITIAL).body().lines()).hasSameSizeAs(listed);
		}
	}

	private static EmbeddedKubernetes filled(EmbeddedKubernetes.Builder builder) {
		EmbeddedKubernetes api = builder.start();
		fill(api);
		return api;
	}

	private static void fill(EmbeddedKubernetes api) {
		ApiResources<V1ConfigMap> maps = api.resources(V1ConfigMap.class);
		IntStream.range(0, TOTAL).forEach((i) -> maps.create(TestObjects.configMap("m%02d".formatted(i), "1")));
	}

	private static String half() {
		return URLEncoder.encode("shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
				StandardCharsets.UTF_8);
	}

	private static JsonNode get(EmbeddedKubernetes api, String selector) {
		return TestClient.json(new TestClient(api.url()).get(CONFIG_MAPS + selector));
	}

	private static List<String> list(EmbeddedKubernetes api, String selector) {
		return TestClient.names(get(api, selector));
	}

	private static List<String> watched(EmbeddedKubernetes api) {
		Stream<String> lines = new TestClient(api.url()).get(CONFIG_MAPS + half() + INITIAL).body().lines();
		return lines.map((line) -> Json.readObject(line).path("object").path("metadata").path("name").asString())
			.toList();
	}

}
