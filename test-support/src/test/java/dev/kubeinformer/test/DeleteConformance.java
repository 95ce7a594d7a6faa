package dev.kubeinformer.test;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Delete with its options, and deletecollection.
 */
abstract class DeleteConformance extends Conformance {

	private static final String UID = "11111111-2222-3333-4444-555555555555";

	DeleteConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void deleteShouldAnswerSuccess() {
		create("a");
		delete(SECRETS + "/a").is(200, """
				{kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success',
				details: {name: 'a', kind: 'secrets', uid: 'UID'}}""");
		get(SECRETS + "/a").hasCode(404);
		delete(SECRETS + "/a").isFailure(404, "NotFound", "secrets \"a\" not found", "{name: 'a', kind: 'secrets'}");
		post(DEPLOYMENTS, deployment("d", 1)).hasCode(201);
		delete(DEPLOYMENTS + "/d").is(200, """
				{kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success',
				details: {name: 'd', group: 'apps', kind: 'deployments', uid: 'UID'}}""");
	}

	@Test
	void deleteShouldMakeNewResourceVersion() throws IOException {
		Answer created = create("a");
		LineStream watch = watch(SECRETS + "?watch=true&resourceVersion=" + created.resourceVersion());
		delete(SECRETS + "/a").hasCode(200);
		assertThat(watch.next()).isEqualTo("DELETED a");
		assertThat(Long.parseLong(watch.lastResourceVersion()))
			.isGreaterThan(Long.parseLong(created.resourceVersion()));
	}

	@Test
	void deleteWhenUidIsAnotherShouldConflict() {
		create("a");
		delete(SECRETS + "/a", "{preconditions: {uid: '" + UID + "'}}").isFailure(409, "Conflict",
				"Operation cannot be fulfilled on Secret \"a\": the UID in the precondition (UID) does not match the "
						+ "UID in record (UID). The object might have been deleted and then recreated",
				"{name: 'a', kind: 'Secret'}");
		get(SECRETS + "/a").hasCode(200);
	}

	@Test
	void deleteWhenResourceVersionIsAnotherShouldConflict() {
		Answer created = create("a");
		Answer updated = update("a", "{}", "2");
		delete(SECRETS + "/a", preconditions(created)).isFailure(409, "Conflict",
				"Operation cannot be fulfilled on Secret \"a\": the ResourceVersion in the precondition ("
						+ created.resourceVersion() + ") does not match the ResourceVersion in record ("
						+ updated.resourceVersion() + "). The object might have been modified",
				"{name: 'a', kind: 'Secret'}");
		delete(SECRETS + "/a", preconditions(updated)).hasCode(200);
	}

	private static String preconditions(Answer answer) {
		return "{kind: 'DeleteOptions', apiVersion: 'v1', preconditions: {resourceVersion: '" + answer.resourceVersion()
				+ "'}}";
	}

	@Test
	void deleteWhenFinalizersShouldWaitForTheirEnd() throws IOException {
		Answer created = post(SECRETS,
				"{metadata: {name: 'a', finalizers: ['example.com/x', 'example.com/y']}, type: 'Opaque'}");
		LineStream watch = watch(SECRETS + "?watch=true&resourceVersion=" + created.resourceVersion());
		String deleting = """
				{kind: 'Secret', apiVersion: 'v1', metadata: {name: 'a', namespace: 'NS', uid: 'UID',
				resourceVersion: 'RV', creationTimestamp: 'TIME', deletionTimestamp: 'TIME',
				deletionGracePeriodSeconds: 0, finalizers: ['example.com/x', 'example.com/y']}, type: 'Opaque'}""";
		Answer first = delete(SECRETS + "/a").is(200, deleting);
		assertThat(watch.next()).isEqualTo("MODIFIED a");
		// A second delete changes nothing.
		assertThat(delete(SECRETS + "/a").is(200, deleting).resourceVersion()).isEqualTo(first.resourceVersion());
		mergePatch(SECRETS + "/a", "{metadata: {finalizers: ['example.com/y']}}").hasCode(200);
		assertThat(watch.next()).isEqualTo("MODIFIED a");
		get(SECRETS + "/a").hasCode(200);
		Answer last = mergePatch(SECRETS + "/a", "{metadata: {finalizers: null}}").hasCode(200);
		assertThat(last.metadata().has("deletionTimestamp")).isTrue();
		assertThat(watch.next()).isEqualTo("DELETED a");
		get(SECRETS + "/a").hasCode(404);
	}

	@Test
	void deleteWhenFinalizersAreAddedAfterItShouldForbidThem() {
		post(SECRETS, "{metadata: {name: 'a', finalizers: ['example.com/x']}, type: 'Opaque'}").hasCode(201);
		delete(SECRETS + "/a").hasCode(200);
		Answer answer = mergePatch(SECRETS + "/a", "{metadata: {finalizers: ['example.com/x', 'example.com/new']}}")
			.hasCode(422);
		assertThat(answer.body().path("message").asString())
			.contains("metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted");
		mergePatch(SECRETS + "/a", "{metadata: {finalizers: null}}").hasCode(200);
	}

	@Test
	void deleteWhenPodRunsShouldWaitForItsNode() throws IOException {
		Answer created = post(PODS, pod("a", "node-1")).hasCode(201);
		LineStream watch = watch(PODS + "?watch=true&resourceVersion=" + created.resourceVersion());
		Answer deleting = delete(PODS + "/a").hasCode(200);
		assertThat(deleting.body().path("kind").asString()).isEqualTo("Pod");
		assertThat(deleting.metadata().path("deletionGracePeriodSeconds").asInt()).isEqualTo(30);
		assertThat(deleting.metadata().has("deletionTimestamp")).isTrue();
		assertThat(watch.next()).isEqualTo("MODIFIED a");
		assertThat(get(PODS + "/a").hasCode(200).metadata().has("deletionTimestamp")).isTrue();
		delete(PODS + "/a", "{gracePeriodSeconds: 0}").hasCode(200);
		// The shorter time comes first.
		JsonNode shortened = watch.event();
		assertThat(shortened.path("type").asString()).isEqualTo("MODIFIED");
		assertThat(shortened.path("object").path("metadata").path("deletionGracePeriodSeconds").asInt(-1)).isZero();
		assertThat(watch.next()).isEqualTo("DELETED a");
		get(PODS + "/a").hasCode(404);
	}

	@Test
	void deleteWhenPodHasNoNodeOrHasEndedShouldNotWait() {
		post(PODS, "{metadata: {name: 'a'}, spec: {containers: [{name: 'c', image: 'i'}]}}").hasCode(201);
		delete(PODS + "/a").hasCode(200);
		get(PODS + "/a").hasCode(404);
		post(PODS, pod("b", "node-1")).hasCode(201);
		mergePatch(PODS + "/b/status", "{status: {phase: 'Succeeded'}}").hasCode(200);
		delete(PODS + "/b").hasCode(200);
		get(PODS + "/b").hasCode(404);
	}

	@Test
	void deleteWhenGracePeriodIsInQueryShouldKeepToIt() {
		post(PODS, pod("a", "node-1")).hasCode(201);
		Answer deleting = delete(PODS + "/a?gracePeriodSeconds=5").hasCode(200);
		assertThat(deleting.metadata().path("deletionGracePeriodSeconds").asInt()).isEqualTo(5);
		delete(PODS + "/a?gracePeriodSeconds=0").hasCode(200);
		get(PODS + "/a").hasCode(404);
	}

	@Test
	void deleteCollectionShouldAnswerWhatItDeleted() throws IOException {
		create("a", "{app: 'web'}");
		create("b", "{app: 'db'}");
		Answer last = create("c", "{app: 'web'}");
		LineStream watch = watch(SECRETS + "?watch=true&resourceVersion=" + last.resourceVersion());
		Answer deleted = delete(SECRETS + "?labelSelector=app=web").hasCode(200);
		assertThat(deleted.body().path("kind").asString()).isEqualTo("SecretList");
		assertThat(deleted.names()).containsExactly("a", "c");
		assertThat(watch.next()).startsWith("DELETED ");
		assertThat(watch.next()).startsWith("DELETED ");
		assertThat(get(SECRETS).names()).containsExactly("b");
		delete(SECRETS).hasCode(200);
		assertThat(get(SECRETS).names()).isEmpty();
	}

	@Test
	void deleteCollectionWhenAllNamespacesShouldNotBeAllowed() {
		delete("/api/v1/secrets").isFailure(405, "MethodNotAllowed",
				"the server does not allow this method on the requested resource", "{}");
	}

	@Test
	void deleteWhenOptionsAreNotJsonShouldBeBadRequest() {
		create("a");
		send("DELETE", SECRETS + "/a", "{\"pre").hasCode(since(35, 400, 500));
		get(SECRETS + "/a").hasCode(200);
	}

	@Test
	void deleteWhenDryRunShouldChangeNothing() {
		create("a");
		delete(SECRETS + "/a?dryRun=All").hasCode(200);
		get(SECRETS + "/a").hasCode(200);
	}

	@Test
	void namespaceShouldBeginAndEndAsAnyOther() {
		post("/api/v1/namespaces", "{metadata: {name: 'other-NS'}}").is(201, """
				{kind: 'Namespace', apiVersion: 'v1', metadata: {name: 'other-NS', uid: 'UID', resourceVersion: 'RV',
				creationTimestamp: 'TIME', labels: {'kubernetes.io/metadata.name': 'other-NS'}},
				spec: {finalizers: ['kubernetes']}, status: {phase: 'Active'}}""");
		String path = "/api/v1/namespaces/other-NS";
		afterwards(() -> put(path + "/finalize", "{metadata: {name: 'other-NS'}, spec: {}}"));
		Answer deleted = delete(path).hasCode(200);
		assertThat(deleted.body().path("kind").asString()).isEqualTo("Namespace");
		assertThat(deleted.body().path("status").path("phase").asString()).isEqualTo("Terminating");
		assertThat(deleted.metadata().has("deletionTimestamp")).isTrue();
	}

}
