package dev.kubeinformer.test;

import java.net.http.HttpClient;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class VersionFaultsTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String STREAMING_LIST = CONFIG_MAPS + "?watch=1&sendInitialEvents=true"
			+ "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);

	private final TestClient client = new TestClient(this.api.url(), HttpClient.Version.HTTP_1_1);

	private String early;

	@BeforeEach
	void setUp() {
		this.early = this.configMaps.create(TestObjects.configMap("a", "1")).getMetadata().getResourceVersion();
		this.configMaps.create(TestObjects.configMap("b", "1"));
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	private static String version(JsonNode object) {
		return object.path("metadata").path("resourceVersion").asString();
	}

	@Test
	void resourceVersionWhenListedShouldLieInTheMetadataOnly() {
		Fault fault = this.api.faults().on(Requests.list("configmaps")).times(1).resourceVersion("999999");
		JsonNode lie = this.client.json(CONFIG_MAPS);
		assertThat(version(lie)).isEqualTo("999999");
		assertThat(version(lie.path("items").get(0))).isEqualTo(this.early);
		this.api.faults().on(Requests.list("configmaps")).times(1).resourceVersion("");
		assertThat(this.client.json(CONFIG_MAPS).path("metadata").path("resourceVersion").asString()).isEmpty();
		assertThat(version(this.client.json(CONFIG_MAPS))).isEqualTo(this.api.resourceVersion());
		assertThat(fault.hits()).isEqualTo(1);
	}

	@Test
	void resourceVersionWhenWatchedOrReadShouldLieInObjectsAndBookmarks() throws Exception {
		this.api.faults().on(Requests.get("configmaps")).resourceVersion((truth) -> truth + "0");
		assertThat(version(this.client.json(CONFIG_MAPS + "/a"))).isEqualTo(this.early + "0");
		this.api.faults().on(Requests.watch("configmaps")).resourceVersion("1");
		try (TestWatch watch = this.client.watch(STREAMING_LIST).opened()) {
			assertThat(watch.events(3)).containsExactly("ADDED a@1", "ADDED b@1", "BOOKMARK @1");
			this.api.faults().clear();
			V1ConfigMap c = this.configMaps.create(TestObjects.configMap("c", "1"));
			assertThat(watch.events(1)).containsExactly("ADDED c@" + c.getMetadata().getResourceVersion());
		}
	}

	@Test
	void asOfWhenListedOrReadShouldAnswerWithTheOlderState() {
		this.configMaps.update(TestObjects.configMap("a", "2"));
		this.api.faults().on((request) -> true).asOf(this.early);
		JsonNode list = this.client.json(CONFIG_MAPS + "?resourceVersion=" + this.api.resourceVersion());
		assertThat(TestClient.names(list)).containsExactly("a");
		assertThat(version(list)).isEqualTo(this.early);
		assertThat(this.client.json(CONFIG_MAPS + "/a").path("data").path("value").asString()).isEqualTo("1");
		assertThat(this.client.get(CONFIG_MAPS + "/b").statusCode()).isEqualTo(404);
		this.api.compact();
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(410);
	}

	@Test
	void asOfWhenWatchedShouldBeginAtTheOlderState() throws Exception {
		String late = this.configMaps.get("b").getMetadata().getResourceVersion();
		this.api.faults().on(Requests.watch("configmaps")).asOf(this.early);
		try (TestWatch streaming = this.client.watch(STREAMING_LIST).opened();
				TestWatch plain = this.client.watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + late).opened()) {
			assertThat(streaming.events(3)).containsExactly("ADDED a@" + this.early, "BOOKMARK @" + this.early,
					"ADDED b@" + late);
			assertThat(plain.events(1)).containsExactly("ADDED b@" + late);
		}
	}

}
