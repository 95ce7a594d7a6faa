package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class DeleteApiTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String PODS = "/api/v1/namespaces/default/pods";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

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
	void deleteWhenPreconditionFailsShouldConflict() {
		createConfigMap("a");
		HttpResponse<String> uid = delete(CONFIG_MAPS + "/a", "{'preconditions':{'uid':'no'}}");
		assertThat(uid.statusCode()).isEqualTo(409);
		assertThat(TestClient.json(uid).path("message").asString()).startsWith(
				"Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition (no) does not match");
		HttpResponse<String> version = delete(CONFIG_MAPS + "/a", "{'preconditions':{'resourceVersion':'1'}}");
		assertThat(version.statusCode()).isEqualTo(409);
		assertThat(TestClient.json(version).path("message").asString())
			.contains("the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2)");
		assertThat(delete(CONFIG_MAPS + "/a", "{'preconditions':{'resourceVersion':'2'}}").statusCode()).isEqualTo(200);
		assertThat(delete(CONFIG_MAPS + "/a", "{'preconditions':{'uid':'no'}}").statusCode()).isEqualTo(404);
	}

	@Test
	void deleteWhenObjectHasFinalizersShouldWaitForTheLastOne() throws Exception {
		createConfigMap("a", "t/x", "t/y");
		try (TestWatch watch = this.client.watch(CONFIG_MAPS + "?watch=true&resourceVersion=2")) {
			JsonNode deleted = TestClient.json(delete(CONFIG_MAPS + "/a", ""));
			assertThat(deleted.path("kind").asString()).isEqualTo("ConfigMap");
			assertThat(deleted.path("metadata").path("deletionTimestamp").asString()).endsWith("Z");
			assertThat(deleted.path("metadata").path("deletionGracePeriodSeconds").asInt(-1)).isZero();
			assertThat(
					TestClient.json(delete(CONFIG_MAPS + "/a", "")).path("metadata").path("resourceVersion").asString())
				.isEqualTo("3");
			patch(CONFIG_MAPS + "/a", "{'metadata':{'finalizers':['t/y'],'deletionTimestamp':null}}");
			JsonNode last = TestClient.json(patch(CONFIG_MAPS + "/a", "{'metadata':{'finalizers':null}}"));
			assertThat(last.path("metadata").has("finalizers")).isFalse();
			assertThat(last.path("metadata").path("resourceVersion").asString()).isEqualTo("4");
			assertThat(watch.events(3)).containsExactly("MODIFIED a@3", "MODIFIED a@4", "DELETED a@5");
		}
		assertThat(this.client.get(CONFIG_MAPS + "/a").statusCode()).isEqualTo(404);
	}

	@Test
	void deleteWhenFinalizersAreAddedAfterwardsShouldRefuseThem() {
		createConfigMap("a", "t/x");
		delete(CONFIG_MAPS + "/a", "");
		HttpResponse<String> response = patch(CONFIG_MAPS + "/a", "{'metadata':{'finalizers':['t/x','t/z']}}");
		assertThat(response.statusCode()).isEqualTo(422);
		assertThat(TestClient.json(response).path("message").asString())
			.isEqualTo("ConfigMap \"a\" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if "
					+ "the object is being deleted, found new finalizers []string{\"t/z\"}");
	}

	@Test
	void deleteWhenLastFinalizerIsRemovedByTheTestShouldRemoveObject() {
		createConfigMap("a", "t/x");
		delete(CONFIG_MAPS + "/a", "");
		ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);
		configMaps.update(TestObjects.configMap("a", "1"));
		assertThat(configMaps.get("a")).isNull();
	}

	@Test
	void deleteWhenPodIsOnNodeShouldWaitForItsGracePeriod() throws Exception {
		this.api.resources(V1Pod.class).create(TestObjects.pod("default", "p"));
		try (TestWatch watch = this.client.watch(PODS + "?watch=true&resourceVersion=2")) {
			JsonNode metadata = TestClient.json(delete(PODS + "/p", "")).path("metadata");
			assertThat(metadata.path("deletionGracePeriodSeconds").asInt()).isEqualTo(30);
			assertThat(metadata.path("generation").asInt()).isEqualTo(2);
			assertThat(Instant.parse(metadata.path("deletionTimestamp").asString()))
				.isAfter(Instant.now().plusSeconds(20));
			delete(PODS + "/p", "");
			assertThat(gracePeriod(delete(PODS + "/p?gracePeriodSeconds=10", ""))).isEqualTo(10);
			assertThat(gracePeriod(delete(PODS + "/p?gracePeriodSeconds=20", ""))).isEqualTo(10);
			assertThat(gracePeriod(delete(PODS + "/p", "{'gracePeriodSeconds':0}"))).isZero();
			assertThat(watch.events(4)).containsExactly("MODIFIED p@3", "MODIFIED p@4", "MODIFIED p@5", "DELETED p@6");
		}
	}

	@Test
	void deleteWhenPodNeedsNoTimeShouldRemoveItAtOnce() {
		ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);
		pods.create(new V1Pod().metadata(new V1ObjectMeta().name("unscheduled")));
		pods.create(TestObjects.pod("default", "done").status(new V1PodStatus().phase("Succeeded")));
		pods.create(TestObjects.pod("default", "forced"));
		for (String path : List.of("/unscheduled", "/done", "/forced?gracePeriodSeconds=0")) {
			assertThat(gracePeriod(delete(PODS + path, ""))).isZero();
		}
		assertThat(pods.list()).isEmpty();
	}

	@Test
	void deleteWhenPodHasFinalizersShouldWaitForBoth() {
		V1Pod pod = TestObjects.pod("default", "p");
		pod.getMetadata().finalizers(List.of("t/x"));
		ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);
		pods.create(pod);
		delete(PODS + "/p", "");
		patch(PODS + "/p", "{'metadata':{'finalizers':null}}");
		assertThat(pods.get("p")).isNotNull();
		delete(PODS + "/p?gracePeriodSeconds=0", "");
		assertThat(pods.get("p")).isNull();
	}

	@Test
	void deleteWhenGracePeriodIsNegativeShouldWaitOneSecond() {
		this.api.resources(V1Pod.class).create(TestObjects.pod("default", "p"));
		assertThat(gracePeriod(delete(PODS + "/p?gracePeriodSeconds=-1", ""))).isEqualTo(1);
		assertThat(delete(PODS + "/p?gracePeriodSeconds=x", "").statusCode()).isEqualTo(400);
	}

	@Test
	void deleteWhenDryRunShouldChangeNothing() {
		createConfigMap("a");
		createConfigMap("b", "t/x");
		assertThat(TestClient.json(delete(CONFIG_MAPS + "/a?dryRun=All", "")).path("status").asString())
			.isEqualTo("Success");
		assertThat(delete(CONFIG_MAPS + "/b", "{'dryRun':['All']}").body()).contains("deletionTimestamp");
		assertThat(delete(CONFIG_MAPS + "?dryRun=All", "").statusCode()).isEqualTo(200);
		assertThat(this.api.resourceVersion()).isEqualTo("3");
		assertThat(this.api.resources(V1ConfigMap.class).list()).hasSize(2);
	}

	@Test
	void deleteWhenOptionsAreWrongShouldRefuseThem() {
		createConfigMap("a");
		assertThat(delete(CONFIG_MAPS + "/a?dryRun=no", "").body())
			.contains("DeleteOptions.meta.k8s.io \\\"\\\" is invalid: dryRun: Unsupported value: [\\\"no\\\"]");
		assertThat(delete(CONFIG_MAPS + "/a?propagationPolicy=Foo", "").statusCode()).isEqualTo(422);
		assertThat(delete(CONFIG_MAPS + "/a?propagationPolicy=Foreground&orphanDependents=true", "").statusCode())
			.isEqualTo(422);
		assertThat(delete(CONFIG_MAPS + "/a", "{'kind':'Foo','apiVersion':'v1'}").statusCode()).isEqualTo(400);
		assertThat(delete(CONFIG_MAPS + "/a", "[").statusCode()).isEqualTo(400);
		assertThat(delete(CONFIG_MAPS + "/a", "{'gracePeriodSeconds':'x'}").statusCode()).isEqualTo(400);
		assertThat(this.client.send("DELETE", CONFIG_MAPS + "/a", "{}", "Content-Type", "text/plain").statusCode())
			.isEqualTo(415);
		assertThat(this.api.resources(V1ConfigMap.class).get("a")).isNotNull();
		assertThat(delete(CONFIG_MAPS + "/a?propagationPolicy=Background", "").statusCode()).isEqualTo(200);
	}

	@Test
	void deleteWhenSubresourceShouldNotBeAllowed() {
		this.api.resources(V1Pod.class).create(TestObjects.pod("default", "p"));
		assertThat(delete(PODS + "/p/status", "").statusCode()).isEqualTo(405);
	}

	@Test
	void deleteCollectionShouldDeleteWhatMatchesAndAnswerTheListBefore() {
		ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);
		configMaps.create(TestObjects.labelled("a", "one", "1"));
		configMaps.create(TestObjects.labelled("b", "two", "1"));
		V1ConfigMap kept = TestObjects.labelled("c", "one", "1");
		kept.getMetadata().finalizers(List.of("t/x"));
		configMaps.create(kept);
		JsonNode list = TestClient.json(delete(CONFIG_MAPS + "?labelSelector=app%3Done", ""));
		assertThat(list.path("kind").asString()).isEqualTo("ConfigMapList");
		assertThat(list.path("metadata").path("resourceVersion").asString()).isEqualTo("4");
		assertThat(TestClient.names(list)).containsExactly("a", "c");
		assertThat(list.path("items").path(1).path("metadata").has("deletionTimestamp")).isFalse();
		assertThat(TestClient.names(this.client.json(CONFIG_MAPS))).containsExactly("b", "c");
		delete(CONFIG_MAPS + "?fieldSelector=metadata.name%3Db", "");
		assertThat(TestClient.names(this.client.json(CONFIG_MAPS))).containsExactly("c");
		assertThat(delete(CONFIG_MAPS, "{'preconditions':{'uid':'no'}}").statusCode()).isEqualTo(409);
	}

	private void createConfigMap(String name, String... finalizers) {
		V1ConfigMap configMap = TestObjects.configMap(name, "1").data(Map.of("a", "b"));
		configMap.getMetadata().finalizers(List.of(finalizers));
		this.api.resources(V1ConfigMap.class).create(configMap);
	}

	private static int gracePeriod(HttpResponse<String> response) {
		return TestClient.json(response).path("metadata").path("deletionGracePeriodSeconds").asInt(-1);
	}

	private HttpResponse<String> delete(String path, String body) {
		return this.client.send("DELETE", path, body.replace('\'', '"'));
	}

	private HttpResponse<String> patch(String path, String body) {
		return this.client.send("PATCH", path, body.replace('\'', '"'), "Content-Type", "application/merge-patch+json");
	}

}
