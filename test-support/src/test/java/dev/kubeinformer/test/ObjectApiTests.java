package dev.kubeinformer.test;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ObjectApiTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

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
	void createWhenNewShouldFillInMetadata() {
		HttpResponse<String> response = this.client.send("POST", CONFIG_MAPS,
				"{\"metadata\":{\"generateName\":\"a-\"},\"data\":{\"k\":\"v\"}}");
		assertThat(response.statusCode()).isEqualTo(201);
		JsonNode created = TestClient.json(response);
		JsonNode metadata = created.path("metadata");
		assertThat(created.path("kind").asString()).isEqualTo("ConfigMap");
		assertThat(created.path("apiVersion").asString()).isEqualTo("v1");
		assertThat(metadata.path("name").asString()).matches("a-[a-z0-9]{5}");
		assertThat(metadata.path("namespace").asString()).isEqualTo("default");
		assertThat(metadata.path("uid").asString()).isNotEmpty();
		assertThat(metadata.path("creationTimestamp").asString()).endsWith("Z");
		assertThat(metadata.path("resourceVersion").asString()).isEqualTo(this.api.resourceVersion());
		assertThat(metadata.has("generation")).isFalse();
	}

	@Test
	void createWhenNameIsTakenShouldAnswerAlreadyExists() {
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		HttpResponse<String> response = this.client.send("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\"}}");
		assertThat(response.statusCode()).isEqualTo(409);
		assertThat(TestClient.json(response).path("reason").asString()).isEqualTo("AlreadyExists");
		assertThat(TestClient.json(response).path("message").asString()).isEqualTo("configmaps \"a\" already exists");
	}

	@Test
	void createWhenBodyIsWrongShouldAnswerWhy() {
		assertThat(this.client.send("POST", CONFIG_MAPS, "{\"metadata\":{}}").statusCode()).isEqualTo(422);
		assertThat(this.client.send("POST", CONFIG_MAPS, "{\"metadata\":").statusCode()).isEqualTo(400);
		assertThat(this.client.send("POST", CONFIG_MAPS, "[]").statusCode()).isEqualTo(400);
		assertThat(this.client.send("POST", CONFIG_MAPS, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}").body())
			.contains("cannot be handled as a ConfigMap");
		assertThat(this.client.send("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\",\"namespace\":\"other\"}}")
			.statusCode()).isEqualTo(400);
		HttpResponse<String> text = this.client.send("POST", CONFIG_MAPS, "a: b", "Content-Type", "text/plain");
		assertThat(text.statusCode()).isEqualTo(415);
		assertThat(text.body()).contains("application/json, application/yaml");
	}

	@Test
	void updateWhenResourceVersionIsStaleShouldConflict() {
		ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);
		V1ConfigMap first = configMaps.create(TestObjects.configMap("a", "1"));
		configMaps.update(TestObjects.configMap("a", "2"));
		assertThatExceptionOfType(StatusException.class)
			.isThrownBy(() -> configMaps.update(first.data(Map.of("value", "3"))))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(409))
			.withMessageContaining("the object has been modified");
	}

	@Test
	void updateWhenNothingChangesShouldMakeNoRevision() {
		ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);
		configMaps.create(TestObjects.configMap("a", "1"));
		String before = this.api.resourceVersion();
		V1ConfigMap updated = configMaps.update(TestObjects.configMap("a", "1"));
		assertThat(this.api.resourceVersion()).isEqualTo(before);
		assertThat(updated.getMetadata().getResourceVersion()).isEqualTo(before);
	}

	@Test
	void updateWhenSpecChangesShouldCountGeneration() {
		ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);
		V1Pod pod = pods.create(TestObjects.pod("default", "a"));
		assertThat(pod.getMetadata().getGeneration()).isEqualTo(1);
		pod = pods.update(pod.status(new V1PodStatus().phase("Running")));
		assertThat(pod.getMetadata().getGeneration()).isEqualTo(1);
		pod.getSpec().setNodeName("node-2");
		pod = pods.update(pod);
		assertThat(pod.getMetadata().getGeneration()).isEqualTo(2);
		assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
	}

	@Test
	void updateWhenStatusSubresourceShouldChangeOnlyStatus() {
		this.api.resources(V1Pod.class).create(TestObjects.pod("default", "a"));
		HttpResponse<String> response = this.client.send("PUT", "/api/v1/namespaces/default/pods/a/status",
				"{\"metadata\":{\"name\":\"a\"},\"spec\":{\"nodeName\":\"other\"},\"status\":{\"phase\":\"Failed\"}}");
		assertThat(response.statusCode()).isEqualTo(200);
		V1Pod pod = this.api.resources(V1Pod.class).get("default", "a");
		assertThat(pod).isNotNull();
		assertThat(pod.getStatus().getPhase()).isEqualTo("Failed");
		assertThat(pod.getSpec().getNodeName()).isEqualTo("node-1");
	}

	@Test
	void updateWhenNameDiffersFromPathShouldAnswerBadRequest() {
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		HttpResponse<String> response = this.client.send("PUT", CONFIG_MAPS + "/a", "{\"metadata\":{\"name\":\"b\"}}");
		assertThat(response.statusCode()).isEqualTo(400);
	}

	@Test
	void patchWhenMergePatchShouldMerge() {
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		HttpResponse<String> response = this.client.send("PATCH", CONFIG_MAPS + "/a",
				"{\"data\":{\"value\":null,\"other\":\"x\"}}", "Content-Type", "application/merge-patch+json");
		assertThat(response.statusCode()).isEqualTo(200);
		V1ConfigMap patched = this.api.resources(V1ConfigMap.class).get("a");
		assertThat(patched).isNotNull();
		assertThat(patched.getData()).containsExactly(Map.entry("other", "x"));
	}

	@Test
	void deleteWhenPodIsOnNoNodeShouldReturnLastStateWithRevisionOfDelete() {
		this.api.resources(V1Pod.class).create(new V1Pod().metadata(new V1ObjectMeta().name("a").namespace("default")));
		HttpResponse<String> response = this.client.send("DELETE", "/api/v1/namespaces/default/pods/a", "");
		JsonNode deleted = TestClient.json(response);
		assertThat(deleted.path("kind").asString()).isEqualTo("Pod");
		assertThat(deleted.path("metadata").path("resourceVersion").asString()).isEqualTo(this.api.resourceVersion());
		assertThat(this.client.get("/api/v1/namespaces/default/pods/a").statusCode()).isEqualTo(404);
	}

	@Test
	void deleteWhenConfigMapShouldReturnStatus() {
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		JsonNode status = TestClient.json(this.client.send("DELETE", CONFIG_MAPS + "/a", ""));
		assertThat(status.path("kind").asString()).isEqualTo("Status");
		assertThat(status.path("status").asString()).isEqualTo("Success");
		assertThat(status.path("details").path("kind").asString()).isEqualTo("configmaps");
	}

	@Test
	void getWhenMissingShouldAnswerNotFoundWithDetails() {
		JsonNode status = this.client.json("/apis/apps/v1/namespaces/default/deployments/a");
		assertThat(status.path("message").asString()).isEqualTo("deployments.apps \"a\" not found");
		assertThat(status.path("details").path("group").asString()).isEqualTo("apps");
		assertThat(status.path("code").asInt()).isEqualTo(404);
	}

	@Test
	void requestWhenPathOrVerbIsUnknownShouldAnswerStatus() {
		assertThat(this.client.json("/api/v1/foos").path("reason").asString()).isEqualTo("NotFound");
		HttpResponse<String> unknownGroup = this.client.get("/apis/example.com/v1/foos");
		assertThat(unknownGroup.statusCode()).isEqualTo(404);
		assertThat(unknownGroup.body()).isEqualToIgnoringNewLines("404 page not found");
		assertThat(this.client.send("POST", CONFIG_MAPS + "/a", "{}").statusCode()).isEqualTo(405);
		assertThat(this.client.send("POST", "/api/v1/configmaps", "{}").statusCode()).isEqualTo(405);
		assertThat(this.client.send("DELETE", "/api/v1/configmaps", "").statusCode()).isEqualTo(405);
		assertThat(this.client.send("DELETE", "/api/v1/namespaces", "").statusCode()).isEqualTo(405);
	}

	// As kube-apiserver 1.37 answers.
	@Test
	void requestWhenBodyIsTooLargeShouldBeRefused() {
		String filled = "{\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":\"%s\"}}";
		String longest = filled.formatted("x".repeat(3 * 1024 * 1024 - filled.length() + 2));
		assertThat(this.client.send("POST", CONFIG_MAPS, longest).statusCode()).isNotEqualTo(413);
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("b", "1"));
		for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
			String path = method.equals("POST") ? CONFIG_MAPS : CONFIG_MAPS + "/b";
			String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
			HttpResponse<String> response = this.client.send(method, path, longest + " ", "Content-Type", type);
			assertThat(response.statusCode()).as(method).isEqualTo(413);
			assertThat(TestClient.json(response)).hasToString(
					"{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"Request entity too large: limit is 3145728\",\"reason\":\"RequestEntityTooLarge\",\"code\":413}");
		}
		assertThat(this.client.get(CONFIG_MAPS + "/b").statusCode()).isEqualTo(200);
	}

	@Test
	void requestForAnotherHostShouldBeRefused() throws IOException {
		try (EmbeddedKubernetes named = EmbeddedKubernetes.builder().hosts("api.Example.com").start()) {
			for (String host : List.of("localhost", "LocalHost:1", "127.0.0.1:80", "127.1.2.3", "[::1]:8080",
					"api.example.com:6443")) {
				assertThat(answer(named, host)).as(host).startsWith("HTTP/1.1 200 ");
			}
			for (String host : List.of("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80",
					"10.0.0.1", "[::2]", "example.com")) {
				assertThat(answer(named, host)).as(host)
					.startsWith("HTTP/1.1 403 ")
					.contains("\"reason\":\"Forbidden\"", "is not this server", "hosts(");
			}
			assertThat(named.requests().stream().filter((request) -> request.status() == 403)).hasSize(6);
		}
		assertThat(answer(this.api, "api.example.com")).startsWith("HTTP/1.1 403 ");
	}

	private static String answer(EmbeddedKubernetes server, String host) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", server.port())) {
			socket.setSoTimeout(60_000);
			write(socket, "GET /api/v1/pods HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
		}
	}

	@Test
	void requestWhenRefusedShouldBeReadToItsEndAndLeaveTheConnectionOpen() throws IOException {
		try (Socket socket = new Socket("127.0.0.1", URI.create(this.api.url()).getPort())) {
			write(socket, "POST /api/v1/configmaps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n");
			socket.setSoTimeout(200);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(socket.getInputStream()::read);
			socket.setSoTimeout(60_000);
			write(socket, "{}GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
				.containsSubsequence("HTTP/1.1 405 ", "HTTP/1.1 200 ");
		}
	}

	@Test
	void requestWhenAcceptIsNotJsonShouldAnswerNotAcceptable() {
		assertThat(this.client.get(CONFIG_MAPS, "Accept", "application/vnd.kubernetes.protobuf").statusCode())
			.isEqualTo(406);
		assertThat(this.client.get(CONFIG_MAPS, "Accept", "application/vnd.kubernetes.protobuf, application/json")
			.statusCode()).isEqualTo(200);
	}

	@Test
	void resourcesWhenClusterScopedShouldLiveWithoutNamespace() {
		ApiResources<V1Namespace> namespaces = this.api.resources(V1Namespace.class);
		namespaces.create(new V1Namespace().metadata(new V1ObjectMeta().name("one")));
		assertThat(this.client.json("/api/v1/namespaces/one").path("kind").asString()).isEqualTo("Namespace");
		assertThat(namespaces.list()).extracting((namespace) -> namespace.getMetadata().getName())
			.containsExactly("default", "kube-node-lease", "kube-public", "kube-system", "one");
		namespaces.delete("one");
		assertThat(namespaces.get("one")).isNull();
	}

	@Test
	void resourcesWhenSeveralVersionsShouldShareStorage() {
		this.client.send("POST", "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
				"{\"metadata\":{\"name\":\"a\"},\"spec\":{\"maxReplicas\":2,\"scaleTargetRef\":"
						+ "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"d\"}}}");
		JsonNode second = this.client.json("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/a");
		assertThat(second.path("apiVersion").asString()).isEqualTo("autoscaling/v2");
	}

	@Test
	void resourcesWhenModelIsNoResourceShouldThrow() {
		assertThat(this.api.resources(V1Deployment.class).list()).isEmpty();
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> this.api.resources(Unknown.class))
			.withMessageContaining(Unknown.class.getName());
	}

	private static void write(Socket socket, String text) throws IOException {
		socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * A model of nothing.
	 */
	abstract static class Unknown implements io.kubernetes.client.common.KubernetesObject {

	}

}
