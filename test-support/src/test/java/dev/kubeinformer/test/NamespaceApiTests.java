package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

class NamespaceApiTests {

	private static final String NAMESPACES = "/api/v1/namespaces";

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
	void startShouldHaveInitialNamespacesWithoutRevisions() throws Exception {
		assertThat(this.api.resourceVersion()).isEqualTo("1");
		assertThat(TestClient.names(this.client.json(NAMESPACES))).containsExactly("default", "kube-node-lease",
				"kube-public", "kube-system");
		JsonNode namespace = this.client.json(NAMESPACES + "/default");
		assertThat(namespace.path("metadata").path("resourceVersion").asString()).isEqualTo("1");
		assertThat(namespace.path("status").path("phase").asString()).isEqualTo("Active");
		assertThat(namespace.path("metadata").path("labels").path("kubernetes.io/metadata.name").asString())
			.isEqualTo("default");
		try (TestWatch watch = this.client.watch(NAMESPACES + "?watch=true&resourceVersion=1")) {
			create("one");
			assertThat(watch.events(1)).containsExactly("ADDED one@2");
		}
	}

	@Test
	void createWhenNamespaceIsMissingShouldAnswerNotFound() {
		HttpResponse<String> response = this.client.send("POST", NAMESPACES + "/nope/configmaps",
				"{\"metadata\":{\"name\":\"a\"}}");
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(TestClient.json(response).path("message").asString()).isEqualTo("namespaces \"nope\" not found");
		assertThat(TestClient.json(response).path("details").toString())
			.isEqualTo("{\"name\":\"nope\",\"kind\":\"namespaces\"}");
		assertThat(this.client
			.send("PATCH", NAMESPACES + "/nope/configmaps/a?fieldManager=m",
					"{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"}", "Content-Type", "application/apply-patch+yaml")
			.body()).contains("namespaces \\\"nope\\\" not found");
		assertThat(this.client
			.send("PUT", "/apis/coordination.k8s.io/v1/namespaces/nope/leases/a", "{\"metadata\":{\"name\":\"a\"}}")
			.body()).contains("namespaces \\\"nope\\\" not found");
		assertThat(this.client.get(NAMESPACES + "/nope/configmaps").statusCode()).isEqualTo(200);
		create("nope");
		assertThat(this.client.send("POST", NAMESPACES + "/nope/configmaps", "{\"metadata\":{\"name\":\"a\"}}")
			.statusCode()).isEqualTo(201);
	}

	@Test
	void createWhenNamespacesNeedNotExistShouldSucceed() {
		try (EmbeddedKubernetes lenient = EmbeddedKubernetes.builder().namespacesMustExist(false).start()) {
			assertThat(new TestClient(lenient.url())
				.send("POST", NAMESPACES + "/nope/configmaps", "{\"metadata\":{\"name\":\"a\"}}")
				.statusCode()).isEqualTo(201);
		}
	}

	@Test
	void namespaceOfTheBuilderShouldBeThereFromTheStartAndAfterAReset() {
		try (EmbeddedKubernetes shop = EmbeddedKubernetes.builder().namespaces("shop").start()) {
			TestClient shopper = new TestClient(shop.url());
			String configMap = "{\"metadata\":{\"name\":\"a\"}}";
			assertThat(shopper.send("POST", NAMESPACES + "/shop/configmaps", configMap).statusCode()).isEqualTo(201);
			shopper.send("DELETE", NAMESPACES + "/shop", "");
			assertThat(shopper.get(NAMESPACES + "/shop").statusCode()).isEqualTo(404);
			shop.reset();
			assertThat(shopper.get(NAMESPACES + "/shop/configmaps/a").statusCode()).isEqualTo(404);
			assertThat(shopper.send("POST", NAMESPACES + "/shop/configmaps", configMap).statusCode()).isEqualTo(201);
			shop.reset();
			assertThat(shopper.get(NAMESPACES + "/shop").statusCode()).isEqualTo(200);
		}
	}

	@Test
	void createWhenTestDoesItShouldNeedNoNamespace() {
		this.api.resources(V1Pod.class).create(TestObjects.pod("nope", "a"));
		assertThat(this.client.get(NAMESPACES + "/nope/pods/a").statusCode()).isEqualTo(200);
	}

	@Test
	void deleteShouldRemoveNamespaceAndItsObjectsAtOnce() throws Exception {
		create("one");
		this.api.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().name("a").namespace("one").addFinalizersItem("t/x"))
				.data(Map.of()));
		this.api.resources(V1Pod.class).create(TestObjects.pod("one", "p"));
		this.api.resources(V1Pod.class).create(TestObjects.pod("default", "p"));
		String start = this.api.resourceVersion();
		try (TestWatch watch = this.client.watch(NAMESPACES + "?watch=true&resourceVersion=" + start)) {
			JsonNode deleted = TestClient.json(this.client.send("DELETE", NAMESPACES + "/one", ""));
			assertThat(deleted.path("status").path("phase").asString()).isEqualTo("Terminating");
			assertThat(deleted.path("metadata").has("deletionTimestamp")).isTrue();
			assertThat(watch.events(2)).containsExactly("MODIFIED one@6", "DELETED one@9");
		}
		assertThat(this.api.resources(V1ConfigMap.class).list()).isEmpty();
		assertThat(this.api.resources(V1Pod.class).list()).hasSize(1);
		assertThat(this.client.send("POST", NAMESPACES + "/one/configmaps", "{\"metadata\":{\"name\":\"a\"}}")
			.statusCode()).isEqualTo(404);
	}

	@Test
	void deleteWhenNamespaceHasFinalizersShouldRefuseNewContent() {
		this.client.send("POST", NAMESPACES, "{\"metadata\":{\"name\":\"one\",\"finalizers\":[\"t/x\"]}}");
		this.client.send("DELETE", NAMESPACES + "/one", "");
		HttpResponse<String> response = this.client.send("POST", NAMESPACES + "/one/configmaps",
				"{\"metadata\":{\"name\":\"a\"}}");
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(TestClient.json(response).path("message").asString())
			.isEqualTo("configmaps \"a\" is forbidden: unable to create new content in namespace one because it is "
					+ "being terminated");
		assertThat(response.body()).contains("NamespaceTerminating");
		this.client.send("PATCH", NAMESPACES + "/one", "{\"metadata\":{\"finalizers\":null}}", "Content-Type",
				"application/merge-patch+json");
		assertThat(this.client.get(NAMESPACES + "/one").statusCode()).isEqualTo(404);
	}

	@Test
	void deleteWhenNamespaceIsOfTheSystemShouldBeForbidden() {
		HttpResponse<String> response = this.client.send("DELETE", NAMESPACES + "/default", "");
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(TestClient.json(response).path("message").asString())
			.isEqualTo("namespaces \"default\" is forbidden: this namespace may not be deleted");
	}

	private void create(String name) {
		assertThat(this.client.send("POST", NAMESPACES, "{\"metadata\":{\"name\":\"" + name + "\"}}").statusCode())
			.isEqualTo(201);
	}

	@Test
	void initialNamespaceShouldLookLikeOneThatIsCreated() {
		this.client.send("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"mine\"}}");
		ObjectNode initial = Json
			.readObject(this.client.get("/api/v1/namespaces/default").body().replace("default", "mine"));
		ObjectNode created = Json.readObject(this.client.get("/api/v1/namespaces/mine").body());
		for (ObjectNode namespace : List.of(initial, created)) {
			namespace.withObject("metadata").remove(List.of("uid", "creationTimestamp", "resourceVersion"));
		}
		assertThat(initial).isEqualTo(created);
		assertThat(TestClient.names(this.client.json("/api/v1/namespaces?fieldSelector=status.phase%3DActive"
				+ "&labelSelector=kubernetes.io%2Fmetadata.name%3Ddefault")))
			.containsExactly("default");
	}

}
