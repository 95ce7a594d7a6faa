package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.util.List;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.json.Models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link ApiResources#asClient()}.
 */
class ClientWritesTests {

	private static final String DEFINITION = """
			{"metadata": {"name": "webapps.example.com"}, "spec": {"group": "example.com", "scope": "Namespaced",
			"names": {"plural": "webapps", "kind": "WebApp"}, "versions": [{"name": "v1", "served": true,
			"storage": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": {"type": "object",
			"required": ["spec"], "properties": {
				"spec": {"type": "object", "required": ["image"], "properties": {
					"image": {"type": "string", "minLength": 1},
					"replicas": {"type": "integer", "format": "int32", "minimum": 0, "default": 1},
					"max": {"type": "integer"}},
					"x-kubernetes-validations": [{"rule": "!has(self.max) || self.replicas <= self.max",
						"message": "too many replicas"}]},
				"status": {"type": "object", "properties": {"ready": {"type": "integer"}}}}}}}]}}
			""";

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String WEB_APPS = "/apis/example.com/v1/namespaces/default/webapps";

	private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes other = EmbeddedKubernetes.start();

	private final TestClient http = new TestClient(this.other.url());

	private ApiResources<DynamicKubernetesObject> webApps;

	@BeforeEach
	void setUp() {
		for (EmbeddedKubernetes server : List.of(this.api, this.other)) {
			assertThat(new TestClient(server.url()).send("POST", DEFINITIONS, DEFINITION).statusCode()).isEqualTo(201);
		}
		this.webApps = webApps(this.api);
	}

	@AfterEach
	void tearDown() {
		this.api.close();
		this.other.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'metadata': {'name': 'web'}, 'spec': {'image': 'nginx'}}",
			"{'metadata': {'name': 'web'}, 'spec': {'image': 'nginx', 'color': 'red'}, 'status': {'ready': 3}}",
			"{'metadata': {'generateName': 'web-'}, 'spec': {'image': 'nginx', 'replicas': 0}}",
			"{'metadata': {'name': 'web'}, 'spec': {'image': 'nginx', 'replicas': -1}}",
			"{'metadata': {'name': 'web'}, 'spec': {'image': '', 'replicas': '2'}}",
			"{'metadata': {'name': 'web'}, 'spec': {'image': 'nginx', 'replicas': 2, 'max': 1}}",
			"{'metadata': {'name': 'web'}}", "{'metadata': {'name': 'My_App'}, 'spec': {'image': 'nginx'}}",
			"{'metadata': {'name': 'web', 'labels': {'a': '?'}, 'annotations': {'b c': '1'}}, 'spec': {'image': ''}}" })
	void createWhenCustomShouldBeThatOfAClient(String object) {
		String json = object.replace('\'', '"');
		assertThat(outcome(json)).isEqualTo(httpOutcome(WEB_APPS, typed(json, "example.com/v1", "WebApp")));
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"{'replicas': 2, 'selector': {'matchLabels': {'a': 'b'}}, 'template': {'metadata': "
					+ "{'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'web', 'image': 'nginx'}]}}}",
			"{'replicas': -1, 'selector': {'matchLabels': {'a': 'b'}}, 'template': {'metadata': {'labels': "
					+ "{'a': 'b'}}, 'spec': {'containers': [{'name': 'web'}]}}}",
			"{'selector': {'matchLabels': {'a': 'b'}}, 'template': {'metadata': {'labels': {'a': 'c'}}, 'spec': "
					+ "{'containers': [{'name': 'web', 'image': 'nginx'}]}}}",
			"{}" })
	void createWhenBuiltInShouldBeThatOfAClient(String spec) {
		String json = "{\"metadata\": {\"name\": \"web\"}, \"spec\": " + spec.replace('\'', '"') + "}";
		Models models = new Models();
		ApiResources<V1Deployment> deployments = this.api.resources(V1Deployment.class).asClient();
		String outcome;
		try {
			outcome = comparable(
					models.toJson(deployments.create(models.fromJson(Json.utf8(json), V1Deployment.class))));
		}
		catch (StatusException ex) {
			outcome = ex.code() + " " + ex.reason() + " " + ex.getMessage();
		}
		assertThat(outcome).isEqualTo(httpOutcome(DEPLOYMENTS, typed(json, "apps/v1", "Deployment")));
	}

	@Test
	void createWhenNotAsClientShouldNotValidate() {
		this.webApps.create(webApp("web", -1));
		assertThat(replicas("web")).isEqualTo(-1);
		assertThatExceptionOfType(StatusException.class)
			.isThrownBy(() -> this.webApps.asClient().create(webApp("other", -1)))
			.withMessage("WebApp.example.com \"other\" is invalid: spec.replicas: Invalid value: -1: spec.replicas in "
					+ "body should be greater than or equal to 0")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(422))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("Invalid"));
		assertThat(this.webApps.get("other")).isNull();
		assertThat(this.webApps.asClient().asClient().list()).hasSize(1);
	}

	// As kube-apiserver 1.37 does, which checks the metadata before the schema.
	@Test
	void createWhenLabelsAreInvalidShouldBeRefused() {
		DynamicKubernetesObject object = webApp("web", -1);
		object.setMetadata(object.getMetadata().putLabelsItem("a", "?").putAnnotationsItem("b c", "1"));
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> this.webApps.asClient().create(object))
			.withMessageContainingAll("[metadata.labels: Invalid value: \"?\": a valid label must be",
					", metadata.annotations: Invalid value: \"b c\": name part must consist of",
					", spec.replicas: Invalid value: -1");
		this.webApps.create(object);
		this.webApps.asClient().edit("web", (app) -> spec(app).addProperty("replicas", 1));
		assertThatExceptionOfType(StatusException.class)
			.isThrownBy(() -> this.webApps.asClient()
				.edit("web", (app) -> app.setMetadata(app.getMetadata().putLabelsItem("a", "!"))))
			.withMessageContaining("metadata.labels: Invalid value: \"!\"");
	}

	@Test
	void createWhenNamespaceIsMissingShouldBeRefused() {
		V1ConfigMap object = TestObjects.configMap("a", "1");
		object.getMetadata().setNamespace("shop");
		ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class).asClient();
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> configMaps.create(object))
			.withMessage("namespaces \"shop\" not found")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(404));
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> configMaps.createOrUpdate(object))
			.withMessage("namespaces \"shop\" not found");
		this.api.resources(V1Namespace.class)
			.create(new Models().fromJson(Json.utf8("{\"metadata\": {\"name\": \"shop\"}}"), V1Namespace.class));
		configMaps.createOrUpdate(object);
		assertThat(configMaps.list("shop")).hasSize(1);
	}

	@Test
	void editShouldValidateAndLeaveTheStatusOut() {
		ApiResources<DynamicKubernetesObject> client = this.webApps.asClient();
		client.create(webApp("web", 1));
		assertThatExceptionOfType(StatusException.class)
			.isThrownBy(() -> client.edit("web", (app) -> spec(app).addProperty("replicas", -2)))
			.withMessageContaining("spec.replicas in body should be greater than or equal to 0");
		DynamicKubernetesObject edited = client.edit("web", (app) -> {
			spec(app).addProperty("replicas", 5);
			app.getRaw().add("status", JsonParser.parseString("{\"ready\": 5}"));
		});
		assertThat(edited.getRaw().has("status")).isFalse();
		assertThat(edited.getMetadata().getGeneration()).isEqualTo(2);
		this.webApps.edit("web", (app) -> app.getRaw().add("status", JsonParser.parseString("{\"ready\": 5}")));
		DynamicKubernetesObject last = client.edit("web", (app) -> spec(app).addProperty("replicas", 6));
		assertThat(last.getRaw().getAsJsonObject("status").get("ready").getAsInt()).isEqualTo(5);
	}

	@Test
	void updateShouldNeedTheVersionOfTheObject() {
		ApiResources<DynamicKubernetesObject> client = this.webApps.asClient();
		DynamicKubernetesObject created = client.create(webApp("web", 1));
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> client.update(webApp("web", 2)))
			.withMessageContaining("metadata.resourceVersion: Invalid value: 0: must be specified for an update");
		spec(created).addProperty("replicas", 2);
		client.update(created);
		assertThat(replicas("web")).isEqualTo(2);
		spec(created).addProperty("replicas", 3);
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> client.update(created))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("Conflict"));
		client.createOrUpdate(created);
		assertThat(replicas("web")).isEqualTo(3);
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> client.update(webApp("none", 1)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(404));
	}

	@Test
	void deleteShouldWaitForFinalizers() {
		DynamicKubernetesObject object = webApp("web", 1);
		object.setMetadata(object.getMetadata().addFinalizersItem("example.com/cleanup"));
		ApiResources<DynamicKubernetesObject> client = this.webApps.asClient();
		client.create(object);
		assertThat(client.delete("web").getMetadata().getDeletionTimestamp()).isNotNull();
		assertThat(client.get("web")).isNotNull();
		client.deleteAll();
		assertThat(client.get("web")).isNotNull();
		client.edit("web", (app) -> app.setMetadata(app.getMetadata().finalizers(null)));
		assertThat(client.get("web")).isNull();
		this.webApps.create(object);
		this.webApps.delete("web");
		assertThat(this.webApps.list()).isEmpty();
	}

	@Test
	void writesShouldMakeNoRequest() {
		this.api.reset();
		this.api.faults().on(Requests.of("webapps")).status(503);
		this.webApps.asClient().create(webApp("web", 1));
		this.webApps.asClient().delete("web");
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void fixtureThatIsIncompleteShouldStayEditableByAClient() {
		ApiResources<V1Deployment> deployments = this.api.resources(V1Deployment.class);
		deployments.create(new Models().fromJson(Json.utf8("{\"metadata\": {\"name\": \"web\"}}"), V1Deployment.class));
		deployments.asClient().edit("web", (deployment) -> deployment.getMetadata().putLabelsItem("a", "b"));
		deployments.edit("web", (deployment) -> deployment.setStatus(new V1DeploymentStatus().readyReplicas(2)));
		assertThat(deployments.get("web").getMetadata().getLabels()).containsEntry("a", "b");
		assertThat(deployments.get("web").getStatus().getReadyReplicas()).isEqualTo(2);
	}

	private String outcome(String json) {
		try {
			JsonObject raw = JsonParser.parseString(json).getAsJsonObject();
			return comparable(Json
				.readObject(this.webApps.asClient().create(new DynamicKubernetesObject(raw)).getRaw().toString()));
		}
		catch (StatusException ex) {
			return ex.code() + " " + ex.reason() + " " + ex.getMessage();
		}
	}

	private String httpOutcome(String path, String json) {
		HttpResponse<String> response = this.http.send("POST", path, json);
		ObjectNode body = TestClient.json(response);
		return (response.statusCode() == 201) ? comparable(body) : response.statusCode() + " "
				+ body.path("reason").asString("") + " " + body.path("message").asString("");
	}

	// An object without the parts that differ each time, and without the empty ones that
	// models of the official client begin with.
	private static String comparable(ObjectNode object) {
		ObjectNode metadata = object.withObject("metadata");
		metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp"));
		if (metadata.has("generateName")) {
			assertThat(metadata.path("name").asString()).startsWith("web-");
			metadata.remove("name");
		}
		return sorted(object);
	}

	private static String sorted(JsonNode node) {
		if (node instanceof ObjectNode object) {
			return object.properties()
				.stream()
				.map((field) -> field.getKey() + ":" + sorted(field.getValue()))
				.filter((field) -> !field.endsWith(":[]"))
				.sorted()
				.toList()
				.toString();
		}
		if (node.isArray()) {
			return node.valueStream().map(ClientWritesTests::sorted).toList().toString();
		}
		return node.toString();
	}

	private static String typed(String json, String apiVersion, String kind) {
		return Json.readObject(json).put("apiVersion", apiVersion).put("kind", kind).toString();
	}

	private int replicas(String name) {
		return spec(this.webApps.get(name)).get("replicas").getAsInt();
	}

	private static JsonObject spec(DynamicKubernetesObject object) {
		return object.getRaw().getAsJsonObject("spec");
	}

	private static DynamicKubernetesObject webApp(String name, int replicas) {
		return new DynamicKubernetesObject(JsonParser
			.parseString("{\"metadata\": {\"name\": \"" + name + "\"}, \"spec\": {\"image\": \"nginx\", \"replicas\": "
					+ replicas + "}}")
			.getAsJsonObject());
	}

	private static ApiResources<DynamicKubernetesObject> webApps(EmbeddedKubernetes server) {
		return server.resources(DynamicKubernetesObject.class, "example.com", "v1", "webapps");
	}

}
