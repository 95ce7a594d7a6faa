package dev.kubeinformer.test;

import java.io.IOException;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Custom resources, from their definition to its end.
 */
abstract class CustomResourceConformance extends Conformance {

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String DEFINITION = "/things.NS.example.com";

	private static final String GROUP = "/apis/NS.example.com";

	private static final String THINGS = GROUP + "/v1/namespaces/NS/things";

	private static final String THING = "{kind: 'Thing', apiVersion: 'NS.example.com/v1', metadata: {name: 'a'}, "
			+ "spec: {size: 1}, status: {ready: true}}";

	CustomResourceConformance(ApiTarget target) {
		super(target);
	}

	@BeforeEach
	void createDefinition() {
		post(DEFINITIONS, """
				{kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1',
				metadata: {name: 'things.NS.example.com'},
				spec: {group: 'NS.example.com', scope: 'Namespaced',
				names: {plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList', shortNames: ['th']},
				versions: [{name: 'v1', served: true, storage: true, subresources: {status: {}},
				schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}}]}}""")
			.hasCode(201);
		afterwards(() -> delete(DEFINITIONS + DEFINITION));
		await().atMost(Duration.ofSeconds(30)).until(() -> get(THINGS).code() == 200);
	}

	@Test
	void definitionShouldBeEstablished() {
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			JsonNode status = get(DEFINITIONS + DEFINITION).hasCode(200).body().path("status");
			assertThat(condition(status, "NamesAccepted")).isEqualTo("True");
			assertThat(condition(status, "Established")).isEqualTo("True");
			assertThat(status.path("acceptedNames").path("kind").asString()).isEqualTo("Thing");
			assertThat(status.path("storedVersions").path(0).asString()).isEqualTo("v1");
		});
	}

	private static String condition(JsonNode status, String type) {
		for (JsonNode condition : status.path("conditions")) {
			if (type.equals(condition.path("type").asString())) {
				return condition.path("status").asString();
			}
		}
		return "";
	}

	@Test
	void customResourceShouldBeInDiscovery() {
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(get("/apis").text()).contains(namespace() + ".example.com"));
		JsonNode resources = get(GROUP + "/v1").hasCode(200).body().path("resources");
		ObjectNode things = (ObjectNode) resources.path(0);
		things.remove("storageVersionHash");
		assertThat((Object) things).isEqualTo(Answer.parse("""
				{name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing',
				verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
				shortNames: ['th']}"""));
		assertThat((Object) resources.path(1)).isEqualTo(Answer.parse("""
				{name: 'things/status', singularName: '', namespaced: true, kind: 'Thing',
				verbs: ['get', 'patch', 'update']}"""));
	}

	@Test
	void customResourceShouldBeServedAsAnyOther() throws IOException {
		Answer list = get(THINGS).is(200,
				"{kind: 'ThingList', apiVersion: 'NS.example.com/v1', metadata: {continue: '', resourceVersion: 'RV'}, "
						+ "items: []}");
		LineStream watch = watch(THINGS + "?watch=true&resourceVersion=" + list.resourceVersion());
		post(THINGS, THING).is(201, """
				{apiVersion: 'NS.example.com/v1', kind: 'Thing', metadata: {name: 'a', namespace: 'NS', uid: 'UID',
				resourceVersion: 'RV', creationTimestamp: 'TIME', generation: 1}, spec: {size: 1}}""");
		assertThat(watch.next()).isEqualTo("ADDED a");
		Answer changed = mergePatch(THINGS + "/a", "{spec: {size: 2}}").hasCode(200);
		assertThat(changed.metadata().path("generation").asInt()).isEqualTo(2);
		assertThat(watch.next()).isEqualTo("MODIFIED a");
		Answer status = mergePatch(THINGS + "/a/status", "{status: {ready: true}, spec: {size: 3}}").hasCode(200);
		assertThat(status.metadata().path("generation").asInt()).isEqualTo(2);
		assertThat(status.body().path("spec").path("size").asInt()).isEqualTo(2);
		assertThat(status.body().path("status").path("ready").asBoolean()).isTrue();
		assertThat(watch.next()).isEqualTo("MODIFIED a");
		delete(THINGS + "/a").is(200, """
				{kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success',
				details: {name: 'a', group: 'NS.example.com', kind: 'things', uid: 'UID'}}""");
		assertThat(watch.next()).isEqualTo("DELETED a");
		get(THINGS + "/a").isFailure(404, "NotFound", "things.NS.example.com \"a\" not found",
				"{name: 'a', group: 'NS.example.com', kind: 'things'}");
	}

	@Test
	void customResourceItemsShouldHaveTheirKind() {
		post(THINGS, THING).hasCode(201);
		JsonNode item = get(THINGS).hasCode(200).body().path("items").path(0);
		assertThat(item.path("kind").asString()).isEqualTo("Thing");
		assertThat(item.path("apiVersion").asString()).isEqualTo("NS.example.com/v1");
	}

	@Test
	void customResourceUpdateShouldNeedResourceVersion() {
		post(THINGS, THING).hasCode(201);
		String why = "Invalid value: " + since(34, "0", "0x0") + ": must be specified for an update";
		put(THINGS + "/a", THING).isFailure(422, "Invalid",
				"things.NS.example.com \"a\" is invalid: metadata.resourceVersion: " + why, """
						{name: 'a', group: 'NS.example.com', kind: 'things', causes: [{reason: 'FieldValueInvalid',
						message: '%s', field: 'metadata.resourceVersion'}]}""".formatted(why));
	}

	@Test
	void strategicPatchOfCustomResourceShouldBeUnsupported() {
		post(THINGS, THING).hasCode(201);
		patch("application/strategic-merge-patch+json", THINGS + "/a", "{spec: {size: 2}}").hasCode(415);
	}

	@Test
	void definitionWhenDeletedShouldEndItsResource() throws IOException {
		post(THINGS, THING).hasCode(201);
		LineStream watch = watch(THINGS + "?watch=true");
		assertThat(watch.next()).isEqualTo("ADDED a");
		delete(DEFINITIONS + DEFINITION).hasCode(200);
		assertThat(watch.next()).isEqualTo("DELETED a");
		await().atMost(Duration.ofSeconds(30)).until(() -> get(THINGS).code() == 404);
		await().atMost(Duration.ofSeconds(30)).until(() -> get(DEFINITIONS + DEFINITION).code() == 404);
	}

}
