package dev.kubeinformer.test;

import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Behaviour that controllers rely on when they write: generations, the status
 * subresource, finalizers, preconditions and owners, of custom resources and of
 * Deployments.
 */
abstract class ControllerConformance extends Conformance {

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String GROUP = "/apis/NS.example.com/v1/namespaces/NS";

	private static final String THINGS = GROUP + "/things";

	private static final String THING = THINGS + "/a";

	// They have no status subresource.
	private static final String PLAINS = GROUP + "/plains";

	private static final String CONFIG_MAPS = NAMESPACE + "/configmaps";

	private static final String JSON_PATCH = "application/json-patch+json";

	private static final String APPLY = "application/apply-patch+yaml";

	private static final String UID = "11111111-2222-3333-4444-555555555555";

	private static final String REJECTED = "the server rejected our request due to an error in our request";

	private static final String MODIFIED = "Operation cannot be fulfilled on things.NS.example.com \"a\": the object "
			+ "has been modified; please apply your changes to the latest version and try again";

	ControllerConformance(ApiTarget target) {
		super(target);
	}

	@BeforeEach
	void createDefinitions() {
		define("things", "Thing", "subresources: {status: {}},");
		define("plains", "Plain", "");
		await().atMost(Duration.ofSeconds(30)).until(() -> get(THINGS).code() == 200 && get(PLAINS).code() == 200);
	}

	private void define(String plural, String kind, String subresources) {
		post(DEFINITIONS,
				"""
						{kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1',
						metadata: {name: 'PLURAL.NS.example.com'},
						spec: {group: 'NS.example.com', scope: 'Namespaced', names: {plural: 'PLURAL', kind: 'KIND'},
						versions: [{name: 'v1', served: true, storage: true, SUBRESOURCES
						schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}}]}}"""
					.replace("PLURAL", plural)
					.replace("KIND", kind)
					.replace("SUBRESOURCES", subresources))
			.hasCode(201);
		afterwards(() -> delete(DEFINITIONS + "/" + plural + ".NS.example.com"));
	}

	private Answer createThing() {
		return post(THINGS, thing("{name: 'a', generation: 7, labels: {a: '1'}}")).hasCode(201);
	}

	private static String thing(String metadata) {
		return "{kind: 'Thing', apiVersion: 'NS.example.com/v1', metadata: " + metadata
				+ ", spec: {size: 1}, status: {ready: true}, extra: {e: 1}}";
	}

	private static long generation(Answer answer) {
		return answer.hasCode(200).metadata().path("generation").asLong();
	}

	private static JsonNode at(Answer answer, String pointer) {
		return answer.body().at(pointer);
	}

	@Test
	void generationShouldCountChangesOfAllButMetadataAndStatus() {
		Answer created = createThing();
		assertThat(created.metadata().path("generation").asLong()).isEqualTo(1);
		assertThat(created.body().has("status")).isFalse();
		assertThat(generation(mergePatch(THING, "{metadata: {labels: {b: '1'}, annotations: {b: '1'}}}"))).isEqualTo(1);
		assertThat(generation(mergePatch(THING, "{metadata: {finalizers: ['example.com/f']}}"))).isEqualTo(1);
		assertThat(generation(mergePatch(THING, "{extra: {e: 2}}"))).isEqualTo(2);
		assertThat(generation(mergePatch(THING, "{spec: {size: 2}, metadata: {generation: 70}}"))).isEqualTo(3);
	}

	@Test
	void writeOfMainResourceShouldIgnoreStatus() {
		createThing();
		Answer status = mergePatch(THING + "/status", "{status: {ready: true}}").hasCode(200);
		Answer changed = mergePatch(THING, "{status: {ready: false}}").hasCode(200);
		assertThat(changed.resourceVersion()).isEqualTo(status.resourceVersion());
		assertThat(at(changed, "/status/ready").asBoolean()).isTrue();
	}

	@Test
	void writeOfStatusShouldIgnoreAllButTheStatus() {
		createThing();
		Answer status = mergePatch(THING + "/status", """
				{status: {ready: true}, spec: {size: 9}, extra: {e: 9}, metadata: {labels: {z: '1'},
				annotations: {z: '1'}, finalizers: ['example.com/f'],
				ownerReferences: [{apiVersion: 'v1', kind: 'ConfigMap', name: 'n', uid: 'u'}]}}""");
		status.is(200, """
				{apiVersion: 'NS.example.com/v1', kind: 'Thing', metadata: {name: 'a', namespace: 'NS', uid: 'UID',
				resourceVersion: 'RV', creationTimestamp: 'TIME', generation: 1, labels: {a: '1'}}, spec: {size: 1},
				status: {ready: true}, extra: {e: 1}}""");
		ObjectNode body = status.json();
		body.withObject("spec").put("size", 10);
		body.withObject("metadata").withObject("labels").put("z", "1");
		body.withObject("status").put("ready", false);
		Answer replaced = put(THING + "/status", body.toString()).hasCode(200);
		assertThat(generation(replaced)).isEqualTo(1);
		assertThat(at(replaced, "/spec/size").asInt()).isEqualTo(1);
		assertThat(at(replaced, "/metadata/labels").toString()).isEqualTo("{\"a\":\"1\"}");
		assertThat(at(replaced, "/status/ready").asBoolean(true)).isFalse();
		put(THING + "/status", body.toString()).isRejected(409, "Conflict", MODIFIED);
		body.withObject("metadata").remove("resourceVersion");
		put(THING + "/status", body.toString()).isRejected(422, "Invalid",
				"things.NS.example.com \"a\" is invalid: metadata.resourceVersion: Invalid value: "
						+ since(34, "0", "0x0") + ": must be specified for an update");
	}

	@Test
	void statusWhenRemovedAgainShouldChangeNothing() {
		createThing();
		mergePatch(THING + "/status", "{status: {ready: true, gone: 1}}").hasCode(200);
		Answer without = mergePatch(THING + "/status", "{status: {gone: null}}").hasCode(200);
		assertThat(at(without, "/status").toString()).isEqualTo("{\"ready\":true}");
		Answer removed = mergePatch(THING + "/status", "{status: null}").hasCode(200);
		assertThat(removed.body().has("status")).isFalse();
		Answer again = mergePatch(THING + "/status", "{status: null}").hasCode(200);
		assertThat(again.resourceVersion()).isEqualTo(removed.resourceVersion());
	}

	@Test
	void statusWithoutSubresourceShouldBeAFieldLikeAnyOther() {
		Answer created = post(PLAINS, """
				{kind: 'Plain', apiVersion: 'NS.example.com/v1', metadata: {name: 'a'}, spec: {size: 1},
				status: {ready: true}}""").hasCode(201);
		assertThat(at(created, "/status/ready").asBoolean()).isTrue();
		Answer changed = mergePatch(PLAINS + "/a", "{status: {ready: false}}");
		assertThat(generation(changed)).isEqualTo(2);
		assertThat(generation(mergePatch(PLAINS + "/a", "{metadata: {labels: {b: '1'}}}"))).isEqualTo(2);
		mergePatch(PLAINS + "/a/status", "{status: {ready: true}}").isRejected(404, "NotFound",
				"plains.NS.example.com \"a\" not found");
	}

	@Test
	void objectWhenBeingDeletedShouldCountThatAndGetNoFinalizers() {
		createThing();
		mergePatch(THING, "{metadata: {finalizers: ['example.com/f']}}").hasCode(200);
		Answer deleting = delete(THING);
		assertThat(generation(deleting)).isEqualTo(2);
		assertThat(deleting.metadata().path("deletionGracePeriodSeconds").asInt(-1)).isZero();
		assertThat(delete(THING).hasCode(200).resourceVersion()).isEqualTo(deleting.resourceVersion());
		String forbidden = "Thing.NS.example.com \"a\" is invalid: metadata.finalizers: Forbidden: no new finalizers "
				+ "can be added if the object is being deleted, found new finalizers []string{\"example.com/g\"}";
		patch(JSON_PATCH, THING, "[{\"op\":\"add\",\"path\":\"/metadata/finalizers/-\",\"value\":\"example.com/g\"}]")
			.isRejected(422, "Invalid", forbidden);
		mergePatch(THING, "{metadata: {finalizers: ['example.com/f', 'example.com/g']}}").isRejected(422, "Invalid",
				forbidden);
		assertThat(generation(mergePatch(THING, "{spec: {size: 5}}"))).isEqualTo(3);
		assertThat(generation(mergePatch(THING + "/status", "{status: {ready: true}}"))).isEqualTo(3);
		patch(JSON_PATCH, THING, """
				[{"op":"test","path":"/metadata/finalizers/0","value":"example.com/f"},
				{"op":"remove","path":"/metadata/finalizers/0"}]""").hasCode(200);
		get(THING).hasCode(404);
	}

	@Test
	void finalizerShouldBeAddedAndRemovedByTestedJsonPatches() {
		Answer created = createThing();
		String version = created.resourceVersion();
		patch(JSON_PATCH, THING, "[{\"op\":\"add\",\"path\":\"/metadata/finalizers/-\",\"value\":\"example.com/f\"}]")
			.isRejected(422, "Invalid", REJECTED);
		patch(JSON_PATCH, THING, addFirst("1")).isRejected(422, "Invalid", REJECTED);
		patch(JSON_PATCH, THING, addFirst(version)).hasCode(200);
		patch(JSON_PATCH, THING, addFirst(version)).isRejected(422, "Invalid", REJECTED);
		Answer second = patch(JSON_PATCH, THING,
				"[{\"op\":\"add\",\"path\":\"/metadata/finalizers/-\",\"value\":\"example.com/g\"}]")
			.hasCode(200);
		assertThat(at(second, "/metadata/finalizers").toString()).isEqualTo("[\"example.com/f\",\"example.com/g\"]");
		patch(JSON_PATCH, THING, remove(UID, "example.com/f")).isRejected(422, "Invalid", REJECTED);
		String uid = created.metadata().path("uid").asString();
		patch(JSON_PATCH, THING, remove(uid, "example.com/g")).isRejected(422, "Invalid", REJECTED);
		Answer removed = patch(JSON_PATCH, THING, remove(uid, "example.com/f")).hasCode(200);
		assertThat(at(removed, "/metadata/finalizers").toString()).isEqualTo("[\"example.com/g\"]");
	}

	private static String addFirst(String version) {
		return "[{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"" + version + "\"},"
				+ "{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"example.com/f\"]}]";
	}

	private static String remove(String uid, String finalizer) {
		return "[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"" + uid + "\"},"
				+ "{\"op\":\"test\",\"path\":\"/metadata/finalizers/0\",\"value\":\"" + finalizer + "\"},"
				+ "{\"op\":\"remove\",\"path\":\"/metadata/finalizers/0\"}]";
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/status" })
	void patchWhenObjectIsMissingShouldNotBeFound(String subresource) {
		String missing = "things.NS.example.com \"a\" not found";
		patch(JSON_PATCH, THING + subresource, "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers/0\"}]")
			.isRejected(404, "NotFound", missing);
		mergePatch(THING + subresource, "{status: {ready: true}}").isRejected(404, "NotFound", missing);
	}

	@Test
	void applyOfStatusWhenObjectIsMissingShouldNotBeFound() {
		patch(APPLY, THING + "/status?fieldManager=m&force=true", thing("{name: 'a'}")).isRejected(404, "NotFound",
				"things.NS.example.com \"a\" not found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/status" })
	void mergePatchWhenResourceVersionIsOldShouldConflict(String subresource) {
		String old = createThing().resourceVersion();
		mergePatch(THING, "{spec: {size: 2}}").hasCode(200);
		mergePatch(THING + subresource, "{metadata: {resourceVersion: '" + old + "'}, status: {s: 1}, spec: {size: 3}}")
			.isRejected(409, "Conflict", MODIFIED);
	}

	@Test
	void writeWhenUidIsAnotherShouldBeRefused() {
		createThing();
		mergePatch(THING, "{metadata: {uid: '" + UID + "'}, spec: {size: 3}}").isRejected(422, "Invalid",
				"Thing.NS.example.com \"a\" is invalid: metadata.uid: Invalid value: \"UID\": field is immutable");
		delete(THING, "{preconditions: {uid: '" + UID + "'}}").isRejected(409, "Conflict",
				"Operation cannot be fulfilled on Thing.NS.example.com \"a\": the UID in the precondition (UID) does "
						+ "not match the UID in record (UID). The object might have been deleted and then recreated");
		patch(APPLY, THING + "?fieldManager=m&force=true", thing("{name: 'a', uid: '" + UID + "'}")).hasCode(422);
	}

	@Test
	void generationOfDeploymentShouldCountSpecAndAnnotations() {
		Answer created = post(DEPLOYMENTS, deployment("d", 1)).hasCode(201);
		assertThat(created.metadata().path("generation").asLong()).isEqualTo(1);
		String path = DEPLOYMENTS + "/d";
		assertThat(generation(mergePatch(path, "{metadata: {labels: {b: '1'}}}"))).isEqualTo(1);
		assertThat(generation(mergePatch(path, "{metadata: {annotations: {b: '1'}}}"))).isEqualTo(2);
		assertThat(generation(mergePatch(path, "{spec: {replicas: 2}}"))).isEqualTo(3);
		assertThat(generation(mergePatch(path, "{status: {replicas: 2}}"))).isEqualTo(3);
		Answer status = mergePatch(path + "/status", """
				{status: {replicas: 2, observedGeneration: 3}, spec: {replicas: 7}, metadata: {labels: {z: '1'},
				annotations: {z: '1'}, finalizers: ['example.com/f']}}""");
		assertThat(generation(status)).isEqualTo(3);
		assertThat(at(status, "/status/observedGeneration").asLong()).isEqualTo(3);
		assertThat(at(status, "/spec/replicas").asLong()).isEqualTo(2);
		assertThat(at(status, "/metadata/labels").toString()).isEqualTo("{\"b\":\"1\"}");
		assertThat(at(status, "/metadata/annotations/z").asString()).isEqualTo("1");
		assertThat(at(status, "/metadata/finalizers").toString()).isEqualTo("[\"example.com/f\"]");
		assertThat(generation(delete(path, "{propagationPolicy: 'Background'}"))).isEqualTo(4);
		mergePatch(path, "{metadata: {finalizers: null}}").hasCode(200);
		get(path).hasCode(404);
	}

	@Test
	void ownersWhenTwoAreControllersShouldBeRefused() {
		String first = post(CONFIG_MAPS, "{metadata: {name: 'x'}}").hasCode(201).metadata().path("uid").asString();
		String second = post(CONFIG_MAPS, "{metadata: {name: 'y'}}").hasCode(201).metadata().path("uid").asString();
		String value = "[" + printed("x") + "," + printed("y") + "]";
		String wrong = ": Only one reference can have Controller set to true. Found \"true\" in references for ConfigMap/x "
				+ "and ConfigMap/y";
		rejected(post(CONFIG_MAPS, owned(controller("x", first) + ", " + controller("y", second))), value, wrong);
		String apply = CONFIG_MAPS + "/c?force=true&fieldManager=";
		patch(APPLY, apply + "one", owned(controller("x", first))).hasCode(201);
		rejected(patch(APPLY, apply + "two", owned(controller("y", second))), value, wrong);
		patch(APPLY, apply + "two", owned(controller("y", second).replace("true", "false"))).hasCode(200);
	}

	private void rejected(Answer answer, String value, String why) {
		String begin = "ConfigMap \"c\" is invalid: metadata.ownerReferences: Invalid value: ";
		if (isSince(34)) {
			answer.isRejected(422, "Invalid", begin + value + why);
		}
		else {
			// The value is printed by Go, with addresses of the memory.
			assertThat(answer.hasCode(422).body().path("message").asString()).startsWith(begin).endsWith(why);
		}
	}

	private static String owned(String references) {
		return "{kind: 'ConfigMap', apiVersion: 'v1', metadata: {name: 'c', ownerReferences: [" + references + "]}}";
	}

	private static String controller(String name, String uid) {
		return "{apiVersion: 'v1', kind: 'ConfigMap', name: '" + name + "', uid: '" + uid + "', controller: true}";
	}

	private static String printed(String name) {
		return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"" + name
				+ "\",\"uid\":\"UID\",\"controller\":true}";
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{apiVersion: 'v1', kind: 'K', name: 'n'}              | uid        | Required value: must not be empty                                | uid must not be empty
					{apiVersion: 'v1', kind: 'K', uid: 'u'}               | name       | Required value: must not be empty                                | name must not be empty
					{apiVersion: 'v1', name: 'n', uid: 'u'}               | kind       | Required value: must not be empty                                | kind must not be empty
					{kind: 'K', name: 'n', uid: 'u'}                      | apiVersion | Required value: must not be empty                                | version must not be empty
					{apiVersion: 'a/', kind: 'K', name: 'n', uid: 'u'}    | apiVersion | Invalid value: "a/": must be <group>/<version> or <version>      | version must not be empty
					{apiVersion: 'a/b/c', kind: 'K', name: 'n', uid: 'u'} | apiVersion | Invalid value: "a/b/c": must be <group>/<version> or <version>   | version must not be empty
					""")
	void ownerWhenIncompleteShouldBeRefused(String reference, String field, String why, String formerly) {
		String message;
		if (isSince(37)) {
			message = "[0]." + field + ": " + why;
		}
		else {
			String value = Answer.parse(reference).path(field).asString("");
			boolean version = field.equals("apiVersion");
			message = "." + field + ": Invalid value: \"" + value + "\": "
					+ ((isSince(34) && !version) ? "must not be empty" : formerly);
		}
		post(CONFIG_MAPS, owned(reference)).isRejected(422, "Invalid",
				"ConfigMap \"c\" is invalid: metadata.ownerReferences" + message);
	}

	@Test
	void eventShouldBeNoOwner() {
		String event = "{apiVersion: 'v1', kind: 'Event', name: 'n', uid: 'u'}";
		String value = isSince(34) ? Answer.parse(event).toString()
				: "v1.OwnerReference{APIVersion:\"v1\", Kind:\"Event\", Name:\"n\", UID:\"u\", "
						+ "Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)}";
		post(CONFIG_MAPS, owned(event)).isRejected(422, "Invalid",
				"ConfigMap \"c\" is invalid: metadata.ownerReferences" + since(37, "[0]", "") + ": Invalid value: "
						+ value + ": /v1, Kind=Event is disallowed from being an owner");
	}

}
