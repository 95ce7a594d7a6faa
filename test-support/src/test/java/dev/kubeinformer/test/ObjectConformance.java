package dev.kubeinformer.test;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Get, create, update and the status subresource.
 */
abstract class ObjectConformance extends Conformance {

	ObjectConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void createShouldAnswerWhatGetDoes() {
		String expected = """
				{kind: 'Secret', apiVersion: 'v1', metadata: {name: 'a', namespace: 'NS', uid: 'UID',
				resourceVersion: 'RV', creationTimestamp: 'TIME', labels: {app: 'web'}}, data: {v: 'MQ=='},
				type: 'Opaque'}""";
		Answer created = create("a", "{app: 'web'}").is(201, expected);
		Answer read = get(SECRETS + "/a").is(200, expected);
		assertThat(read.resourceVersion()).isEqualTo(created.resourceVersion());
		assertThat(read.contentType()).isEqualTo("application/json");
	}

	@Test
	void createWhenGenerateNameShouldMakeUpName() {
		Answer created = post(SECRETS, "{metadata: {generateName: 'a-'}, type: 'Opaque'}").hasCode(201);
		assertThat(created.metadata().path("name").asString()).matches("a-[bcdfghjklmnpqrstvwxz2456789]{5}");
		assertThat(created.metadata().path("generateName").asString()).isEqualTo("a-");
	}

	@Test
	void createWhenNameIsMissingShouldBeInvalid() {
		post(SECRETS, "{metadata: {}, type: 'Opaque'}").isFailure(422, "Invalid",
				"Secret \"\" is invalid: metadata.name: Required value: name or generateName is required", """
						{kind: 'Secret', causes: [{reason: 'FieldValueRequired',
						message: 'Required value: name or generateName is required', field: 'metadata.name'}]}""");
	}

	@Test
	void createWhenNameIsNotAllowedShouldBeInvalid() {
		String rule = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
				+ "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation "
				+ "is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
		Answer answer = post(SECRETS, "{metadata: {name: 'A_b'}, type: 'Opaque'}").hasCode(422);
		assertThat(answer.body().path("message").asString())
			.isEqualTo("Secret \"A_b\" is invalid: metadata.name: Invalid value: \"A_b\": " + rule);
	}

	@Test
	void createWhenNameIsTakenShouldSaySo() {
		create("a");
		post(SECRETS, secret("a", "{}", "2")).isFailure(409, "AlreadyExists", "secrets \"a\" already exists",
				"{name: 'a', kind: 'secrets'}");
		post(DEPLOYMENTS, deployment("d", 1)).hasCode(201);
		post(DEPLOYMENTS, deployment("d", 1)).isFailure(409, "AlreadyExists", "deployments.apps \"d\" already exists",
				"{name: 'd', group: 'apps', kind: 'deployments'}");
	}

	@Test
	void createWhenResourceVersionIsGivenShouldFail() {
		post(SECRETS, "{metadata: {name: 'a', resourceVersion: '1'}, type: 'Opaque'}").isFailure(500, "",
				"resourceVersion should not be set on objects to be created", "");
	}

	@Test
	void createWhenNamespaceIsMissingShouldBeNotFound() {
		post("/api/v1/namespaces/missing-NS/secrets", secret("a", "{}", "1")).isFailure(404, "NotFound",
				"namespaces \"missing-NS\" not found", "{name: 'missing-NS', kind: 'namespaces'}");
		// Reading finds nothing there.
		assertThat(get("/api/v1/namespaces/missing-NS/secrets").hasCode(200).names()).isEmpty();
	}

	@Test
	void createWhenNamespaceIsAnotherShouldBeBadRequest() {
		post(SECRETS, "{metadata: {name: 'a', namespace: 'default'}, type: 'Opaque'}").isFailure(400, "BadRequest",
				"the namespace of the provided object does not match the namespace sent on the request", "");
	}

	@Test
	void createWhenBodyIsAnotherKindShouldBeBadRequest() {
		String types = ": converting (v1.ConfigMap) to (core.Secret): unknown conversion";
		post(SECRETS, "{kind: 'ConfigMap', apiVersion: 'v1', metadata: {name: 'a'}}").isFailure(400, "BadRequest",
				"ConfigMap in version \"v1\" cannot be handled as a Secret"
						+ expected(Difference.CONVERSIONS, "", types),
				"");
	}

	@Test
	void createWhenBodyIsNotJsonShouldBeBadRequest() {
		Answer answer = send("POST", SECRETS, "{\"metadata\":").hasCode(400);
		assertThat(answer.body().path("reason").asString()).isEqualTo("BadRequest");
	}

	@Test
	void createWhenTypeOfBodyIsUnknownShouldBeUnsupported() {
		Answer answer = send("POST", SECRETS, "a", "Content-Type", "text/plain").hasCode(415);
		assertThat(answer.body().path("reason").asString()).isEqualTo("UnsupportedMediaType");
	}

	@Test
	void createWhenYamlShouldBeTaken() {
		String yaml = """
				kind: Secret
				apiVersion: v1
				metadata:
				  name: a
				type: Opaque
				""";
		send("POST", SECRETS, yaml, "Content-Type", "application/yaml").is(201, """
				{kind: 'Secret', apiVersion: 'v1', metadata: {name: 'a', namespace: 'NS', uid: 'UID',
				resourceVersion: 'RV', creationTimestamp: 'TIME'}, type: 'Opaque'}""");
	}

	@Test
	void createWhenDryRunShouldStoreNothing() {
		Answer answer = post(SECRETS + "?dryRun=All", secret("a", "{}", "1")).hasCode(201);
		assertThat(answer.metadata().has("resourceVersion")).isFalse();
		get(SECRETS + "/a").hasCode(404);
	}

	@Test
	void getWhenMissingShouldBeNotFound() {
		get(SECRETS + "/a").isFailure(404, "NotFound", "secrets \"a\" not found", "{name: 'a', kind: 'secrets'}");
		get(DEPLOYMENTS + "/a").isFailure(404, "NotFound", "deployments.apps \"a\" not found",
				"{name: 'a', group: 'apps', kind: 'deployments'}");
	}

	@Test
	void getWhenResourceIsUnknownShouldBeNotFound() {
		String message = "the server could not find the requested resource";
		get(NAMESPACE + "/foos").isFailure(404, "NotFound", message, "{}");
		get(NAMESPACE + "/foos/a").isFailure(404, "NotFound", message, "{}");
		get(SECRETS + "/a/foo").isFailure(404, "NotFound", message, "{}");
		get("/api/v1/namespaces/NS/nodes").isFailure(404, "NotFound", message, "{}");
		Answer group = get("/apis/foo.example.com/v1/foos").hasCode(404);
		assertThat(group.text()).isEqualTo("404 page not found\n");
		assertThat(group.contentType()).isEqualTo("text/plain; charset=utf-8");
	}

	@Test
	void methodWhenNotAllowedShouldSaySo() {
		String message = "the server does not allow this method on the requested resource";
		post("/api/v1/secrets", secret("a", "{}", "1")).isFailure(405, "MethodNotAllowed", message, "{}");
		put(SECRETS, secret("a", "{}", "1")).isFailure(405, "MethodNotAllowed", message, "{}");
		post(SECRETS + "/a", secret("a", "{}", "1")).isFailure(405, "MethodNotAllowed", message, "{}");
	}

	@Test
	void updateShouldReplaceAllButWhatTheServerKeeps() {
		Answer created = create("a", "{app: 'web'}");
		Answer updated = update("a", "{tier: 'front'}", "2").is(200, """
				{kind: 'Secret', apiVersion: 'v1', metadata: {name: 'a', namespace: 'NS', uid: 'UID',
				resourceVersion: 'RV', creationTimestamp: 'TIME', labels: {tier: 'front'}}, data: {v: 'Mg=='},
				type: 'Opaque'}""");
		assertThat(updated.metadata().path("uid")).isEqualTo(created.metadata().path("uid"));
		assertThat(updated.metadata().path("creationTimestamp"))
			.isEqualTo(created.metadata().path("creationTimestamp"));
		assertThat(Long.parseLong(updated.resourceVersion())).isGreaterThan(Long.parseLong(created.resourceVersion()));
	}

	@Test
	void updateWhenNothingChangesShouldKeepResourceVersion() {
		Answer created = create("a");
		assertThat(update("a", "{}", "1").resourceVersion()).isEqualTo(created.resourceVersion());
		ObjectNode same = created.json();
		assertThat(put(SECRETS + "/a", same.toString()).resourceVersion()).isEqualTo(created.resourceVersion());
	}

	@Test
	void updateWhenResourceVersionIsStaleShouldConflict() {
		ObjectNode stale = create("a").json();
		update("a", "{}", "2");
		put(SECRETS + "/a", stale.toString()).isFailure(409, "Conflict",
				"Operation cannot be fulfilled on secrets \"a\": the object has been modified; please apply your "
						+ "changes to the latest version and try again",
				"{name: 'a', kind: 'secrets'}");
	}

	@Test
	void updateWhenUidIsAnotherShouldConflict() {
		create("a");
		put(SECRETS + "/a", "{metadata: {name: 'a', uid: '11111111-2222-3333-4444-555555555555'}, type: 'Opaque'}")
			.isFailure(409, "Conflict",
					"Operation cannot be fulfilled on secrets \"a\": StorageError: invalid object, Code: 4, Key: "
							+ "/registry/secrets/NS/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: "
							+ "UID in precondition: UID, UID in object meta: UID",
					"{name: 'a', kind: 'secrets'}");
	}

	@Test
	void updateWhenMissingShouldBeNotFound() {
		put(SECRETS + "/a", secret("a", "{}", "1")).isFailure(404, "NotFound", "secrets \"a\" not found",
				"{name: 'a', kind: 'secrets'}");
	}

	@Test
	void updateWhenNameIsAnotherShouldBeBadRequest() {
		create("a");
		put(SECRETS + "/a", secret("b", "{}", "1")).isFailure(400, "BadRequest",
				"the name of the object (b) does not match the name on the URL (a)", "");
		put(SECRETS + "/a", "{metadata: {name: 'a', namespace: 'default'}}").isFailure(400, "BadRequest",
				"the namespace of the provided object does not match the namespace sent on the request", "");
	}

	@Test
	void generationShouldCountChangesOfSpecOnly() {
		Answer created = post(DEPLOYMENTS, deployment("d", 1)).hasCode(201);
		assertThat(generation(created)).isEqualTo(1);
		assertThat(generation(mergePatch(DEPLOYMENTS + "/d", "{metadata: {labels: {x: 'y'}}}"))).isEqualTo(1);
		assertThat(generation(mergePatch(DEPLOYMENTS + "/d", "{spec: {replicas: 2}}"))).isEqualTo(2);
		assertThat(generation(mergePatch(DEPLOYMENTS + "/d/status", "{status: {replicas: 2}}"))).isEqualTo(2);
		assertThat(generation(mergePatch(DEPLOYMENTS + "/d", "{metadata: {generation: 7}}"))).isEqualTo(2);
		assertThat(create("a").metadata().has("generation")).isFalse();
	}

	private static long generation(Answer answer) {
		assertThat(answer.code()).isIn(200, 201);
		return answer.metadata().path("generation").asLong();
	}

	@Test
	void statusShouldBeWrittenByItsSubresourceOnly() {
		Answer created = post(DEPLOYMENTS, deployment("d", 1).replace("}}}}", "}}}, status: {replicas: 5}}"));
		assertThat(created.hasCode(201).json().path("status").has("replicas")).isFalse();
		ObjectNode changed = created.json();
		changed.putObject("status").put("replicas", 3);
		Answer updated = put(DEPLOYMENTS + "/d", changed.toString()).hasCode(200);
		assertThat(updated.json().path("status").has("replicas")).isFalse();
		assertThat(updated.resourceVersion()).isEqualTo(created.resourceVersion());
		changed.withObject("spec").put("replicas", 9);
		Answer status = put(DEPLOYMENTS + "/d/status", changed.toString()).hasCode(200);
		assertThat(status.json().path("status").path("replicas").asInt()).isEqualTo(3);
		assertThat(status.json().path("spec").path("replicas").asInt()).isEqualTo(1);
		assertThat(get(DEPLOYMENTS + "/d/status").hasCode(200).json()).isEqualTo(get(DEPLOYMENTS + "/d").json());
	}

	@Test
	void subresourceWhenResourceHasNoneShouldBeNotFound() {
		create("a");
		put(SECRETS + "/a/status", secret("a", "{}", "1")).isFailure(404, "NotFound",
				"the server could not find the requested resource", "{}");
	}

}
