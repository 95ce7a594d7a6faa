package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

class DiscoveryTests {

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
	void healthWhenServingShouldBeOk() {
		for (String path : List.of("/readyz", "/livez", "/healthz")) {
			assertThat(this.client.get(path).body()).isEqualTo("ok");
		}
	}

	@Test
	void versionWhenAskedShouldNameKubernetes() {
		assertThat(this.client.json("/version").path("gitVersion").asString()).startsWith("v1.37.");
	}

	@Test
	void groupsWhenAskedShouldPreferStableVersions() {
		JsonNode groups = this.client.json("/apis");
		assertThat(groups.path("kind").asString()).isEqualTo("APIGroupList");
		JsonNode group = this.client.json("/apis/resource.k8s.io");
		assertThat(group.path("preferredVersion").path("version").asString()).isEqualTo("v1");
		assertThat(group.path("versions")).extracting((version) -> version.path("version").asString())
			.containsExactly("v1", "v1beta2", "v1beta1", "v1alpha3");
	}

	@Test
	void resourcesWhenAskedShouldDescribeThem() {
		JsonNode core = this.client.json("/api/v1");
		assertThat(core.path("groupVersion").asString()).isEqualTo("v1");
		assertThat(core.path("resources")).anySatisfy((resource) -> {
			assertThat(resource.path("name").asString()).isEqualTo("pods");
			assertThat(resource.path("kind").asString()).isEqualTo("Pod");
			assertThat(resource.path("namespaced").asBoolean()).isTrue();
		});
		assertThat(this.client.json("/apis/apps/v1").path("resources"))
			.extracting((resource) -> resource.path("name").asString())
			.containsExactly("controllerrevisions", "daemonsets", "daemonsets/status", "deployments",
					"deployments/scale", "deployments/status", "replicasets", "replicasets/scale", "replicasets/status",
					"statefulsets", "statefulsets/scale", "statefulsets/status");
		assertThat(this.client.get("/apis/apps/v9").statusCode()).isEqualTo(404);
	}

	@Test
	void healthWhenVerboseShouldListChecks() {
		assertThat(this.client.get("/readyz?verbose").body()).startsWith("[+]ping ok\n[+]log ok\n[+]etcd ok\n")
			.endsWith("readyz check passed\n");
		assertThat(this.client.get("/livez?verbose&exclude=ping").body()).startsWith("[+]ping excluded: ok\n");
		assertThat(this.client.get("/healthz/ping").body()).isEqualTo("ok");
		assertThat(this.client.get("/readyz/nope").statusCode()).isEqualTo(404);
	}

	@Test
	void resourcesWhenBuiltInShouldHaveTheRealNames() {
		JsonNode core = this.client.json("/api/v1").path("resources");
		assertThat(core).anySatisfy((resource) -> {
			assertThat(resource.path("name").asString()).isEqualTo("endpoints");
			assertThat(resource.path("singularName").asString()).isEqualTo("endpoints");
			assertThat(resource.path("shortNames").get(0).asString()).isEqualTo("ep");
		});
		assertThat(core).anySatisfy((resource) -> {
			assertThat(resource.path("name").asString()).isEqualTo("pods");
			assertThat(resource.path("categories").get(0).asString()).isEqualTo("all");
			assertThat(resource.path("verbs")).extracting(JsonNode::asString)
				.containsExactly("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
		});
		assertThat(core)
			.noneSatisfy((resource) -> assertThat(resource.path("name").asString()).isEqualTo("configmaps/status"));
		assertThat(this.client.get("/api/v1/namespaces/default/configmaps/a/status").statusCode()).isEqualTo(404);
	}

	@Test
	void discoveryWhenAggregatedShouldDescribeEverythingWithATag() {
		String accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
		HttpResponse<String> groups = this.client.get("/apis", "Accept", accept);
		assertThat(groups.headers().firstValue("Content-Type"))
			.contains("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
		JsonNode apps = TestClient.json(groups).path("items").get(1);
		assertThat(apps.path("metadata").path("name").asString()).isEqualTo("apps");
		JsonNode deployments = apps.path("versions").get(0).path("resources").get(2);
		assertThat(deployments).isEqualTo(Json.readObject(
				"""
						{"resource":"deployments","responseKind":{"group":"","version":"","kind":"Deployment"},
						"scope":"Namespaced","singularResource":"deployment","verbs":["create","delete","deletecollection",
						"get","list","patch","update","watch"],"shortNames":["deploy"],"categories":["all"],"subresources":[
						{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},
						"verbs":["get","patch","update"]},{"subresource":"status","responseKind":{"group":"","version":"","kind":"Deployment"},
						"verbs":["get","patch","update"]}]}"""));
		String tag = groups.headers().firstValue("ETag").orElseThrow();
		assertThat(this.client.get("/apis", "Accept", accept, "If-None-Match", tag).statusCode()).isEqualTo(304);
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		assertThat(this.client.get("/apis", "Accept", accept, "If-None-Match", tag).statusCode()).isEqualTo(200);
		JsonNode core = TestClient.json(this.client.get("/api", "Accept", accept));
		assertThat(core.path("items")).hasSize(1);
		assertThat(this.client.get("/api", "Accept", accept.replace("v2", "v3").replace(",application/json", ""))
			.statusCode()).isEqualTo(406);
	}

}
