package dev.kubeinformer.test;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class StrategicMergePatchTests {

	private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

	// An object to merge need not be complete.
	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().validation(false).start();

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient(this.api.url());
		this.client.send("POST", DEPLOYMENTS,
				json("{'metadata':{'name':'d'},'spec':{'strategy':{'type':'RollingUpdate',"
						+ "'rollingUpdate':{'maxSurge':1}},'template':{'spec':{'nodeSelector':{'a':'b'},"
						+ "'volumes':[{'name':'v','emptyDir':{}}],'tolerations':[{'key':'k'}],"
						+ "'containers':[{'name':'c','image':'i','args':['1','2'],'env':[{'name':'A','value':'1'},"
						+ "{'name':'B','value':'2'}]},{'name':'d','image':'i'}]}}}}"));
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void patchWhenItemExistsShouldMergeItByKeyAndKeepTheOrderOfThePatch() {
		podSpec("{'containers':[{'name':'c','args':['x'],'env':[{'name':'C','value':'3'},{'name':'A','value':'9'}]}]}");
		assertThat(containers()).isEqualTo(json("[{'name':'c','image':'i','args':['x'],'env':[{'name':'C','value':'3'},"
				+ "{'name':'A','value':'9'},{'name':'B','value':'2'}]},{'name':'d','image':'i'}]"));
	}

	@Test
	void patchWhenItemIsNewShouldPutItFirst() {
		podSpec("{'containers':[{'name':'e','image':'new'}]}");
		assertThat(names()).isEqualTo("e c d");
	}

	@Test
	void patchWhenDeleteDirectiveShouldRemoveItem() {
		podSpec("{'containers':[{'name':'c','env':[{'name':'B','$patch':'delete'}]},{'name':'d','$patch':'delete'},"
				+ "{'name':'unknown','$patch':'delete'}]}");
		assertThat(containers())
			.isEqualTo(json("[{'name':'c','image':'i','args':['1','2'],'env':[{'name':'A','value':'1'}]}]"));
	}

	@Test
	void patchWhenReplaceDirectiveShouldReplaceListOrMap() {
		podSpec("{'containers':[{'$patch':'replace'},{'name':'c','image':'r'}],'nodeSelector':{'$patch':'replace',"
				+ "'c':'d'}}");
		assertThat(containers()).isEqualTo(json("[{'name':'c','image':'r'}]"));
		assertThat(podSpec().path("nodeSelector").toString()).isEqualTo(json("{'c':'d'}"));
		podSpec("{'nodeSelector':{'$patch':'delete'}}");
		assertThat(podSpec().has("nodeSelector")).isFalse();
	}

	@Test
	void patchWhenElementOrderIsSetShouldSort() {
		podSpec("{'$setElementOrder/containers':[{'name':'d'},{'name':'c'}],'containers':[{'name':'d','image':'j'}]}");
		assertThat(names()).isEqualTo("d c");
		podSpec("{'$setElementOrder/containers':[{'name':'e'},{'name':'c'},{'name':'d'}],"
				+ "'containers':[{'name':'e','image':'j'}]}");
		assertThat(names()).isEqualTo("e c d");
		podSpec("{'$setElementOrder/containers':[{'name':'c'},{'name':'d'},{'name':'e'}]}");
		assertThat(names()).isEqualTo("c d e");
	}

	@Test
	void patchWhenElementOrderContradictsListShouldFail() {
		HttpResponse<String> response = podSpec(
				"{'$setElementOrder/containers':[{'name':'c'}],'containers':[{'name':'e','image':'j'}]}");
		assertThat(response.statusCode()).isEqualTo(500);
		assertThat(response.body()).contains("doesn't match $setElementOrder list");
		assertThat(names()).isEqualTo("c d");
	}

	@Test
	void patchWhenRetainKeysShouldRemoveOthers() {
		patch("{'spec':{'strategy':{'$retainKeys':['type'],'type':'Recreate'}}}");
		assertThat(this.client.json(DEPLOYMENTS + "/d").path("spec").path("strategy").toString())
			.isEqualTo(json("{'type':'Recreate'}"));
		podSpec("{'volumes':[{'name':'v','$retainKeys':['name','hostPath'],'hostPath':{'path':'/x'}}]}");
		assertThat(podSpec().path("volumes").toString()).isEqualTo(json("[{'name':'v','hostPath':{'path':'/x'}}]"));
		HttpResponse<String> wrong = patch(
				"{'spec':{'strategy':{'$retainKeys':['type'],'type':'Recreate','rollingUpdate':{}}}}");
		assertThat(wrong.statusCode()).isEqualTo(400);
		assertThat(wrong.body()).contains("invalid patch format of retainKeys");
	}

	@Test
	void patchWhenListHasNoMergeKeyShouldReplaceIt() {
		podSpec("{'tolerations':[{'key':'z'}]}");
		assertThat(podSpec().path("tolerations").toString()).isEqualTo(json("[{'key':'z'}]"));
	}

	@Test
	void patchWhenPrimitiveListShouldMergeAndDeleteValues() {
		patch("{'metadata':{'finalizers':['t/a','t/b']}}");
		patch("{'metadata':{'finalizers':['t/c']}}");
		assertThat(finalizers()).isEqualTo(json("['t/c','t/a','t/b']"));
		patch("{'metadata':{'$deleteFromPrimitiveList/finalizers':['t/a']}}");
		assertThat(finalizers()).isEqualTo(json("['t/c','t/b']"));
		patch("{'metadata':{'$deleteFromPrimitiveList/finalizers':['t/b'],"
				+ "'$setElementOrder/finalizers':['t/d','t/c'],'finalizers':['t/d']}}");
		assertThat(finalizers()).isEqualTo(json("['t/d','t/c']"));
	}

	@Test
	void patchWhenDirectiveIsWrongShouldFail() {
		assertThat(podSpec("{'containers':[{'image':'r'}]}").body())
			.contains("does not contain declared merge key: name");
		assertThat(podSpec("{'containers':[{'name':'c','$patch':'merge'}]}").body())
			.contains("merging lists cannot yet be specified in the patch");
		assertThat(podSpec("{'containers':[{'name':'c','$patch':'bogus'}]}").statusCode()).isEqualTo(500);
		assertThat(patch("{'$patch':'delete'}").statusCode()).isEqualTo(400);
	}

	@Test
	void patchWhenStatusShouldMergeConditionsByType() {
		String status = "/status";
		patch(status, "{'status':{'conditions':[{'type':'Available','status':'True'}]}}");
		patch(status, "{'status':{'conditions':[{'type':'Progressing','status':'True'},"
				+ "{'type':'Available','status':'False'}]},'spec':{'replicas':7}}");
		JsonNode deployment = this.client.json(DEPLOYMENTS + "/d");
		assertThat(deployment.path("status").path("conditions").toString())
			.isEqualTo(json("[{'type':'Progressing','status':'True'},{'type':'Available','status':'False'}]"));
		assertThat(deployment.path("spec").has("replicas")).isFalse();
	}

	private HttpResponse<String> patch(String body) {
		return patch("", body);
	}

	private HttpResponse<String> patch(String subresource, String body) {
		return this.client.send("PATCH", DEPLOYMENTS + "/d" + subresource, json(body), "Content-Type",
				"application/strategic-merge-patch+json");
	}

	private HttpResponse<String> podSpec(String body) {
		return patch("{'spec':{'template':{'spec':" + body + "}}}");
	}

	private JsonNode podSpec() {
		return this.client.json(DEPLOYMENTS + "/d").path("spec").path("template").path("spec");
	}

	private String containers() {
		return podSpec().path("containers").toString();
	}

	private String names() {
		return String.join(" ",
				podSpec().path("containers").valueStream().map((item) -> item.path("name").asString()).toList());
	}

	private String finalizers() {
		return this.client.json(DEPLOYMENTS + "/d").path("metadata").path("finalizers").toString();
	}

	private static String json(String text) {
		return text.replace('\'', '"');
	}

}
