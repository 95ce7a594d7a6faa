package dev.kubeinformer.test;

import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class WatchLagTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String WATCH = CONFIG_MAPS + "?watch=1&resourceVersion=1&allowWatchBookmarks=true";

	private static final Duration LAG = Duration.ofMillis(300);

	private static final Duration FOR_EVER = Duration.ofHours(1);

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
	void watchLagShouldSendEventsInOrderThatLongAfterTheirWrites() throws Exception {
		Fault lag = this.api.faults().watchLag(LAG);
		try (TestWatch watch = this.client.watch(WATCH).opened()) {
			long written = System.nanoTime();
			this.configMaps.fill(3, (i) -> TestObjects.configMap("cm-" + i, "1"));
			assertThat(this.client.json(CONFIG_MAPS).path("items")).hasSize(3);
			assertThat(watch.events(3)).containsExactly("ADDED cm-0@2", "ADDED cm-1@3", "ADDED cm-2@4");
			assertThat(System.nanoTime() - written).isGreaterThanOrEqualTo(LAG.toNanos());
		}
		assertThat(lag.hits()).isEqualTo(1);
	}

	@Test
	void watchLagWhenMadeWhileWatchIsOpenShouldHoldForIt() throws Exception {
		try (TestWatch watch = this.client.watch(WATCH).opened()) {
			this.configMaps.create(TestObjects.configMap("a", "1"));
			assertThat(watch.events(1)).containsExactly("ADDED a@2");
			Fault lag = this.api.faults().watchLag(LAG);
			long written = System.nanoTime();
			this.configMaps.create(TestObjects.configMap("b", "1"));
			assertThat(watch.events(1)).containsExactly("ADDED b@3");
			assertThat(System.nanoTime() - written).isGreaterThanOrEqualTo(LAG.toNanos());
			assertThat(lag.hits()).isEqualTo(1);
		}
	}

	@Test
	void watchLagWhenRemovedShouldSendWhatWasHeldBack() throws Exception {
		Fault lag = this.api.faults().watchLag(FOR_EVER);
		try (TestWatch watch = this.client.watch(WATCH).opened()) {
			this.configMaps.fill(2, (i) -> TestObjects.configMap("cm-" + i, "1"));
			lag.remove();
			assertThat(watch.events(2)).containsExactly("ADDED cm-0@2", "ADDED cm-1@3");
		}
	}

	@Test
	void watchLagWhenMadeShorterShouldHoldFromThenOn() throws Exception {
		this.api.faults().watchLag(FOR_EVER);
		try (TestWatch watch = this.client.watch(WATCH).opened()) {
			this.configMaps.create(TestObjects.configMap("a", "1"));
			this.api.faults().watchLag(LAG);
			assertThat(watch.events(1)).containsExactly("ADDED a@2");
			this.api.faults().watchLag(FOR_EVER);
			this.configMaps.create(TestObjects.configMap("b", "1"));
			this.api.faults().watchLag(Duration.ZERO);
			assertThat(watch.events(1)).containsExactly("ADDED b@3");
		}
	}

	@Test
	void watchLagWhenOfOneResourceShouldNotDelayOthers() throws Exception {
		this.api.faults().watchLag(Requests.watch("configmaps"), FOR_EVER);
		try (TestWatch lagging = this.client.watch(WATCH).opened();
				TestWatch secrets = this.client.watch("/api/v1/secrets?watch=1&resourceVersion=1").opened()) {
			this.configMaps.create(TestObjects.configMap("a", "1"));
			this.client.send("POST", "/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"s\"}}");
			assertThat(secrets.events(1)).containsExactly("ADDED s@3");
			assertThat(lagging.isSilent()).isTrue();
			this.api.faults().clear();
			assertThat(lagging.events(1)).containsExactly("ADDED a@2");
		}
	}

	@Test
	void bookmarkWhenWatchLagsShouldLagToo() throws Exception {
		this.api.faults().watchLag(LAG);
		try (TestWatch watch = this.client.watch(WATCH).opened()) {
			this.configMaps.create(TestObjects.configMap("a", "1"));
			long asked = System.nanoTime();
			this.api.sendBookmarks();
			this.api.resources(V1Secret.class).create(new V1Secret().metadata(new V1ObjectMeta().name("s")));
			assertThat(watch.events(2)).containsExactly("ADDED a@2", "BOOKMARK @2");
			assertThat(System.nanoTime() - asked).isGreaterThanOrEqualTo(LAG.toNanos());
		}
	}

	@Test
	void streamingListWhenWatchLagsShouldBeCurrent() throws Exception {
		this.api.faults().watchLag(FOR_EVER);
		this.configMaps.create(TestObjects.configMap("a", "1"));
		String list = CONFIG_MAPS + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
				+ "&allowWatchBookmarks=true";
		try (TestWatch watch = this.client.watch(list)) {
			assertThat(watch.events(2)).containsExactly("ADDED a@2", "BOOKMARK @2");
		}
	}

	@Test
	void watchWhenTimedOutShouldEndWithoutWhatLags() throws Exception {
		this.api.faults().watchLag(FOR_EVER);
		try (TestWatch watch = this.client.watch(WATCH + "&timeoutSeconds=1").opened()) {
			this.configMaps.create(TestObjects.configMap("a", "1"));
			assertThat(watch.awaitEnd()).isNull();
			assertThat(watch.eventsSoFar()).isEqualTo(List.of());
		}
	}

	@Test
	void resetWhenWatchLagsShouldEndTheLag() throws Exception {
		this.api.faults().watchLag(FOR_EVER);
		try (TestWatch watch = this.client.watch(WATCH).opened()) {
			this.configMaps.create(TestObjects.configMap("a", "1"));
			this.api.reset();
			assertThat(watch.events(2)).containsExactly("ADDED a@2", "DELETED a@3");
			this.configMaps.create(TestObjects.configMap("b", "1"));
			JsonNode event = watch.event();
			assertThat(event.path("type").asString()).isEqualTo("ADDED");
		}
	}

	@Test
	void watchLagWhenNegativeShouldBeRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.api.faults().watchLag(Duration.ofMillis(-1)))
			.withMessageContaining("PT-0.001S");
	}

}
