package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.util.List;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AccessTests {

	private static final String PODS = "/api/v1/namespaces/default/pods";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.user("admin", "admin-token", ApiUser::allowAll)
		.user("viewer", "viewer-token")
		.start();

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
	void requestWhenTokenIsMissingOrUnknownShouldBeUnauthorized() {
		for (String path : List.of(PODS, "/readyz", "/apis")) {
			assertThat(this.client.get(path).statusCode()).isEqualTo(401);
		}
		assertThat(this.client.get("/version").statusCode()).as("as in Kubernetes").isEqualTo(200);
		assertThat(this.client.get("/version", "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
		HttpResponse<String> response = this.client.get(PODS, "Authorization", "Bearer wrong");
		assertThat(response.statusCode()).isEqualTo(401);
		assertThat(TestClient.json(response)).isEqualTo(Json.readObject("""
				{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized",
				"reason":"Unauthorized","code":401}"""));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					GET | /api/v1/pods | pods is forbidden: User "viewer" cannot list resource "pods" in API group "" at the cluster scope
					GET | /api/v1/namespaces/default/pods | pods is forbidden: User "viewer" cannot list resource "pods" in API group "" in the namespace "default"
					GET | /api/v1/namespaces/default/pods/x | pods "x" is forbidden: User "viewer" cannot get resource "pods" in API group "" in the namespace "default"
					GET | /api/v1/pods?watch=1 | pods is forbidden: User "viewer" cannot watch resource "pods" in API group "" at the cluster scope
					GET | /api/v1/namespaces/foo | namespaces "foo" is forbidden: User "viewer" cannot get resource "namespaces" in API group "" in the namespace "foo"
					GET | /apis/apps/v1/namespaces/a/deployments/b/status | deployments.apps "b" is forbidden: User "viewer" cannot get resource "deployments/status" in API group "apps" in the namespace "a"
					GET | /apis/example.com/v1/foos | foos.example.com is forbidden: User "viewer" cannot list resource "foos" in API group "example.com" at the cluster scope
					DELETE | /api/v1/namespaces/default/pods | pods is forbidden: User "viewer" cannot deletecollection resource "pods" in API group "" in the namespace "default"
					PATCH | /api/v1/namespaces/default/pods/x | pods "x" is forbidden: User "viewer" cannot patch resource "pods" in API group "" in the namespace "default"
					GET | /metrics | forbidden: User "viewer" cannot get path "/metrics"
					""")
	void requestWhenNotAllowedShouldBeForbiddenInTheRealWords(String method, String path, String message) {
		HttpResponse<String> response = this.client.send(method, path, "", "Authorization", "Bearer viewer-token");
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(TestClient.json(response).path("message").asString()).isEqualTo(message);
		assertThat(TestClient.json(response).path("reason").asString()).isEqualTo("Forbidden");
	}

	@Test
	void forbiddenWhenAboutAnObjectShouldNameItInTheDetails() {
		JsonNode details = TestClient.json(as("viewer", "/apis/apps/v1/namespaces/a/deployments/b")).path("details");
		assertThat(details).isEqualTo(Json.readObject("""
				{"name":"b","group":"apps","kind":"deployments"}"""));
	}

	@Test
	void discoveryWhenAuthenticatedShouldBeReadable() {
		for (String path : List.of("/readyz", "/livez/ping", "/version", "/api", "/api/v1", "/apis", "/apis/apps/v1",
				"/openapi/v3")) {
			assertThat(as("viewer", path).statusCode()).as(path).isEqualTo(200);
		}
	}

	@Test
	void rightsWhenGivenAndTakenShouldTakeEffectAtOnce() {
		ApiUser viewer = this.api.user("viewer");
		viewer.allow("list,get", "pods", "default");
		assertThat(as("viewer", PODS).statusCode()).isEqualTo(200);
		assertThat(as("viewer", PODS + "/missing").statusCode()).isEqualTo(404);
		assertThat(as("viewer", PODS + "/missing/status").statusCode()).isEqualTo(403);
		assertThat(as("viewer", "/api/v1/pods").statusCode()).isEqualTo(403);
		assertThat(as("viewer", "/api/v1/namespaces/other/pods").statusCode()).isEqualTo(403);
		viewer.revoke("list", "pods", "default");
		assertThat(as("viewer", PODS).statusCode()).isEqualTo(403);
		viewer.allow("*", "deployments.apps,pods/status");
		assertThat(as("viewer", "/apis/apps/v1/deployments").statusCode()).isEqualTo(200);
		assertThat(as("viewer", PODS + "/missing/status").statusCode()).isEqualTo(404);
		viewer.revokeAll();
		assertThat(as("viewer", "/apis/apps/v1/deployments").statusCode()).isEqualTo(403);
		assertThatIllegalArgumentException().isThrownBy(() -> this.api.user("nobody")).withMessageContaining("nobody");
	}

	@Test
	void upsertWhenUserMayNotCreateShouldBeForbiddenOnlyIfItCreates() {
		this.api.user("viewer").allow("patch,update", "configmaps,leases.coordination.k8s.io");
		String path = "/api/v1/namespaces/default/configmaps/n?fieldManager=one";
		String configMap = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\"}}";
		String[] apply = { "Content-Type", "application/apply-patch+yaml", "Authorization", "Bearer viewer-token" };
		HttpResponse<String> refused = this.client.send("PATCH", path, configMap, apply);
		assertThat(refused.statusCode()).isEqualTo(403);
		assertThat(TestClient.json(refused).path("message").asString())
			.isEqualTo("configmaps \"n\" is forbidden: User \"viewer\" cannot create resource \"configmaps\" in API "
					+ "group \"\" in the namespace \"default\"");
		String lease = "{\"metadata\":{\"name\":\"n\"},\"spec\":{}}";
		String[] put = { "Content-Type", "application/json", "Authorization", "Bearer viewer-token" };
		HttpResponse<String> notPut = this.client.send("PUT",
				"/apis/coordination.k8s.io/v1/namespaces/default/leases/n", lease, put);
		assertThat(TestClient.json(notPut).path("message").asString())
			.isEqualTo("leases.coordination.k8s.io \"n\" is forbidden: User \"viewer\" cannot create resource "
					+ "\"leases\" in API group \"coordination.k8s.io\" in the namespace \"default\"");
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("n", "1"));
		assertThat(this.client.send("PATCH", path, configMap, apply).statusCode()).isEqualTo(200);
	}

	@Test
	void userWhenAllowedEverythingShouldReadEveryPath() {
		assertThat(as("admin", "/api/v1/secrets").statusCode()).isEqualTo(200);
		assertThat(as("admin", "/metrics").statusCode()).isEqualTo(404);
	}

	@Test
	void selfReviewWhenAskedShouldAnswerFromTheRights() {
		String review = """
				{"spec":{"resourceAttributes":{"namespace":"default","verb":"list","resource":"pods"}}}""";
		String path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
		JsonNode refused = TestClient
			.json(this.client.send("POST", path, review, "Authorization", "Bearer viewer-token"));
		assertThat(refused.path("status").path("allowed").asBoolean()).isFalse();
		this.api.user("viewer").allow("list", "pods");
		JsonNode allowed = TestClient
			.json(this.client.send("POST", path, review, "Authorization", "Bearer viewer-token"));
		assertThat(allowed.path("status").path("allowed").asBoolean()).isTrue();
	}

	private HttpResponse<String> as(String user, String path) {
		return this.client.get(path, "Authorization", "Bearer " + user + "-token");
	}

}
