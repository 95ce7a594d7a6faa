package dev.kubeinformer.test;

import java.net.http.HttpResponse;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class WriteApiTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String NODES = "/api/v1/nodes";

	private static final String PODS = "/api/v1/namespaces/default/pods";

	private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

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

	@ParameterizedTest
	@CsvSource({ CONFIG_MAPS + ",A,a lowercase RFC 1123 subdomain must consist of",
			CONFIG_MAPS + ",a_b,a lowercase RFC 1123 subdomain must consist of",
			CONFIG_MAPS + ",a..b,a lowercase RFC 1123 subdomain must consist of",
			"/api/v1/namespaces,a.b,must not contain dots",
			"/api/v1/namespaces,A,a lowercase RFC 1123 label must consist of",
			"/api/v1/namespaces/default/services,a.b,must not contain dots",
			"/apis/rbac.authorization.k8s.io/v1/clusterroles,a/b,may not contain '/'" })
	void createWhenNameIsInvalidShouldSayWhy(String path, String name, String why) {
		HttpResponse<String> response = create(path, "{'metadata':{'name':'" + name + "'}}");
		assertThat(response.statusCode()).isEqualTo(422);
		JsonNode status = TestClient.json(response);
		assertThat(status.path("reason").asString()).isEqualTo("Invalid");
		assertThat(status.path("message").asString()).contains("\"" + name + "\" is invalid: ",
				"metadata.name: Invalid value: \"" + name + "\": " + why);
		assertThat(status.path("details").path("causes").path(0).path("field").asString()).isEqualTo("metadata.name");
	}

	@Test
	void createWhenNameIsValidShouldSucceed() {
		assertThat(create(CONFIG_MAPS, "{'metadata':{'name':'a.b-c'}}").statusCode()).isEqualTo(201);
		assertThat(create(CONFIG_MAPS, "{'metadata':{'name':'" + "x".repeat(253) + "'}}").statusCode()).isEqualTo(201);
		assertThat(create(CONFIG_MAPS, "{'metadata':{'name':'" + "x".repeat(254) + "'}}").body())
			.contains("must be no more than 253 characters");
		assertThat(create("/apis/rbac.authorization.k8s.io/v1/clusterroles", "{'metadata':{'name':'System:a_b'}}")
			.statusCode()).isEqualTo(201);
		JsonNode generated = TestClient
			.json(create(CONFIG_MAPS, "{'metadata':{'generateName':'" + "x".repeat(70) + "'}}"));
		assertThat(generated.path("metadata").path("name").asString()).hasSize(63);
	}

	@Test
	void createWhenFinalizerIsNotQualifiedShouldRefuse() {
		HttpResponse<String> response = create(CONFIG_MAPS, "{'metadata':{'name':'a','finalizers':['bad']}}");
		assertThat(response.statusCode()).isEqualTo(422);
		assertThat(response.body()).contains("name is neither a standard finalizer name nor is it fully qualified");
	}

	@Test
	void createWhenClientSetsWhatTheServerDoesShouldIgnoreIt() {
		JsonNode created = TestClient.json(create(PODS, "{'metadata':{'name':'a','deletionTimestamp':"
				+ "'2020-01-01T00:00:00Z','creationTimestamp':'2020-01-01T00:00:00Z','uid':'x','resourceVersion':'0',"
				+ "'labels':{}},'spec':{'nodeName':null,'containers':[{'name':'c','image':'i'}]},"
				+ "'status':{'phase':'Running'}}"));
		assertThat(created.path("metadata").has("deletionTimestamp")).isFalse();
		assertThat(created.path("metadata").has("labels")).isFalse();
		assertThat(created.path("metadata").path("creationTimestamp").asString()).doesNotStartWith("2020-01-01");
		assertThat(created.path("metadata").path("uid").asString()).isNotEqualTo("x");
		assertThat(created.path("spec").has("nodeName")).isFalse();
		assertThat(created.path("status").toString()).isEqualTo("{\"phase\":\"Pending\"}");
		assertThat(create(CONFIG_MAPS, "{'metadata':{'name':'a','resourceVersion':'5'}}").body())
			.contains("resourceVersion should not be set on objects to be created");
	}

	@Test
	void createWhenBodyIsYamlShouldReadIt() {
		HttpResponse<String> response = this.client.send("POST", CONFIG_MAPS,
				"metadata:\n  name: yaml\ndata:\n  k: \"1\"\n", "Content-Type", "application/yaml; charset=utf-8");
		assertThat(response.statusCode()).isEqualTo(201);
		assertThat(this.client
			.send("PUT", CONFIG_MAPS + "/yaml", "metadata:\n  name: yaml\ndata:\n  k: \"2\"\n", "Content-Type",
					"application/yaml")
			.statusCode()).isEqualTo(200);
		assertThat(this.client.json(CONFIG_MAPS + "/yaml").path("data").toString()).isEqualTo("{\"k\":\"2\"}");
		assertThat(this.client.send("POST", CONFIG_MAPS, "a: [", "Content-Type", "application/yaml").statusCode())
			.isEqualTo(400);
	}

	@Test
	void writeWhenDryRunShouldAnswerButNotStore() {
		HttpResponse<String> created = create(CONFIG_MAPS + "?dryRun=All", "{'metadata':{'name':'a'}}");
		assertThat(created.statusCode()).isEqualTo(201);
		assertThat(TestClient.json(created).path("metadata").has("resourceVersion")).isFalse();
		assertThat(this.client.get(CONFIG_MAPS + "/a").statusCode()).isEqualTo(404);
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		assertThat(create(CONFIG_MAPS + "?dryRun=All", "{'metadata':{'name':'a'}}").statusCode()).isEqualTo(409);
		JsonNode updated = TestClient
			.json(put(CONFIG_MAPS + "/a?dryRun=All", "{'metadata':{'name':'a'},'data':{'b':'2'}}"));
		assertThat(updated.path("data").toString()).isEqualTo("{\"b\":\"2\"}");
		assertThat(updated.path("metadata").path("resourceVersion").asString()).isEqualTo("2");
		assertThat(this.client.json(CONFIG_MAPS + "/a").path("data").toString()).isEqualTo("{\"value\":\"1\"}");
		assertThat(this.api.resourceVersion()).isEqualTo("2");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					dryRun=Some|dryRun: Unsupported value: ["Some"]: supported values: "All"
					fieldValidation=Foo|fieldValidation: Unsupported value: "Foo": supported values: "", "Ignore", "Strict", "Warn"
					fieldManager=01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890|fieldManager: Too long: may not be more than 128 bytes
					""")
	void writeWhenOptionIsInvalidShouldSayWhy(String option, String why) {
		HttpResponse<String> response = create(CONFIG_MAPS + "?" + option, "{'metadata':{'name':'a'}}");
		assertThat(response.statusCode()).isEqualTo(422);
		assertThat(TestClient.json(response).path("message").asString())
			.isEqualTo("CreateOptions.meta.k8s.io \"\" is invalid: " + why);
	}

	@Test
	void writeWhenOptionsAreValidShouldAcceptThem() {
		assertThat(create(CONFIG_MAPS + "?fieldManager=me&fieldValidation=Strict", "{'metadata':{'name':'a'}}")
			.statusCode()).isEqualTo(201);
	}

	@Test
	void updateWhenObjectIsMissingShouldCreateOnlyWhatKubernetesDoes() {
		assertThat(put(CONFIG_MAPS + "/a", "{'metadata':{'name':'a'}}").statusCode()).isEqualTo(404);
		String leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases/a";
		HttpResponse<String> created = put(leases, "{'metadata':{'name':'a','resourceVersion':'5'},'spec':{}}");
		assertThat(created.statusCode()).isEqualTo(201);
		HttpResponse<String> unconditional = put(leases, "{'metadata':{'name':'a'},'spec':{}}");
		assertThat(unconditional.statusCode()).isEqualTo(422);
		assertThat(TestClient.json(unconditional).path("message").asString())
			.isEqualTo("leases.coordination.k8s.io \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must "
					+ "be specified for an update");
	}

	@Test
	void updateWhenNameIsMissingOrVersionIsNoNumberShouldFail() {
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		assertThat(put(CONFIG_MAPS + "/a", "{'metadata':{}}").body())
			.contains("the name of the object (a based on URL) was undeterminable: name must be provided");
		assertThat(put(CONFIG_MAPS + "/a", "{'metadata':{'name':'a','resourceVersion':'x'}}").statusCode())
			.isEqualTo(500);
		assertThat(put(CONFIG_MAPS + "/a", "{'metadata':{'name':'a','resourceVersion':'0'}}").statusCode())
			.isEqualTo(200);
		assertThat(put(CONFIG_MAPS + "/a", "{'metadata':{'name':'a','uid':'x'}}").statusCode()).isEqualTo(409);
	}

	@Test
	void updateWhenResourceHasStatusShouldKeepIt() {
		create(NODES, "{'metadata':{'name':'p'}}");
		this.client.send("PATCH", NODES + "/p/status", "{\"status\":{\"phase\":\"Running\"}}", "Content-Type",
				"application/merge-patch+json");
		put(NODES + "/p", "{'metadata':{'name':'p','labels':{'a':'b'}},'status':{'phase':'Failed'}}");
		JsonNode node = this.client.json(NODES + "/p/status");
		assertThat(node.path("metadata").path("labels").toString()).isEqualTo("{\"a\":\"b\"}");
		assertThat(node.path("status").path("phase").asString()).isEqualTo("Running");
	}

	@Test
	void statusWhenMissingShouldAnswerNotFound() {
		assertThat(put(PODS + "/p/status", "{'metadata':{'name':'p'}}").body()).contains("pods \\\"p\\\" not found");
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		assertThat(this.client.json(CONFIG_MAPS + "/a/status").path("message").asString())
			.isEqualTo("the server could not find the requested resource");
	}

	@Test
	void scaleShouldReadAndWriteReplicas() {
		create(DEPLOYMENTS, "{'metadata':{'name':'d'},'spec':{'replicas':2,'selector':{'matchLabels':{'a':'b'}},"
				+ "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
		JsonNode scale = this.client.json(DEPLOYMENTS + "/d/scale");
		assertThat(scale.path("kind").asString()).isEqualTo("Scale");
		assertThat(scale.path("apiVersion").asString()).isEqualTo("autoscaling/v1");
		assertThat(scale.path("spec").toString()).isEqualTo("{\"replicas\":2}");
		assertThat(scale.path("status").toString()).isEqualTo("{\"replicas\":0,\"selector\":\"a=b\"}");
		put(DEPLOYMENTS + "/d/scale", "{'metadata':{'name':'d'},'spec':{'replicas':4}}");
		assertThat(replicas()).isEqualTo(4);
		assertThat(patchScale("{\"spec\":{\"replicas\":5}}").statusCode()).isEqualTo(200);
		assertThat(replicas()).isEqualTo(5);
		assertThat(patchScale("{\"spec\":{\"replicas\":-1}}").body())
			.contains("Scale.autoscaling \\\"d\\\" is invalid: spec.replicas: Invalid value: -1");
		assertThat(
				put(DEPLOYMENTS + "/d/scale", "{'metadata':{'name':'d','resourceVersion':'1'},'spec':{}}").statusCode())
			.isEqualTo(409);
		assertThat(this.client.get(CONFIG_MAPS + "/a/scale").statusCode()).isEqualTo(404);
	}

	private int replicas() {
		return this.client.json(DEPLOYMENTS + "/d").path("spec").path("replicas").asInt();
	}

	private HttpResponse<String> patchScale(String body) {
		return this.client.send("PATCH", DEPLOYMENTS + "/d/scale", body, "Content-Type",
				"application/merge-patch+json");
	}

	private HttpResponse<String> create(String path, String body) {
		return this.client.send("POST", path, body.replace('\'', '"'));
	}

	private HttpResponse<String> put(String path, String body) {
		return this.client.send("PUT", path, body.replace('\'', '"'));
	}

}
