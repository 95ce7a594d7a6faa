package dev.kubeinformer.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class ControlTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().requestLimit(3).start();

	private final ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);

	private final TestClient client = new TestClient(this.api.url());

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void createOrUpdateWhenObjectExistsShouldReplaceIt() {
		V1ConfigMap first = this.configMaps.createOrUpdate(TestObjects.configMap("a", "1"));
		this.configMaps.edit("a", (configMap) -> configMap.putDataItem("other", "2"));
		V1ConfigMap second = this.configMaps.createOrUpdate(first.putDataItem("value", "3"));
		assertThat(second.getMetadata().getUid()).isEqualTo(first.getMetadata().getUid());
		assertThat(second.getData()).hasSize(1).containsEntry("value", "3");
		assertThat(second.getMetadata().getResourceVersion()).isEqualTo(this.api.resourceVersion());
	}

	@Test
	void createWhenNameIsNotValidShouldBeRefusedAsByTheApi() {
		V1ConfigMap wrong = TestObjects.configMap("My_Map", "1");
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> this.configMaps.create(wrong))
			.withMessageContaining("ConfigMap \"My_Map\" is invalid: metadata.name: Invalid value: \"My_Map\": "
					+ "a lowercase RFC 1123 subdomain must consist of")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(422));
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> this.configMaps.createOrUpdate(wrong))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(422));
		assertThat(this.configMaps.list()).isEmpty();
	}

	@Test
	void editWhenChangedInTheMeantimeShouldBeMadeOnTheNewerState() {
		this.configMaps.create(TestObjects.configMap("a", "1"));
		AtomicInteger calls = new AtomicInteger();
		V1ConfigMap edited = this.configMaps.edit("default", "a", (configMap) -> {
			if (calls.getAndIncrement() == 0) {
				this.configMaps.update(TestObjects.configMap("a", "2"));
			}
			configMap.putDataItem("more", configMap.getData().get("value"));
		});
		assertThat(calls).hasValue(2);
		assertThat(edited.getData()).containsEntry("value", "2").containsEntry("more", "2");
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> this.configMaps.edit("missing", (gone) -> {
		})).satisfies((ex) -> assertThat(ex.code()).isEqualTo(404));
		assertThatExceptionOfType(StatusException.class)
			.isThrownBy(() -> this.configMaps.edit("a", (other) -> other.getMetadata().setUid("wrong")))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(409));
	}

	@Test
	void deleteAllWhenWatchedShouldTellEachDelete() throws Exception {
		this.configMaps.fill(2, (i) -> TestObjects.configMap("cm-" + i, "1"));
		this.api.resources(V1Pod.class).create(TestObjects.pod("default", "pod"));
		long before = Long.parseLong(this.api.resourceVersion());
		try (TestWatch watch = this.client.watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + before).opened()) {
			this.configMaps.deleteAll();
			assertThat(watch.events(2)).containsExactly("DELETED cm-0@" + (before + 1), "DELETED cm-1@" + (before + 2));
		}
		assertThat(this.configMaps.list()).isEmpty();
		assertThat(this.api.resources(V1Pod.class).list()).hasSize(1);
	}

	@Test
	void resetWhenWatchIsOpenShouldTellTheDeletesAndClearFaultsAndRequests() throws Exception {
		this.configMaps.fill(2, (i) -> TestObjects.configMap("cm-" + i, "1"));
		this.api.resources(V1Pod.class).create(TestObjects.pod("default", "pod"));
		long before = Long.parseLong(this.api.resourceVersion());
		Fault fault = this.api.faults().on(Requests.list("configmaps")).status(503);
		try (TestWatch watch = this.client.watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + before).opened()) {
			String after = this.api.reset();
			assertThat(after).isEqualTo(this.api.resourceVersion()).isEqualTo(Long.toString(before + 3));
			assertThat(watch.events(2)).allMatch((event) -> event.startsWith("DELETED"));
			assertThat(this.api.openWatches()).isEqualTo(1);
		}
		assertThat(this.api.requests()).isEmpty();
		assertThat(this.api.resources(V1Pod.class).list()).isEmpty();
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
		assertThat(fault.hits()).isZero();
		this.api.stopServing();
		this.api.reset();
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void resetWhenWriteIsHeldShouldNeverCarryItOut(boolean frozen) {
		FaultBuilder builder = this.api.faults().on((request) -> "POST".equals(request.method()));
		Fault fault = (frozen) ? builder.freeze() : builder.delay(LONG);
		CompletableFuture<?> write = CompletableFuture
			.supplyAsync(() -> this.client.send("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"late\"}}"));
		await().until(() -> fault.hits() == 1);
		this.api.reset();
		assertThat(write).failsWithin(Duration.ofSeconds(5));
		assertThat(this.configMaps.list()).isEmpty();
	}

	@Test
	void resetWhenInitialNamespaceIsDeletedShouldMakeItAgain() {
		ApiResources<V1Namespace> namespaces = this.api.resources(V1Namespace.class);
		this.api.reset();
		List<V1Namespace> before = namespaces.list();
		assertThat(before).hasSize(4);
		namespaces.delete("default");
		this.client.send("DELETE", "/api/v1/namespaces/kube-node-lease", "");
		String after = this.api.reset();
		assertThat(after).isEqualTo(this.api.resourceVersion());
		assertThat(namespaces.list()).extracting((namespace) -> namespace.getMetadata().getName())
			.containsExactly("default", "kube-node-lease", "kube-public", "kube-system");
		assertThat(namespaces.get("default").getStatus().getPhase()).isEqualTo("Active");
		assertThat(namespaces.get("kube-public")).isEqualTo(before.get(2));
		assertThat(this.client.send("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\"}}").statusCode())
			.isEqualTo(201);
	}

	@Test
	void requestsWhenTooManyShouldKeepTheNewest() {
		for (int i = 0; i < 5; i++) {
			this.client.get("/readyz?number=" + i);
		}
		assertThat(this.api.requests()).extracting((request) -> request.parameter("number"))
			.containsExactly("2", "3", "4");
		assertThat(this.api.droppedRequests()).isEqualTo(2);
		this.api.clearRequests();
		assertThat(this.api.droppedRequests()).isZero();
	}

	@Test
	void awaitRequestWhenItComesShouldReturnIt() throws Exception {
		CompletableFuture<RecordedRequest> awaited = CompletableFuture
			.supplyAsync(() -> this.api.awaitRequest(Requests.list("configmaps"), LONG));
		this.client.get("/readyz");
		assertThat(awaited).isNotDone();
		this.client.get(CONFIG_MAPS + "?limit=5");
		assertThat(awaited.get().parameter("limit")).isEqualTo("5");
	}

	@Test
	void awaitRequestWhenItDoesNotComeShouldNameWhatWasSeen() {
		this.client.get(CONFIG_MAPS + "?limit=5");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.api.awaitRequest(Requests.watch("pods"), Duration.ofMillis(20)))
			.withMessage("There was no watch pods within PT0.02S, but there were the requests:\n  GET " + CONFIG_MAPS
					+ "?limit=5 -> 200");
	}

	@Test
	void awaitWatchesWhenTheyOpenAndCloseShouldReturn() {
		String path = CONFIG_MAPS + "?watch=1";
		CompletableFuture<Void> awaited = CompletableFuture.runAsync(() -> this.api.awaitWatches(2));
		TestWatch one = this.client.watch(path);
		TestWatch two = this.client.watch(path);
		assertThat(awaited).succeedsWithin(LONG);
		one.close();
		this.api.awaitWatches(1);
		two.close();
		this.api.awaitWatches(0);
	}

}
