package dev.kubeinformer.test;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The four kinds of patches.
 */
abstract class PatchConformance extends Conformance {

	private static final String JSON = "application/json-patch+json";

	private static final String MERGE = "application/merge-patch+json";

	private static final String STRATEGIC = "application/strategic-merge-patch+json";

	private static final String APPLY = "application/apply-patch+yaml";

	PatchConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void jsonPatchShouldDoItsOperationsInOrder() {
		create("a", "{app: 'web', tier: 'front'}");
		patch(JSON, SECRETS + "/a", """
				[{"op":"test","path":"/metadata/labels/app","value":"web"},
				{"op":"replace","path":"/metadata/labels/app","value":"db"},
				{"op":"remove","path":"/metadata/labels/tier"},
				{"op":"add","path":"/metadata/annotations","value":{"example.com/x":"1"}},
				{"op":"copy","from":"/data/v","path":"/data/w"},
				{"op":"move","from":"/data/v","path":"/data/z"},
				{"op":"add","path":"/metadata/annotations/example.com~1y","value":"2"}]""").is(200, """
				{kind: 'Secret', apiVersion: 'v1', metadata: {name: 'a', namespace: 'NS', uid: 'UID',
				resourceVersion: 'RV', creationTimestamp: 'TIME', labels: {app: 'db'},
				annotations: {'example.com/x': '1', 'example.com/y': '2'}}, data: {w: 'MQ==', z: 'MQ=='},
				type: 'Opaque'}""");
	}

	@Test
	void jsonPatchWhenTestFailsShouldBeInvalid() {
		Answer created = create("a", "{app: 'web'}");
		Answer answer = patch(JSON, SECRETS + "/a", """
				[{"op":"add","path":"/metadata/labels/x","value":"1"},
				{"op":"test","path":"/metadata/labels/app","value":"db"}]""").hasCode(422);
		assertThat(answer.body().path("message").asString())
			.isEqualTo("the server rejected our request due to an error in our request");
		assertThat(answer.body().path("reason").asString()).isEqualTo("Invalid");
		assertThat(get(SECRETS + "/a").json()).isEqualTo(created.json());
	}

	@Test
	void jsonPatchWhenPathIsMissingShouldBeInvalid() {
		create("a", "{app: 'web'}");
		patch(JSON, SECRETS + "/a", "[{\"op\":\"remove\",\"path\":\"/metadata/labels/none\"}]").hasCode(422);
		// Other than RFC 6902 wants it.
		Answer replaced = patch(JSON, SECRETS + "/a",
				"[{\"op\":\"replace\",\"path\":\"/metadata/labels/none\",\"value\":\"1\"}]")
			.hasCode(200);
		assertThat(replaced.metadata().path("labels").path("none").asString()).isEqualTo("1");
	}

	@Test
	void jsonPatchWhenNotOneShouldBeBadRequest() {
		create("a");
		patch(JSON, SECRETS + "/a", "{op: 'add'}").hasCode(400);
	}

	@Test
	void mergePatchShouldMergeObjectsAndReplaceTheRest() {
		create("a", "{app: 'web', tier: 'front'}");
		patch(MERGE, SECRETS + "/a", "{metadata: {labels: {tier: null, x: 'y'}, finalizers: []}, data: {w: 'Mg=='}}")
			.is(200, """
					{kind: 'Secret', apiVersion: 'v1', metadata: {name: 'a', namespace: 'NS', uid: 'UID',
					resourceVersion: 'RV', creationTimestamp: 'TIME', labels: {app: 'web', x: 'y'}},
					data: {v: 'MQ==', w: 'Mg=='}, type: 'Opaque'}""");
	}

	@Test
	void mergePatchWhenListShouldReplaceIt() {
		post(PODS, pod("a", "node-1")).hasCode(201);
		post(DEPLOYMENTS, deployment("d", 1)).hasCode(201);
		Answer patched = patch(MERGE, DEPLOYMENTS + "/d",
				"{spec: {template: {spec: {containers: [{name: 'e', image: 'j'}]}}}}");
		assertThat(containers(patched)).hasSize(1);
		assertThat(containers(patched).path(0).path("name").asString()).isEqualTo("e");
	}

	@Test
	void patchWhenNothingChangesShouldKeepResourceVersion() {
		Answer created = create("a", "{app: 'web'}");
		Answer patched = patch(MERGE, SECRETS + "/a", "{metadata: {labels: {app: 'web'}}}").hasCode(200);
		assertThat(patched.resourceVersion()).isEqualTo(created.resourceVersion());
		assertThat(patch(MERGE, SECRETS + "/a", "{}").hasCode(200).resourceVersion())
			.isEqualTo(created.resourceVersion());
	}

	@Test
	void patchWhenResourceVersionIsStaleShouldConflict() {
		Answer created = create("a");
		update("a", "{}", "2");
		patch(MERGE, SECRETS + "/a",
				"{metadata: {resourceVersion: '" + created.resourceVersion() + "', labels: {x: 'y'}}}")
			.isFailure(409, "Conflict",
					"Operation cannot be fulfilled on secrets \"a\": the object has been modified; please apply your "
							+ "changes to the latest version and try again",
					"{name: 'a', kind: 'secrets'}");
	}

	@Test
	void patchWhenObjectIsMissingShouldBeNotFound() {
		for (String type : new String[] { MERGE, STRATEGIC }) {
			patch(type, SECRETS + "/a", "{}").isFailure(404, "NotFound", "secrets \"a\" not found",
					"{name: 'a', kind: 'secrets'}");
		}
	}

	@Test
	void patchWhenNameChangesShouldBeBadRequest() {
		create("a");
		patch(MERGE, SECRETS + "/a", "{metadata: {name: 'b'}}").isFailure(400, "BadRequest",
				"the name of the object (b) does not match the name on the URL (a)", "");
	}

	@Test
	void patchWhenTypeIsUnknownShouldBeUnsupported() {
		create("a");
		patch("application/json", SECRETS + "/a", "{}").isFailure(415, "UnsupportedMediaType",
				"415: Unsupported Media Type", "{}");
	}

	@Test
	void patchWhenNotAnObjectShouldBeBadRequest() {
		create("a");
		send("PATCH", SECRETS + "/a", "{\"a", "Content-Type", MERGE).hasCode(400);
		send("PATCH", SECRETS + "/a", "{\"a", "Content-Type", STRATEGIC).hasCode(400);
	}

	@Test
	void patchWhenStatusSubresourceShouldChangeOnlyStatus() {
		post(DEPLOYMENTS, deployment("d", 1)).hasCode(201);
		Answer patched = patch(MERGE, DEPLOYMENTS + "/d/status", "{spec: {replicas: 7}, status: {replicas: 3}}")
			.hasCode(200);
		assertThat(patched.json().path("spec").path("replicas").asInt()).isEqualTo(1);
		assertThat(patched.json().path("status").path("replicas").asInt()).isEqualTo(3);
		Answer main = patch(MERGE, DEPLOYMENTS + "/d", "{status: {replicas: 9}}").hasCode(200);
		assertThat(main.json().path("status").path("replicas").asInt()).isEqualTo(3);
	}

	@Test
	void strategicPatchShouldMergeListsByTheirKeys() {
		post(DEPLOYMENTS, deployment("d", 1)).hasCode(201);
		Answer added = patch(STRATEGIC, DEPLOYMENTS + "/d",
				"{spec: {template: {spec: {containers: [{name: 'e', image: 'j'}]}}}}")
			.hasCode(200);
		assertThat(containers(added)).hasSize(2);
		Answer changed = patch(STRATEGIC, DEPLOYMENTS + "/d",
				"{spec: {template: {spec: {containers: [{name: 'c', image: 'k'}]}}}}")
			.hasCode(200);
		assertThat(image(changed, "c")).isEqualTo("k");
		assertThat(image(changed, "e")).isEqualTo("j");
		Answer removed = patch(STRATEGIC, DEPLOYMENTS + "/d",
				"{spec: {template: {spec: {containers: [{name: 'c', '$patch': 'delete'}]}}}}")
			.hasCode(200);
		assertThat(containers(removed)).hasSize(1);
		Answer replaced = patch(STRATEGIC, DEPLOYMENTS + "/d",
				"{spec: {template: {spec: {containers: [{name: 'z', image: 'z'}, {'$patch': 'replace'}]}}}}")
			.hasCode(200);
		assertThat(containers(replaced)).hasSize(1);
		assertThat(image(replaced, "z")).isEqualTo("z");
	}

	@Test
	void strategicPatchShouldMergeFinalizersAsSet() {
		post(SECRETS, "{metadata: {name: 'a', finalizers: ['example.com/x']}, type: 'Opaque'}").hasCode(201);
		Answer patched = patch(STRATEGIC, SECRETS + "/a", "{metadata: {finalizers: ['example.com/y']}}").hasCode(200);
		assertThat(patched.metadata().path("finalizers")).hasSize(2);
		Answer removed = patch(STRATEGIC, SECRETS + "/a",
				"{metadata: {'$deleteFromPrimitiveList/finalizers': ['example.com/x', 'example.com/y']}}")
			.hasCode(200);
		assertThat(removed.metadata().has("finalizers")).isFalse();
	}

	@Test
	void applyShouldCreateThenOwnItsFields() {
		Answer created = apply("one", "", "{v: 'MQ==', w: 'MQ=='}").hasCode(201);
		assertThat(created.body().path("data").path("w").asString()).isEqualTo("MQ==");
		// Fields that are no longer applied are removed, and an equal apply creates no
		// new version.
		Answer second = apply("one", "", "{v: 'MQ=='}").hasCode(200);
		assertThat(second.body().path("data").has("w")).isFalse();
		assertThat(apply("one", "", "{v: 'MQ=='}").resourceVersion()).isEqualTo(second.resourceVersion());
	}

	@Test
	void applyWhenFieldIsOfAnotherManagerShouldConflictUnlessForced() {
		apply("one", "", "{v: 'MQ=='}").hasCode(201);
		Answer conflict = apply("two", "", "{v: 'Mg=='}");
		conflict.isFailure(409, "Conflict", "Apply failed with 1 conflict: conflict with \"one\": .data.v", """
				{causes: [{reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.v'}]}""");
		Answer forced = apply("two", "&force=true", "{v: 'Mg=='}").hasCode(200);
		assertThat(forced.body().path("data").path("v").asString()).isEqualTo("Mg==");
	}

	@Test
	void applyWhenManagerIsMissingShouldBeInvalid() {
		send("PATCH", SECRETS + "/a", "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}",
				"Content-Type", APPLY)
			.isFailure(422, "Invalid",
					"PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply "
							+ "patch",
					"""
							{group: 'meta.k8s.io', kind: 'PatchOptions', causes: [{reason: 'FieldValueRequired',
							message: 'Required value: is required for apply patch', field: 'fieldManager'}]}""");
	}

	@Test
	void applyWhenYamlShouldBeTaken() {
		String yaml = """
				kind: Secret
				apiVersion: v1
				metadata:
				  name: a
				data:
				  v: MQ==
				type: Opaque
				""";
		Answer answer = send("PATCH", SECRETS + "/a?fieldManager=one", yaml, "Content-Type", APPLY).hasCode(201);
		assertThat(answer.body().path("data").path("v").asString()).isEqualTo("MQ==");
	}

	private Answer apply(String manager, String parameters, String data) {
		return patch(APPLY, SECRETS + "/a?fieldManager=" + manager + parameters,
				"{kind: 'Secret', apiVersion: 'v1', metadata: {name: 'a'}, data: " + data + ", type: 'Opaque'}");
	}

	private static JsonNode containers(Answer deployment) {
		return deployment.json().path("spec").path("template").path("spec").path("containers");
	}

	private static String image(Answer deployment, String container) {
		for (JsonNode node : containers(deployment)) {
			if (container.equals(node.path("name").asString())) {
				return node.path("image").asString();
			}
		}
		return "";
	}

}
