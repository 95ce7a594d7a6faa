package dev.kubeinformer.test;

import java.net.http.HttpClient;
import java.time.Duration;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class WatchApiTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String WATCH = CONFIG_MAPS + "?watch=true";

	private static final String STREAMING_LIST = WATCH + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
			+ "&allowWatchBookmarks=true";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.bookmarkInterval(Duration.ofMillis(200))
		.historyLimit(100)
		.start();

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

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void watchWhenFromResourceVersionShouldTellWhatHappenedSince(HttpClient.Version version) throws Exception {
		this.configMaps.create(TestObjects.configMap("a", "1"));
		TestClient versioned = new TestClient(this.api.url(), version);
		try (TestWatch watch = versioned.watch(WATCH + "&resourceVersion=2")) {
			this.configMaps.create(TestObjects.configMap("b", "1"));
			this.configMaps.update(TestObjects.configMap("a", "2"));
			this.configMaps.delete("a");
			assertThat(watch.events(3)).containsExactly("ADDED b@3", "MODIFIED a@4", "DELETED a@5");
		}
		await().until(() -> this.api.openWatches() == 0);
	}

	@Test
	void watchWhenDeletedShouldTellLastStateWithRevisionOfDelete() throws Exception {
		this.configMaps.create(TestObjects.configMap("a", "1"));
		this.configMaps.delete("a");
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=2")) {
			JsonNode event = watch.event();
			assertThat(event.path("type").asString()).isEqualTo("DELETED");
			assertThat(event.path("object").path("kind").asString()).isEqualTo("ConfigMap");
			assertThat(event.path("object").path("data").path("value").asString()).isEqualTo("1");
			assertThat(event.path("object").path("metadata").path("resourceVersion").asString())
				.isEqualTo(this.api.resourceVersion());
		}
	}

	@Test
	void watchWhenOtherNamespaceOrResourceShouldTellNothing() throws Exception {
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=1")) {
			this.api.resources(V1Pod.class).create(TestObjects.pod("default", "pod"));
			V1ConfigMap elsewhere = TestObjects.configMap("elsewhere", "1");
			elsewhere.getMetadata().setNamespace("other");
			this.configMaps.create(elsewhere);
			this.configMaps.create(TestObjects.configMap("here", "1"));
			assertThat(watch.events(1)).containsExactly("ADDED here@4");
		}
	}

	@Test
	void watchWhenResourceVersionIsUnsetOrZeroShouldTellCurrentStateFirst() throws Exception {
		this.configMaps.fill(2, (i) -> TestObjects.configMap("cm-" + i, "1"));
		for (String parameters : new String[] { "", "&resourceVersion=", "&resourceVersion=0" }) {
			try (TestWatch watch = this.client.watch(WATCH + parameters)) {
				assertThat(watch.events(2)).containsExactly("ADDED cm-0@2", "ADDED cm-1@3");
			}
		}
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=0")) {
			watch.events(2);
			this.configMaps.create(TestObjects.configMap("later", "1"));
			assertThat(watch.events(1)).containsExactly("ADDED later@4");
		}
	}

	@Test
	void watchWhenObjectsEnterAndLeaveSelectorShouldTellAddedAndDeleted() throws Exception {
		this.configMaps.create(TestObjects.labelled("a", "db", "0"));
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=2&labelSelector=app%3Dweb")) {
			this.configMaps.update(TestObjects.labelled("a", "web", "1"));
			this.configMaps.update(TestObjects.labelled("a", "web", "2"));
			this.configMaps.update(TestObjects.labelled("a", "db", "3"));
			this.configMaps.update(TestObjects.labelled("a", "db", "4"));
			this.configMaps.update(TestObjects.labelled("a", "web", "5"));
			this.configMaps.delete("a");
			assertThat(watch.events(2)).containsExactly("ADDED a@3", "MODIFIED a@4");
			JsonNode left = watch.event();
			assertThat(left.path("type").asString()).isEqualTo("DELETED");
			assertThat(left.path("object").path("metadata").path("resourceVersion").asString()).isEqualTo("5");
			assertThat(left.path("object").path("metadata").path("labels").path("app").asString()).isEqualTo("web");
			assertThat(left.path("object").path("data").path("value").asString()).isEqualTo("2");
			assertThat(watch.events(2)).containsExactly("ADDED a@7", "DELETED a@8");
		}
	}

	@Test
	void watchWhenHistoryIsCompactedShouldTellExpiredAndEnd() throws Exception {
		this.configMaps.create(TestObjects.configMap("a", "1"));
		this.configMaps.create(TestObjects.configMap("b", "1"));
		this.api.compact();
		assertExpired("2", "too old resource version: 2 (3)");
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=3")) {
			this.configMaps.create(TestObjects.configMap("c", "1"));
			assertThat(watch.events(1)).containsExactly("ADDED c@4");
		}
	}

	@Test
	void watchWhenOlderThanHistoryLimitShouldTellExpired() throws Exception {
		this.configMaps.fill(110, (i) -> TestObjects.configMap("cm-" + i, "1"));
		assertExpired("10", "too old resource version: 10 (11)");
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=11")) {
			assertThat(watch.events(1)).containsExactly("ADDED cm-10@12");
		}
	}

	@Test
	void watchWhenOpenShouldSurviveCompaction() throws Exception {
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=1").opened()) {
			this.configMaps.create(TestObjects.configMap("a", "1"));
			this.api.compact();
			this.configMaps.create(TestObjects.configMap("b", "1"));
			assertThat(watch.events(2)).containsExactly("ADDED a@2", "ADDED b@3");
		}
	}

	private void assertExpired(String resourceVersion, String message) throws Exception {
		TestWatch watch = this.client.watch(WATCH + "&resourceVersion=" + resourceVersion);
		JsonNode event = watch.event();
		assertThat(watch.status()).isEqualTo(200);
		assertThat(event.path("type").asString()).isEqualTo("ERROR");
		assertThat(event.path("object").path("kind").asString()).isEqualTo("Status");
		assertThat(event.path("object").path("code").asInt()).isEqualTo(410);
		assertThat(event.path("object").path("reason").asString()).isEqualTo("Expired");
		assertThat(event.path("object").path("message").asString()).isEqualTo(message);
		assertThat(watch.awaitEnd()).isNull();
	}

	@Test
	void watchWhenBookmarksAreAllowedShouldTellGlobalRevision() throws Exception {
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=1&allowWatchBookmarks=true").opened()) {
			this.api.resources(V1Pod.class).create(TestObjects.pod("default", "pod"));
			await().until(() -> {
				JsonNode bookmark = watch.event();
				assertThat(bookmark.path("type").asString()).isEqualTo("BOOKMARK");
				assertThat(bookmark.path("object").path("kind").asString()).isEqualTo("ConfigMap");
				assertThat(bookmark.path("object").path("metadata").size()).isEqualTo(1);
				return "2".equals(bookmark.path("object").path("metadata").path("resourceVersion").asString());
			});
		}
	}

	@Test
	void sendBookmarksShouldReachTheWatchesThatAllowThem() throws Exception {
		try (EmbeddedKubernetes quiet = EmbeddedKubernetes.start()) {
			TestClient quietClient = new TestClient(quiet.url());
			try (TestWatch without = quietClient.watch(WATCH + "&resourceVersion=1").opened();
					TestWatch with = quietClient.watch(WATCH + "&resourceVersion=1&allowWatchBookmarks=true")
						.opened()) {
				quiet.sendBookmarks();
				assertThat(with.events(1)).containsExactly("BOOKMARK @1");
				quiet.resources(V1ConfigMap.class).create(TestObjects.configMap("cm", "1"));
				assertThat(without.events(1)).containsExactly("ADDED cm@2");
			}
		}
	}

	@Test
	void watchWhenTimeoutSecondsShouldBookmarkAndEndInOrder() throws Exception {
		try (EmbeddedKubernetes quiet = EmbeddedKubernetes.start()) {
			TestWatch watch = new TestClient(quiet.url())
				.watch(WATCH + "&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=1");
			assertThat(watch.events(1)).containsExactly("BOOKMARK @1");
			assertThat(watch.awaitEnd()).isNull();
			await().until(() -> quiet.openWatches() == 0);
		}
	}

	@Test
	void watchWhenItEndsShouldTellAllThatHappenedBefore() throws Exception {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		Fault freeze = this.api.faults().on(Requests.watch("widgets")).freezeAfter(0);
		String path = "/apis/example.com/v1/widgets?watch=true&resourceVersion=" + this.api.resourceVersion();
		TestWatch watch = this.client.watch(path).opened();
		this.api.resources(V1ConfigMap.class, "example.com", "v1", "widgets")
			.fill(40, (i) -> TestObjects.configMap("w-" + i, "x".repeat(4000)));
		this.api.resources(V1CustomResourceDefinition.class).delete("widgets.example.com");
		freeze.remove();
		assertThat(watch.events(80)).filteredOn((event) -> event.startsWith("DELETED")).hasSize(40);
		assertThat(watch.awaitEnd()).isNull();
	}

	@Test
	void watchWhenStreamingListShouldMarkEndOfInitialEvents() throws Exception {
		this.configMaps.fill(2, (i) -> TestObjects.configMap("cm-" + i, "1"));
		this.api.compact();
		try (TestWatch watch = this.client.watch(STREAMING_LIST + "&resourceVersion=1")) {
			assertThat(watch.events(2)).containsExactly("ADDED cm-0@2", "ADDED cm-1@3");
			JsonNode bookmark = watch.event();
			assertThat(bookmark.path("type").asString()).isEqualTo("BOOKMARK");
			JsonNode metadata = bookmark.path("object").path("metadata");
			assertThat(metadata.path("resourceVersion").asString()).isEqualTo("3");
			assertThat(metadata.path("annotations").path("k8s.io/initial-events-end").asString()).isEqualTo("true");
		}
	}

	@Test
	void watchWhenStreamingListFromTheFutureShouldTellTimeout() throws Exception {
		TestWatch watch = this.client.watch(STREAMING_LIST + "&resourceVersion=1000");
		JsonNode status = watch.event().path("object");
		assertThat(status.path("code").asInt()).isEqualTo(504);
		assertThat(status.path("details").path("causes").path(0).path("reason").asString())
			.isEqualTo("ResourceVersionTooLarge");
		assertThat(watch.awaitEnd()).isNull();
	}

	@Test
	void watchWhenFromTheFutureShouldStaySilentUntilThen() throws Exception {
		try (TestWatch watch = this.client.watch(WATCH + "&resourceVersion=3&allowWatchBookmarks=true").opened();
				TestWatch other = this.client.watch(WATCH + "&resourceVersion=1&allowWatchBookmarks=true").opened()) {
			this.configMaps.create(TestObjects.configMap("a", "1"));
			await().until(() -> "BOOKMARK @2".equals(other.events(1).get(0)));
			assertThat(watch.isSilent()).isTrue();
			this.configMaps.create(TestObjects.configMap("b", "1"));
			this.configMaps.create(TestObjects.configMap("c", "1"));
			await().until(() -> "ADDED c@4".equals(watch.events(1).get(0)));
		}
	}

	@Test
	void watchWhenParametersAreWrongShouldAnswerAsKubernetes() {
		assertThat(this.client.get(WATCH + "&sendInitialEvents=true").statusCode()).isEqualTo(422);
		assertThat(this.client.get(WATCH + "&sendInitialEvents=true").body())
			.contains("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
		assertThat(this.client.get(WATCH + "&resourceVersionMatch=NotOlderThan&resourceVersion=1").statusCode())
			.isEqualTo(422);
		assertThat(this.client.get(WATCH + "&resourceVersion=abc").statusCode()).isEqualTo(500);
		assertThat(this.client.get(WATCH + "&timeoutSeconds=abc").statusCode()).isEqualTo(400);
		assertThat(this.client.get(WATCH + "&labelSelector=a%20b").statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void watchWhenClientLeavesShouldBeForgotten(HttpClient.Version version) throws Exception {
		TestClient versioned = new TestClient(this.api.url(), version);
		try (TestWatch watch = versioned.watch(WATCH + "&resourceVersion=1").opened()) {
			assertThat(this.api.openWatches()).isOne();
			assertThat(watch.isSilent()).isTrue();
		}
		await().until(() -> this.api.openWatches() == 0);
	}

}
