package dev.kubeinformer.test;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

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
		assertThat(this.client.json("/version").path("gitVersion").asString()).startsWith("v1.36.");
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
		assertThat(this.client.json("/apis/apps/v1").path("resources")).hasSize(5);
		assertThat(this.client.get("/apis/apps/v9").statusCode()).isEqualTo(404);
	}

}
