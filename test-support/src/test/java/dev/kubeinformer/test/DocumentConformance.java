package dev.kubeinformer.test;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

/** Documents of a server about itself: version, health and discovery. */
abstract class DocumentConformance extends Conformance {

	private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

	DocumentConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void versionShouldBeOneOfKubernetes() {
		JsonNode version = get("/version").hasCode(200).body();
		assertThat(version.path("major").asString()).isEqualTo("1");
		assertThat(version.path("minor").asString()).matches("\\d+\\+?");
		assertThat(version.path("gitVersion").asString()).matches("v1\\.\\d+\\.\\d+.*");
	}

	@Test
	void healthShouldBeOk() {
		for (String path : List.of("/readyz", "/livez", "/healthz", "/readyz/ping")) {
			assertThat(get(path).hasCode(200).text()).as(path).isEqualTo("ok");
		}
	}

	@Test
	void coreVersionsShouldBeV1() {
		Answer answer = get("/api").hasCode(200);
		assertThat(answer.body().path("kind").asString()).isEqualTo("APIVersions");
		assertThat((Object) answer.body().path("versions")).isEqualTo(Answer.parse("{v: ['v1']}").path("v"));
	}

	@Test
	void groupsShouldHavePreferredVersions() {
		Answer answer = get("/apis").hasCode(200);
		assertThat(answer.body().path("kind").asString()).isEqualTo("APIGroupList");
		String expected = "{name: 'apps', versions: [{groupVersion: 'apps/v1', version: 'v1'}], "
				+ "preferredVersion: {groupVersion: 'apps/v1', version: 'v1'}}";
		assertThat((Object) named(answer.body().path("groups"), "apps")).isEqualTo(Answer.parse(expected));
		ObjectNode group = Answer.parse(expected).put("kind", "APIGroup").put("apiVersion", "v1");
		assertThat((Object) get("/apis/apps").hasCode(200).body()).isEqualTo(group);
		for (String name : List.of("batch", "networking.k8s.io", "rbac.authorization.k8s.io", "storage.k8s.io",
				"apiextensions.k8s.io", "coordination.k8s.io", "policy", "autoscaling", "discovery.k8s.io")) {
			assertThat(named(answer.body().path("groups"), name).path("name").asString()).isEqualTo(name);
		}
	}

	@Test
	void resourcesShouldSayHowTheyAreUsed() {
		Answer answer = get("/apis/apps/v1").hasCode(200);
		assertThat(answer.body().path("kind").asString()).isEqualTo("APIResourceList");
		assertThat(answer.body().path("groupVersion").asString()).isEqualTo("apps/v1");
		assertThat((Object) withoutHash(named(answer.body().path("resources"), "deployments")))
			.isEqualTo(Answer.parse("""
					{name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment',
					verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
					shortNames: ['deploy'], categories: ['all']}"""));
		assertThat((Object) withoutHash(named(answer.body().path("resources"), "deployments/status")))
			.isEqualTo(Answer.parse("""
					{name: 'deployments/status', singularName: '', namespaced: true, kind: 'Deployment',
					verbs: ['get', 'patch', 'update']}"""));
		JsonNode core = get("/api/v1").hasCode(200).body();
		assertThat(core.path("groupVersion").asString()).isEqualTo("v1");
		assertThat(named(core.path("resources"), "nodes").path("namespaced").asBoolean(true)).isFalse();
		assertThat((Object) named(core.path("resources"), "pods").path("shortNames"))
			.isEqualTo(Answer.parse("{v: ['po']}").path("v"));
		// A namespace has no deletecollection.
		assertThat(texts(named(core.path("resources"), "namespaces").path("verbs"))).containsExactly("create", "delete",
				"get", "list", "patch", "update", "watch");
	}

	@Test
	void resourcesOfUnknownGroupShouldBeNotFound() {
		get("/apis/apps/v9").hasCode(404);
		get("/apis/foo.example.com").hasCode(404);
		get("/api/v9").hasCode(404);
	}

	@Test
	void aggregatedDiscoveryShouldHoldAllResources() {
		Answer core = get("/api", "Accept", AGGREGATED).hasCode(200);
		assertThat(core.contentType()).isEqualTo(AGGREGATED);
		assertThat(core.body().path("kind").asString()).isEqualTo("APIGroupDiscoveryList");
		assertThat(core.body().path("apiVersion").asString()).isEqualTo("apidiscovery.k8s.io/v2");
		JsonNode v1 = core.body().path("items").path(0).path("versions").path(0);
		assertThat(v1.path("version").asString()).isEqualTo("v1");
		assertThat(v1.path("freshness").asString()).isEqualTo("Current");
		Answer groups = get("/apis", "Accept", AGGREGATED).hasCode(200);
		JsonNode apps = group(groups.body(), "apps").path("versions").path(0);
		assertThat(apps.path("version").asString()).isEqualTo("v1");
		assertThat((Object) resource(apps, "deployments")).isEqualTo(Answer.parse("""
				{resource: 'deployments', responseKind: {group: '', version: '', kind: 'Deployment'},
				scope: 'Namespaced', singularResource: 'deployment',
				verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
				shortNames: ['deploy'], categories: ['all'], subresources: [
				{subresource: 'scale', responseKind: {group: 'autoscaling', version: 'v1', kind: 'Scale'},
				verbs: ['get', 'patch', 'update']},
				{subresource: 'status', responseKind: {group: '', version: '', kind: 'Deployment'},
				verbs: ['get', 'patch', 'update']}]}"""));
	}

	private static JsonNode group(JsonNode list, String name) {
		for (JsonNode group : list.path("items")) {
			if (name.equals(group.path("metadata").path("name").asString())) {
				return group;
			}
		}
		return Json.object();
	}

	private static JsonNode resource(JsonNode version, String name) {
		for (JsonNode resource : version.path("resources")) {
			if (name.equals(resource.path("resource").asString())) {
				return resource;
			}
		}
		return Json.object();
	}

	private static JsonNode named(JsonNode items, String name) {
		for (JsonNode item : items) {
			if (name.equals(item.path("name").asString())) {
				return item;
			}
		}
		return Json.object();
	}

	private static JsonNode withoutHash(JsonNode resource) {
		((ObjectNode) resource).remove("storageVersionHash");
		return resource;
	}

	private static List<String> texts(JsonNode array) {
		List<String> texts = new ArrayList<>();
		array.forEach((item) -> texts.add(item.asString()));
		return texts;
	}

}
