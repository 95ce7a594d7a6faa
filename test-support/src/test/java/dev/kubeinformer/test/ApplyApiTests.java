package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class ApplyApiTests {

	private static final String PATH = "/api/v1/namespaces/default/configmaps/s";

	private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/s";

	// An object to merge need not be complete.
	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().validation(false).start();

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
	void applyWhenObjectIsMissingShouldCreateItAndRecordTheManager() {
		HttpResponse<String> response = apply("one", "{'a':'1','b':'1'}");
		assertThat(response.statusCode()).isEqualTo(201);
		JsonNode entry = TestClient.json(response).path("metadata").path("managedFields").path(0);
		assertThat(entry.path("manager").asString()).isEqualTo("one");
		assertThat(entry.path("operation").asString()).isEqualTo("Apply");
		assertThat(entry.path("fieldsV1").toString()).isEqualTo(json("{'f:data':{'f:a':{},'f:b':{}}}"));
	}

	@Test
	void applyWhenNothingChangesShouldMakeNoRevision() {
		apply("one", "{'a':'1'}");
		String before = this.api.resourceVersion();
		assertThat(apply("one", "{'a':'1'}").statusCode()).isEqualTo(200);
		assertThat(this.api.resourceVersion()).isEqualTo(before);
	}

	@Test
	void applyWhenFieldIsLeftOutShouldRemoveItUnlessItIsShared() {
		apply("one", "{'a':'1','b':'1'}");
		assertThat(apply("two", "{'b':'1','c':'2'}").statusCode()).isEqualTo(200);
		apply("one", "{'a':'1'}");
		assertThat(data()).isEqualTo(json("{'a':'1','b':'1','c':'2'}"));
		apply("two", "{'c':'2'}");
		assertThat(data()).isEqualTo(json("{'a':'1','c':'2'}"));
	}

	@Test
	void applyWhenFieldHasAnotherManagerShouldConflictUnlessForced() {
		apply("one", "{'a':'1'}");
		HttpResponse<String> conflict = apply("two", "{'a':'2','c':'2'}");
		assertThat(conflict.statusCode()).isEqualTo(409);
		JsonNode status = TestClient.json(conflict);
		assertThat(status.path("message").asString())
			.isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .data.a");
		assertThat(status.path("details").toString()).isEqualTo(json("{'causes':[{'reason':'FieldManagerConflict',"
				+ "'message':'conflict with \\'one\\'','field':'.data.a'}]}"));
		assertThat(data()).isEqualTo(json("{'a':'1'}"));
		assertThat(apply("two&force=true", "{'a':'2','c':'2'}").statusCode()).isEqualTo(200);
		assertThat(data()).isEqualTo(json("{'a':'2','c':'2'}"));
		assertThat(managers()).containsExactly("two Apply");
	}

	@Test
	void applyWhenFieldWasUpdatedShouldConflictWithTheUpdater() {
		apply("one", "{'a':'1'}");
		this.client.send("PATCH", PATH + "?fieldManager=upd", json("{'data':{'a':'2','z':'1'}}"), "Content-Type",
				"application/merge-patch+json");
		assertThat(managers()).containsExactly("upd Update");
		assertThat(TestClient.json(apply("one", "{'a':'3'}")).path("message").asString())
			.isEqualTo("Apply failed with 1 conflict: conflict with \"upd\" using v1: .data.a");
		assertThat(apply("one", "{'a':'2'}").statusCode()).isEqualTo(200);
		assertThat(managers()).containsExactly("one Apply", "upd Update");
	}

	@Test
	void applyWhenObjectWasNeverAppliedShouldConflictWithWhatIsThere() {
		this.client.send("POST", "/api/v1/namespaces/default/configmaps",
				json("{'metadata':{'name':'s'},'data':{'a':'1'}}"));
		assertThat(apply("one", "{'a':'2'}").body()).contains("before-first-apply");
		assertThat(apply("one", "{'b':'2'}").statusCode()).isEqualTo(200);
		assertThat(data()).isEqualTo(json("{'a':'1','b':'2'}"));
	}

	@Test
	void createWhenManagerIsNamedShouldRecordIt() {
		this.client.send("POST", "/api/v1/namespaces/default/configmaps?fieldManager=one",
				json("{'metadata':{'name':'s'},'data':{'a':'1','b':'1'}}"));
		assertThat(managers()).containsExactly("one Update");
		assertThat(apply("one", "{'a':'1'}").statusCode()).isEqualTo(200);
		assertThat(managers()).containsExactly("one Apply", "one Update");
		assertThat(data()).isEqualTo(json("{'a':'1','b':'1'}"));
	}

	@Test
	void patchWhenManagerIsNamedShouldRecordIt() {
		this.client.send("POST", "/api/v1/namespaces/default/configmaps",
				json("{'metadata':{'name':'s'},'data':{'a':'1'}}"));
		this.client.send("PATCH", PATH + "?fieldManager=upd", json("{'data':{'b':'2'}}"), "Content-Type",
				"application/merge-patch+json");
		assertThat(managers()).containsExactly("upd Update");
	}

	@Test
	void patchWhenManagersAreChangedShouldTakeThem() {
		apply("one", "{'a':'1'}");
		this.client.send("PATCH", PATH + "?fieldManager=upd", json("{'data':{'b':'2'}}"), "Content-Type",
				"application/merge-patch+json");
		String entry = this.client.json(PATH).path("metadata").path("managedFields").path(1).toString();
		this.client.send("PATCH", PATH + "?fieldManager=one",
				"[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":["
						+ entry.replace("upd", "one").replace("Update", "Apply") + "]}]",
				"Content-Type", "application/json-patch+json");
		assertThat(managers()).containsExactly("one Apply");
		apply("one", "{'a':'1'}");
		assertThat(data()).isEqualTo(json("{'a':'1'}"));
	}

	@Test
	void applyWhenManagedFieldsAreResetShouldForgetManagers() {
		apply("one", "{'a':'1'}");
		this.client.send("PATCH", PATH, json("{'metadata':{'managedFields':[{}]}}"), "Content-Type",
				"application/merge-patch+json");
		assertThat(managers()).isEmpty();
	}

	@Test
	void applyWhenEmptyMapIsFilledAndEmptiedShouldKeepWhatIsApplied() {
		String empty = "{'containers':[{'name':'c','resources':{}}],'volumes':[{'name':'v','emptyDir':{}}]}";
		String filled = "{'containers':[{'name':'c','resources':{'limits':{'cpu':'1'}}}],"
				+ "'volumes':[{'name':'v','emptyDir':{'sizeLimit':'1Gi'}}]}";
		for (String podSpec : List.of(empty, filled, empty, filled)) {
			deployment("one", podSpec);
			assertThat(this.client.json(DEPLOYMENT).path("spec").path("template").path("spec").toString())
				.isEqualTo(json(podSpec));
			String before = this.api.resourceVersion();
			deployment("one", podSpec);
			assertThat(this.api.resourceVersion()).isEqualTo(before);
		}
		for (String data : List.of("{}", "{'a':'1'}", "{}", "{'a':'2'}")) {
			apply("one", data);
			assertThat(data()).isEqualTo(json(data));
			String before = this.api.resourceVersion();
			apply("one", data);
			assertThat(this.api.resourceVersion()).isEqualTo(before);
		}
	}

	@Test
	void applyWhenListHasKeysShouldMergeItemsAndRemoveOnlyOwnOnes() {
		deployment("one", "{'containers':[{'name':'c','image':'i','env':[{'name':'A','value':'1'},"
				+ "{'name':'B','value':'1'}],'ports':[{'containerPort':80}]}]}");
		deployment("two", "{'containers':[{'name':'d','image':'i'}]}");
		deployment("one", "{'containers':[{'name':'c','image':'j','env':[{'name':'B','value':'1'}]}]}");
		assertThat(this.client.json(DEPLOYMENT).path("spec").path("template").path("spec").toString())
			.isEqualTo(json("{'containers':[{'name':'c','image':'j','env':[{'name':'B','value':'1'}]},"
					+ "{'name':'d','image':'i'}]}"));
		HttpResponse<String> conflict = deployment("two",
				"{'containers':[{'name':'c','image':'x','env':[{'name':'B','value':'3'}]}]}");
		assertThat(TestClient.json(conflict).path("message").asString())
			.isEqualTo("Apply failed with 2 conflicts: conflicts with \"one\":\n"
					+ "- .spec.template.spec.containers[name=\"c\"].image\n"
					+ "- .spec.template.spec.containers[name=\"c\"].env[name=\"B\"].value");
	}

	@Test
	void applyWhenStatusShouldChangeNothingElse() {
		deployment("one", "{'containers':[{'name':'c','image':'i'}]}");
		HttpResponse<String> response = send(DEPLOYMENT + "/status?fieldManager=st",
				"{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'s'},'status':{'replicas':3},"
						+ "'spec':{'replicas':7}}");
		assertThat(response.statusCode()).isEqualTo(200);
		JsonNode deployment = TestClient.json(response);
		assertThat(deployment.path("status").toString()).isEqualTo(json("{'replicas':3}"));
		assertThat(deployment.path("spec").has("replicas")).isFalse();
		assertThat(deployment.path("metadata").path("managedFields").toString())
			.contains(json("'fieldsV1':{'f:status':{'f:replicas':{}}},'subresource':'status'"));
	}

	@Test
	void applyWhenBodyIsYamlShouldReadIt() {
		HttpResponse<String> response = send(PATH + "?fieldManager=one",
				"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: s\ndata:\n  k: \"1\"\n");
		assertThat(response.statusCode()).isEqualTo(201);
		assertThat(data()).isEqualTo(json("{'k':'1'}"));
	}

	@Test
	void applyWhenRequestIsWrongShouldRefuseIt() {
		HttpResponse<String> unmanaged = send(PATH, "{}");
		assertThat(unmanaged.statusCode()).isEqualTo(422);
		assertThat(unmanaged.body()).contains("fieldManager: Required value: is required for apply patch");
		String managed = PATH + "?fieldManager=one";
		assertThat(send(managed, "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'s'}}").body())
			.contains("invalid object type: /v1, Kind=Pod");
		assertThat(send(managed, "{'metadata':{'name':'s'}}").statusCode()).isEqualTo(400);
		assertThat(send(managed, "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'x'}}").statusCode())
			.isEqualTo(400);
		assertThat(send(managed, "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'s','managedFields':[{}]}}")
			.body()).contains("metadata.managedFields must be nil");
		assertThat(send(managed, "[]").statusCode()).isEqualTo(400);
	}

	private HttpResponse<String> apply(String manager, String data) {
		return send(PATH + "?fieldManager=" + manager,
				"{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'s'},'data':" + data + "}");
	}

	private HttpResponse<String> deployment(String manager, String podSpec) {
		return send(DEPLOYMENT + "?fieldManager=" + manager, "{'apiVersion':'apps/v1','kind':'Deployment',"
				+ "'metadata':{'name':'s'},'spec':{'template':{'spec':" + podSpec + "}}}");
	}

	private HttpResponse<String> send(String path, String body) {
		return this.client.send("PATCH", path, json(body), "Content-Type", "application/apply-patch+yaml");
	}

	private String data() {
		return this.client.json(PATH).path("data").toString();
	}

	private List<String> managers() {
		return this.client.json(PATH)
			.path("metadata")
			.path("managedFields")
			.valueStream()
			.map((entry) -> entry.path("manager").asString() + " " + entry.path("operation").asString())
			.toList();
	}

	private static String json(String text) {
		return text.replace('\'', '"');
	}

}
