package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class PatchApiTests {

	private static final String PATH = "/api/v1/namespaces/default/configmaps/a";

	private static final String JSON_PATCH = "application/json-patch+json";

	private static final String MERGE_PATCH = "application/merge-patch+json";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient(this.api.url());
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void jsonPatchWhenOperationsAreValidShouldApplyThemInOrder() {
		HttpResponse<String> response = patch(JSON_PATCH,
				"[{'op':'add','path':'/data/x','value':'y'},{'op':'copy','from':'/data/x','path':'/data/z'},"
						+ "{'op':'move','from':'/data/x','path':'/data/w'},{'op':'test','path':'/data/z','value':'y'},"
						+ "{'op':'remove','path':'/data/value'},{'op':'add','path':'/metadata/annotations','value':{}},"
						+ "{'op':'add','path':'/metadata/annotations/a~1b~0c','value':'1'},"
						+ "{'op':'remove','path':'/metadata/annotations/a~1b~0c'}]");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(data()).containsExactlyInAnyOrderEntriesOf(Map.of("w", "y", "z", "y"));
	}

	@Test
	void jsonPatchWhenTestFailsShouldChangeNothing() {
		String before = this.api.resourceVersion();
		HttpResponse<String> response = patch(JSON_PATCH,
				"[{'op':'add','path':'/data/x','value':'y'},{'op':'test','path':'/data/value','value':'2'}]");
		assertThat(response.statusCode()).isEqualTo(422);
		JsonNode status = TestClient.json(response);
		assertThat(status.path("reason").asString()).isEqualTo("Invalid");
		assertThat(status.path("message").asString())
			.isEqualTo("the server rejected our request due to an error in our request");
		assertThat(data()).containsExactly(Map.entry("value", "1"));
		assertThat(this.api.resourceVersion()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'op':'remove','path':'/data/nope'}", "{'op':'replace','path':'/nope/nope','value':'x'}",
			"{'op':'add','path':'/nope/nope','value':'x'}", "{'op':'move','from':'/data/nope','path':'/data/x'}",
			"{'op':'test','path':'/data/nope','value':'x'}", "{'op':'frob','path':'/data/value','value':'x'}",
			"{'op':'add','value':'x'}", "{'op':'add','path':'/metadata/finalizers/-','value':'a/b'}" })
	void jsonPatchWhenOperationIsImpossibleShouldReject(String operation) {
		assertThat(patch(JSON_PATCH, "[" + operation + "]").statusCode()).isEqualTo(422);
	}

	@Test
	void jsonPatchWhenListShouldUseIndexesAndDash() {
		assertThat(patch(JSON_PATCH,
				"[{'op':'add','path':'/metadata/finalizers','value':['t/b']},"
						+ "{'op':'add','path':'/metadata/finalizers/0','value':'t/a'},"
						+ "{'op':'add','path':'/metadata/finalizers/-','value':'t/c'},"
						+ "{'op':'test','path':'/metadata/finalizers/-1','value':'t/c'},"
						+ "{'op':'replace','path':'/metadata/finalizers/1','value':'t/B'}]")
			.statusCode()).isEqualTo(200);
		assertThat(finalizers()).isEqualTo("[\"t/a\",\"t/B\",\"t/c\"]");
		assertThat(patch(JSON_PATCH, "[{'op':'remove','path':'/metadata/finalizers/5'}]").statusCode()).isEqualTo(422);
		assertThat(patch(JSON_PATCH, "[{'op':'add','path':'/metadata/finalizers/5','value':'t/x'}]").statusCode())
			.isEqualTo(422);
	}

	@Test
	void jsonPatchWhenReplacedMemberIsMissingShouldAddIt() {
		assertThat(patch(JSON_PATCH, "[{'op':'replace','path':'/data/nope','value':'x'}]").statusCode()).isEqualTo(200);
		assertThat(data()).containsEntry("nope", "x");
	}

	@Test
	void patchWhenBodyIsNoPatchShouldAnswerBadRequest() {
		assertThat(patch(JSON_PATCH, "{'a':1}").statusCode()).isEqualTo(400);
		assertThat(patch(JSON_PATCH, "[{").body()).contains("error decoding patch");
		assertThat(patch(MERGE_PATCH, "[]").statusCode()).isEqualTo(400);
		assertThat(patch("application/strategic-merge-patch+json", "[]").statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/json", "application/yaml", "application/apply-patch+cbor" })
	void patchWhenTypeIsUnknownShouldAnswerUnsupportedMediaType(String contentType) {
		HttpResponse<String> response = patch(contentType, "{}");
		assertThat(response.statusCode()).isEqualTo(415);
		JsonNode status = TestClient.json(response);
		assertThat(status.path("message").asString()).isEqualTo("415: Unsupported Media Type");
		assertThat(status.path("reason").asString()).isEqualTo("UnsupportedMediaType");
	}

	@Test
	void patchWhenIdentityChangesShouldRefuse() {
		assertThat(patch(MERGE_PATCH, "{'metadata':{'name':'b'}}").body())
			.contains("the name of the object (b) does not match the name on the URL (a)");
		assertThat(patch(MERGE_PATCH, "{'metadata':{'namespace':'b'}}").statusCode()).isEqualTo(400);
		assertThat(patch(JSON_PATCH, "[{'op':'replace','path':'','value':{'a':1}}]").body()).contains("undeterminable");
		HttpResponse<String> uid = patch(MERGE_PATCH, "{'metadata':{'uid':'b'}}");
		assertThat(uid.statusCode()).isEqualTo(422);
		assertThat(uid.body()).contains("metadata.uid: Invalid value: \\\"b\\\": field is immutable");
	}

	@Test
	void patchWhenResourceVersionIsGivenShouldCompareIt() {
		assertThat(patch(MERGE_PATCH, "{'metadata':{'resourceVersion':'1'}}").statusCode()).isEqualTo(409);
		assertThat(patch(MERGE_PATCH, "{'metadata':{'resourceVersion':'x'}}").statusCode()).isEqualTo(500);
		assertThat(patch(MERGE_PATCH, "{'metadata':{'resourceVersion':null},'data':{'b':'2'}}").statusCode())
			.isEqualTo(200);
		assertThat(data()).containsEntry("b", "2");
	}

	@Test
	void patchWhenNothingChangesShouldMakeNoRevision() {
		String before = this.api.resourceVersion();
		assertThat(patch(MERGE_PATCH, "{'metadata':{'creationTimestamp':null,'generation':5}}").statusCode())
			.isEqualTo(200);
		assertThat(patch(JSON_PATCH, "[]").statusCode()).isEqualTo(200);
		assertThat(this.api.resourceVersion()).isEqualTo(before);
	}

	@Test
	void patchWhenObjectIsMissingShouldAnswerNotFound() {
		HttpResponse<String> response = this.client.send("PATCH", PATH + "x", "{}", "Content-Type", MERGE_PATCH);
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(response.body()).contains("configmaps \\\"ax\\\" not found");
	}

	@Test
	void patchWhenForceIsGivenWithoutApplyShouldRefuseIt() {
		HttpResponse<String> response = this.client.send("PATCH", PATH + "?force=true", "{}", "Content-Type",
				MERGE_PATCH);
		assertThat(response.statusCode()).isEqualTo(422);
		assertThat(response.body()).contains("may not be specified for non-apply patch");
	}

	private HttpResponse<String> patch(String contentType, String body) {
		return this.client.send("PATCH", PATH, body.replace('\'', '"'), "Content-Type", contentType);
	}

	private Map<String, String> data() {
		V1ConfigMap stored = this.api.resources(V1ConfigMap.class).get("a");
		assertThat(stored).isNotNull();
		return stored.getData();
	}

	private String finalizers() {
		return this.client.json(PATH).path("metadata").path("finalizers").toString();
	}

}
